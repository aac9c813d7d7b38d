//! What comes from the referee, read and as it came: a journal keeps also what only a later version knows.

use prost::{DecodeError, Message, bytes::Bytes};

use crate::v1::ResponseItem;

/// A `PlayResponse` whose items are not read yet.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RawResponse {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub items: Vec<Bytes>,
}

/// The kinds of a `ResponseItem` that a journal keeps, not read.
#[derive(Clone, PartialEq, Message)]
struct RawItem {
    #[prost(bytes = "bytes", optional, tag = "4")]
    joined: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "5")]
    ready_accepted: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "6")]
    observation: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "7")]
    action_result: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "8")]
    ended: Option<Bytes>,
}

/// A `JournalRecord` of one of these kinds.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RawRecord {
    #[prost(bytes = "bytes", optional, tag = "1")]
    joined: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    observation: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    action_result: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "5")]
    ended: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "7")]
    ready_accepted: Option<Bytes>,
}

/// An item, and the record of it for a journal.
#[derive(Debug)]
pub(crate) struct Heard {
    pub item: ResponseItem,
    pub record: RawRecord,
}

impl Heard {
    pub fn read(bytes: Bytes) -> Result<Self, DecodeError> {
        let item = ResponseItem::decode(bytes.clone())?;
        let RawItem { joined, ready_accepted, observation, action_result, ended } = RawItem::decode(bytes)?;
        let record = RawRecord { joined, observation, action_result, ended, ready_accepted };
        Ok(Self { item, record })
    }
}
