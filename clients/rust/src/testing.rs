//! What the tests share.

use std::{env, fs, path::PathBuf, process};

use crate::{
    backoff::chance,
    v1::{Action, DealSealed, Decision, Draw, Event, Observation, ObservedEvent, View, action, event::Kind},
};

/// A file of `proto/vectors`.
pub fn vectors(name: &str) -> serde_json::Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../proto/vectors").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A directory for the length of a test.
pub struct TempDir {
    pub path: PathBuf,
}

impl TempDir {
    pub fn new() -> Self {
        let path = env::temp_dir().join(format!("unoduo-{}-{}", process::id(), chance()));
        fs::create_dir(&path).unwrap();
        Self { path }
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.path).unwrap();
    }
}

/// An observation with the events from first to last.
pub fn told(first: u32, last: u32) -> Observation {
    let event = |sequence| ObservedEvent { sequence, event: Some(Event::default()), private_cards: vec![] };
    Observation {
        events: (first..=last).map(event).collect(),
        sequence: last,
        head: vec![u8::try_from(last).unwrap()],
        caught_up: true,
        view: Some(View::default()),
        ..Observation::default()
    }
}

/// An observation whose only event and decision are these.
pub fn decision(sequence: u32, decision_id: u32) -> Observation {
    let decision = Decision { decision_id, tries_left: 10, legal: vec![draw()], ..Decision::default() };
    Observation { decision: Some(decision), ..told(sequence, sequence) }
}

/// An observation of a deal.
pub fn sealed(entropy_1: &[u8], entropy_2: &[u8]) -> Observation {
    let deal = DealSealed { entropy_1: entropy_1.into(), entropy_2: entropy_2.into() };
    let mut observation = told(1, 1);
    observation.events[0].event = Some(Event { kind: Some(Kind::DealSealed(deal)) });
    observation
}

pub fn draw() -> Action {
    Action { kind: Some(action::Kind::Draw(Draw {})) }
}
