use std::fmt;

use crate::v1::{Ended, Seat, Termination};

/// How a match ended for a seat.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The number of the match at its referee.
    pub number: u32,
    /// The seat that was played.
    pub seat: Seat,
    /// What the referee said: outcome, final head, signature.
    pub ended: Ended,
}

/// One line, as in `match 7, seat A: won (TARGET), A 145 : 203 B after 9 rounds`.
impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = self.ended.outcome.clone().unwrap_or_default();
        let verdict = match outcome.winner() {
            Seat::Unspecified => "no winner",
            winner if winner == self.seat => "won",
            _ => "lost",
        };
        let termination = match Termination::try_from(outcome.termination) {
            Ok(known) => known.as_str_name().trim_start_matches("TERMINATION_").to_owned(),
            Err(unknown) => unknown.0.to_string(),
        };
        let rounds = if outcome.rounds == 1 { "round" } else { "rounds" };
        write!(
            f,
            "match {}, seat {}: {verdict} ({termination}), A {} : {} B after {} {rounds}",
            self.number,
            letter(self.seat),
            outcome.total_a,
            outcome.total_b,
            outcome.rounds
        )
    }
}

pub(crate) fn letter(seat: Seat) -> &'static str {
    seat.as_str_name().trim_start_matches("SEAT_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::Outcome;

    #[test]
    fn result_is_one_line() {
        for ((winner, termination, total_a, total_b, rounds), due) in [
            (
                (Seat::A, Termination::Target as i32, 145, 203, 9),
                "match 7, seat A: won (TARGET), A 145 : 203 B after 9 rounds",
            ),
            (
                (Seat::B, Termination::Timeout as i32, 0, 0, 1),
                "match 7, seat A: lost (TIMEOUT), A 0 : 0 B after 1 round",
            ),
            (
                (Seat::Unspecified, Termination::VoidOrganiser as i32, 0, 0, 0),
                "match 7, seat A: no winner (VOID_ORGANISER), A 0 : 0 B after 0 rounds",
            ),
            ((Seat::Unspecified, 99, 0, 0, 0), "match 7, seat A: no winner (99), A 0 : 0 B after 0 rounds"),
        ] {
            let outcome = Outcome { winner: winner as i32, termination, total_a, total_b, rounds, faulted: vec![] };
            let ended = Ended { outcome: Some(outcome), ..Ended::default() };
            assert_eq!(MatchResult { number: 7, seat: Seat::A, ended }.to_string(), due);
        }
    }
}
