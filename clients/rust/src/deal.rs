use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::{
    error::Error,
    v1::{DealSealed, Observation, Seat, event::Kind},
};

const ENTROPY_DOMAIN: &[u8] = b"unoduo/v1/client-entropy\0";

/// Returns h0, the head of a header as it was received (PROTOCOL.md, "The log").
#[must_use]
pub fn header_head(header: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update([0]).chain_update(header).finalize().into()
}

/// Returns what a seat gives to its deal: the same whenever it is asked, no two headers alike.
#[must_use]
pub fn entropy(secret: &[u8], h0: &[u8]) -> [u8; 32] {
    let mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
    mac.chain_update(ENTROPY_DOMAIN).chain_update(h0).finalize().into_bytes().into()
}

/// Refuses a fresh deal in which the entropy of this seat is not as it was sent. Other deals take none, and have no
/// guard. A match that had begun before the seat joined is let pass: its deal was shown to an earlier session.
pub(crate) struct DealGuard {
    pub seat: Seat,
    pub sent: [u8; 32],
}

impl DealGuard {
    /// Returns whether the deal was shown, with the entropy; a deal without it, or a decision before any deal, is the
    /// error [`Error::EntropyMissing`].
    pub fn check(&self, observation: &Observation) -> Result<bool, Error> {
        let deals = observation.events.iter().filter_map(|observed| match observed.event.as_ref()?.kind.as_ref()? {
            Kind::DealSealed(deal) => Some(deal),
            _ => None,
        });
        match deals.into_iter().next() {
            Some(deal) if self.share(deal) == self.sent => Ok(true),
            Some(deal) => Err(self.missing(&format!("the deal has \"{}\"", hex::encode(self.share(deal))))),
            None if observation.decision.is_some() => Err(self.missing("no deal was shown")),
            None => Ok(false),
        }
    }

    fn share<'a>(&self, deal: &'a DealSealed) -> &'a [u8] {
        if self.seat == Seat::B { &deal.entropy_2 } else { &deal.entropy_1 }
    }

    fn missing(&self, what: &str) -> Error {
        Error::EntropyMissing(format!("this seat sent {}, {what}", hex::encode(self.sent)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{decision, sealed, vectors};

    #[test]
    fn header_heads_are_those_of_the_vectors() {
        let table = vectors("log/heads.json");
        let cases = table["cases"].as_array().unwrap();
        assert!(!cases.is_empty());
        for case in cases {
            let header = hex::decode(case["header"].as_str().unwrap()).unwrap();
            assert_eq!(hex::encode(header_head(&header)), case["h0"], "{}", case["name"]);
        }
    }

    #[test]
    fn entropy_depends_on_secret_and_header_alone() {
        let once = entropy(b"secret", b"h0");
        assert_eq!(once, entropy(b"secret", b"h0"));
        assert_ne!(once, entropy(b"other", b"h0"));
        assert_ne!(once, entropy(b"secret", b"h1"));
    }

    #[test]
    fn deal_guard_wants_its_own_entropy_in_the_deal() {
        let (mine, other) = ([1; 32], [2; 32]);
        for (name, seat, deal, due) in [
            ("seat A", Seat::A, sealed(&mine, &other), Some(true)),
            ("seat B", Seat::B, sealed(&other, &mine), Some(true)),
            ("that of the other seat", Seat::B, sealed(&mine, &other), None),
            ("dropped", Seat::A, sealed(&[], &other), None),
            ("a decision without a deal", Seat::A, decision(1, 1), None),
            ("nothing yet", Seat::A, Observation::default(), Some(false)),
        ] {
            let checked = DealGuard { seat, sent: mine }.check(&deal);
            match due {
                Some(due) => assert_eq!(checked.unwrap(), due, "{name}"),
                None => assert!(matches!(checked, Err(Error::EntropyMissing(_))), "{name}"),
            }
        }
    }
}
