//! Bots for UNO Duo.
//!
//! A bot is one function: it gets an [`Observation`](v1::Observation) and returns an [`Action`](v1::Action). [`run`]
//! makes a program of it; [`Session`] plays any number of seats at once. Connection, seat, the bot's part in the deal,
//! lost connections and the journal are what this library is for (`proto/PROTOCOL.md`).

mod arguments;
mod backoff;
mod cards;
mod channel;
mod connection;
mod conversation;
mod cursor;
mod deal;
mod decisions;
mod error;
mod heard;
mod journal;
mod json;
mod program;
mod result;
mod session;
mod status;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod unknown_tests;

/// The messages, generated from the `.proto` files, which have a comment on every field.
#[allow(missing_docs, clippy::all, clippy::pedantic)]
pub mod v1 {
    tonic::include_proto!("unoduo.v1");
}

pub use cards::Symbol;
pub use channel::Security;
pub use deal::{entropy, header_head};
pub use decisions::{Answer, Bot};
pub use error::{Error, RefereeError};
pub use journal::{journal_directory, new_journal};
pub use json::observation_from_json;
pub use program::run;
pub use result::MatchResult;
pub use session::{DEFAULT_PATIENCE, Options, Place, Session};
pub use tonic::Code;
