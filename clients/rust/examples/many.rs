//! Plays several seats over one session: `many ADDRESS MATCH-ID TOKEN-OF-SEAT-A TOKEN-OF-SEAT-B`.

use std::{env, error::Error};

use tokio::task::JoinSet;
use unoduo_client::{
    Options, Place, Session,
    v1::{Action, Observation, Seat},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [address, match_id, token_a, token_b] = &words[..] else {
        return Err("four arguments are needed".into());
    };
    let session = Session::connect(address, Options::default()).await?;
    let mut games = JoinSet::new();
    for (seat, token) in [(Seat::A, token_a), (Seat::B, token_b)] {
        let place = Place { match_id: hex::decode(match_id)?, seat, token: Some(token.clone()), journal: None };
        let session = session.clone();
        games.spawn(async move { session.play(place, decide).await });
    }
    for game in games.join_all().await {
        println!("{}", game?);
    }
    Ok(())
}

/// Takes the first legal action.
fn decide(observation: &Observation) -> Action {
    observation.decision.as_ref().and_then(|decision| decision.legal.first()).cloned().unwrap_or_default()
}
