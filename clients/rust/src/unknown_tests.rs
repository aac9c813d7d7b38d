//! What a later version of the protocol may add is skipped, and kept in journals.

use prost::{
    Message,
    encoding::{WireType, encode_key, encode_varint},
};

use crate::{
    conversation::tests::Scene,
    json::observation_from_json,
    testing::{decision, draw},
    v1::{Card, Event, Phase, View},
};

/// A field that this version does not know.
fn later() -> Vec<u8> {
    field(500, b"later")
}

fn field(number: u32, value: &[u8]) -> Vec<u8> {
    let mut bytes = vec![];
    encode_key(number, WireType::LengthDelimited, &mut bytes);
    encode_varint(value.len() as u64, &mut bytes);
    [bytes, value.into()].concat()
}

/// An item under handle 1 with this field.
fn item(number: u32, value: &[u8]) -> Vec<u8> {
    [&[0x08, 0x01][..], &field(number, value)].concat()
}

#[tokio::test]
async fn kinds_and_numbers_of_a_later_version_are_skipped_in_bytes() {
    let mut scene = Scene::ready();
    scene.hears_bytes(item(500, b"a kind of item"));
    scene.expect_nothing();

    let mut observation = decision(1, 1);
    observation.events[0].private_cards = vec![99];
    observation.view = Some(View { phase: 99, hand: vec![99, Card::Red5.into()], pending_kind: 99, ..View::default() });
    observation.decision.as_mut().unwrap().phase = 99;
    // A second event and a second legal action, of kinds that are not known.
    let event = [&[0x08, 0x02][..], &field(2, &later())].concat();
    let legal = field(6, &field(5, &later()));
    let bytes = [observation.encode_to_vec(), field(1, &event), legal, later()].concat();
    scene.hears_bytes(item(6, &bytes));
    scene.step().await;
    scene.expect_action(1, "1");

    let seen = scene.seen().remove(0);
    assert_eq!(seen.events[1].event, Some(Event::default()));
    assert_eq!(seen.decision.unwrap().legal, [draw()]);
    assert_eq!(seen.view.unwrap().hand().collect::<Vec<_>>(), [Card::Red5]);
}

#[tokio::test]
async fn journal_keeps_what_a_later_version_says() {
    let mut scene = Scene::ready();
    let bytes = [decision(1, 1).encode_to_vec(), later()].concat();
    scene.hears_bytes(item(6, &bytes));
    assert_eq!(scene.kept().pop().unwrap(), field(2, &bytes));
}

#[test]
fn kinds_and_numbers_of_a_later_version_are_skipped_in_json() {
    let observation = observation_from_json(
        r#"{"sequence": 4294967295, "later": {"a": [1]}, "events": [
            {"sequence": 5, "event": {"cardsBurnt": {"count": 2}}, "privateCards": ["CARD_PURPLE_5", "CARD_RED_5"]}],
            "view": {"phase": "PHASE_AUCTION", "round": 2, "hand": [99]},
            "decision": {"decisionId": 5, "legal": [{"bid": {}}, {"draw": {}}]}}"#,
    )
    .unwrap();
    assert_eq!(observation.sequence, u32::MAX);
    let burnt = &observation.events[0];
    assert_eq!(burnt.event, Some(Event::default()));
    assert_eq!(burnt.private_cards, [i32::from(Card::Red5)]);
    let view = observation.view.unwrap();
    assert_eq!((view.phase(), view.round, view.hand), (Phase::Unspecified, 2, vec![99]));
    assert_eq!(observation.decision.unwrap().legal[1], draw());
}

#[test]
fn what_is_no_observation_is_an_error() {
    for text in [r#"{"sequence": "many"}"#, "", "{} {}", "[]"] {
        assert!(observation_from_json(text).is_err(), "{text}");
    }
}
