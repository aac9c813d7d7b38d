use std::time::Duration;

pub(crate) const FIRST_BOUND: Duration = Duration::from_millis(100);
const LONGEST_BOUND: Duration = Duration::from_secs(5);

/// How long to wait before each try: at random, so that the clients of a referee that went away do not come back all at
/// once, up to a bound that doubles with every try.
pub(crate) struct Backoff {
    pub bound: Duration,
}

impl Backoff {
    pub fn new() -> Self {
        Self { bound: FIRST_BOUND }
    }

    pub fn next(&mut self) -> Duration {
        let delay = self.bound.mul_f64(chance());
        self.bound = LONGEST_BOUND.min(2 * self.bound);
        delay
    }

    /// Begins anew: a try has succeeded.
    pub fn reset(&mut self) {
        self.bound = FIRST_BOUND;
    }
}

/// A random number, at least 0 and below 1.
pub(crate) fn chance() -> f64 {
    let word = getrandom::u32().expect("the system has random numbers");
    f64::from(word) / 2_f64.powi(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_waits_longer_up_to_a_bound_until_it_is_reset() {
        let mut backoff = Backoff::new();
        let mut bound = FIRST_BOUND;
        for _ in 0..20 {
            assert!(backoff.next() < bound);
            bound = LONGEST_BOUND.min(2 * bound);
        }
        assert_eq!(backoff.bound, LONGEST_BOUND);
        backoff.reset();
        assert!(backoff.next() < FIRST_BOUND);
    }
}
