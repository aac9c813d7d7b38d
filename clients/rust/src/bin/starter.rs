//! A first bot: copy it, and write a better `decide`.
//!
//! It plays whatever gets rid of most points, names the color that it holds most of, and never forgets to say UNO.

use unoduo_client::{
    run,
    v1::{Action, Card, Color, Observation, View, action::Kind},
};

fn main() {
    run(|_seed| decide)
}

/// Returns one of the legal actions, which come ready to be sent back.
fn decide(observation: &Observation) -> Action {
    let decision = observation.decision.clone().unwrap_or_default();
    let view = observation.view.clone().unwrap_or_default();
    let mut best = decision.legal[0].clone();
    for action in decision.legal {
        if worth(&action, &view) > worth(&best, &view) {
            best = action;
        }
    }
    best
}

/// How good an action looks; only plays and colors do.
fn worth(action: &Action, view: &View) -> u32 {
    match &action.kind {
        Some(Kind::Play(play)) => {
            let points: u32 = play.cards().map(Card::points).sum();
            100 * (1 + points) + 2 * held(view, play.color()) + u32::from(play.uno)
        }
        Some(Kind::ChooseColor(choice)) => held(view, choice.color()),
        _ => 0,
    }
}

/// Counts the cards of a color; wilds have none.
fn held(view: &View, color: Color) -> u32 {
    let count = view.hand().filter(|card| color != Color::Unspecified && card.color() == color).count();
    u32::try_from(count).unwrap_or_default()
}
