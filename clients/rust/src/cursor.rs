use crate::v1::{Join, Observation};

/// Keeps every event and every view from being told twice, and knows where the referee shall go on.
#[derive(Default)]
pub(crate) struct Cursor {
    /// Of the last event that was told, 0 if none was.
    pub sequence: u32,
    /// Of the log, there.
    head: Vec<u8>,
    /// There was no event yet when the seat was taken for the first time.
    pub from_start: bool,
    caught_up: bool,
    has_decision: bool,
}

impl Cursor {
    /// Says in a join where to go on; with nothing told and a beginning unseen it asks for no history.
    pub fn resume(&self, join: &mut Join) {
        if self.sequence > 0 || self.from_start {
            join.after_sequence = Some(self.sequence);
            join.head.clone_from(&self.head);
        }
    }

    /// Removes the events that were told before, and returns whether anything new is left, which then counts as told.
    /// At the same sequence only the view behind a page of history is new, or a decision where none was.
    pub fn take(&mut self, observation: &mut Observation) -> bool {
        let has_decision = observation.decision.is_some();
        if observation.sequence < self.sequence
            || observation.sequence == self.sequence && self.caught_up && (self.has_decision || !has_decision)
        {
            return false;
        }
        observation.events.retain(|event| event.sequence > self.sequence);
        self.sequence = observation.sequence;
        self.head.clone_from(&observation.head);
        self.caught_up = observation.caught_up;
        self.has_decision = has_decision;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{decision, told};

    #[test]
    fn cursor_takes_each_event_once() {
        let mut cursor = Cursor::default();
        assert!(cursor.take(&mut told(1, 3)));
        assert!(!cursor.take(&mut told(1, 3)));
        assert!(!cursor.take(&mut told(1, 2)));
        let mut further = told(2, 5);
        assert!(cursor.take(&mut further));
        assert_eq!(further.events.iter().map(|event| event.sequence).collect::<Vec<_>>(), [4, 5]);
    }

    #[test]
    fn cursor_takes_the_view_behind_history_and_a_decision_that_was_not_there() {
        let mut cursor = Cursor::default();
        let mut page = told(1, 3);
        page.caught_up = false;
        assert!(cursor.take(&mut page));
        assert!(cursor.take(&mut told(4, 3)));
        assert!(!cursor.take(&mut told(4, 3)));
        assert!(cursor.take(&mut decision(3, 3)));
        assert!(!cursor.take(&mut decision(3, 3)));
    }

    #[test]
    fn cursor_resumes_behind_the_last_event_and_its_head() {
        for (from_start, last, due) in
            [(false, 0, (None, vec![])), (true, 0, (Some(0), vec![])), (false, 3, (Some(3), vec![3]))]
        {
            let mut cursor = Cursor { from_start, ..Cursor::default() };
            if last > 0 {
                cursor.take(&mut told(1, last));
            }
            let mut join = Join::default();
            cursor.resume(&mut join);
            assert_eq!((join.after_sequence, join.head), due);
        }
    }
}
