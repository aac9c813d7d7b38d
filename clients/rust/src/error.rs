use std::{fmt, time::Duration};

use tonic::Code;

use crate::v1::{DetachReason, Problem};

/// What may end the play of a seat; its match goes on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The referee could not handle something, or there is no referee.
    Referee(RefereeError),
    /// The seat is no longer this client's: another session took it, or its token was revoked. Do not join again by
    /// yourself. The number is that of a `DetachReason`.
    Detached(i32),
    /// The log of the referee is not the one that it told this seat. The journal is the proof.
    Forked(String),
    /// The deal does not contain what this seat gave to it.
    EntropyMissing(String),
    /// The bot gave no action, or its tries for a decision are used up.
    Bot(String),
    /// The journal cannot be written: a seat without evidence does not play on.
    Journal(String),
    /// What was asked for cannot be done, such as an address without a port or a file that cannot be read.
    Setup(String),
    /// The session was closed.
    Closed,
}

/// What the referee could not handle, or that there is no referee.
#[derive(Clone, Debug)]
pub struct RefereeError {
    /// The status code of gRPC.
    pub code: Code,
    /// One of PROTOCOL.md, "Problems"; empty if the network speaks and not the referee.
    pub reason: String,
    /// What is wrong in what was sent; empty if nothing is.
    pub field: String,
    /// A sentence for people.
    pub message: String,
    pub(crate) may_pass: bool,
    pub(crate) retry_after: Duration,
}

impl RefereeError {
    /// An error of the network.
    pub(crate) fn of_network(code: Code, message: String, may_pass: bool) -> Self {
        let (reason, field) = (String::new(), String::new());
        Self { code, reason, field, message, may_pass, retry_after: Duration::ZERO }
    }
}

impl From<Problem> for RefereeError {
    fn from(problem: Problem) -> Self {
        let code = i32::try_from(problem.code).map_or(Code::Unknown, Code::from);
        Self {
            code,
            reason: problem.reason,
            field: problem.field,
            message: problem.message,
            may_pass: problem.retry_after_ms > 0 && matches!(code, Code::Unavailable | Code::ResourceExhausted),
            retry_after: Duration::from_millis(problem.retry_after_ms.into()),
        }
    }
}

impl fmt::Display for RefereeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.message)?;
        if self.reason.is_empty() {
            write!(f, "{}", name_of(self.code))?;
        } else {
            write!(f, "{}", self.reason)?;
        }
        if !self.field.is_empty() {
            write!(f, " in {}", self.field)?;
        }
        write!(f, ")")
    }
}

/// The name of a code as gRPC writes it, such as `DEADLINE_EXCEEDED`.
fn name_of(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Referee(error) => error.fmt(f),
            Error::Detached(reason) => match DetachReason::try_from(*reason) {
                Ok(DetachReason::Replaced) => write!(f, "another session took the seat (REPLACED)"),
                Ok(DetachReason::TokenRevoked) => write!(f, "the token of the seat was replaced (TOKEN_REVOKED)"),
                _ => write!(f, "the referee let go of the seat ({reason})"),
            },
            Error::Forked(details) => write!(f, "the referee's log is not what it told this seat {details}"),
            Error::EntropyMissing(details) => write!(f, "the deal is not to be trusted: {details}"),
            Error::Bot(details) => write!(f, "the bot gave no legal action: {details}"),
            Error::Journal(details) => write!(f, "the journal cannot be written: {details}"),
            Error::Setup(details) => write!(f, "{details}"),
            Error::Closed => write!(f, "the session was closed"),
        }
    }
}

impl std::error::Error for Error {}

impl From<RefereeError> for Error {
    fn from(error: RefereeError) -> Self {
        Error::Referee(error)
    }
}
