//! What a conversation asks its bot.

use std::{
    any::Any,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

use tokio::task::spawn_blocking;

use crate::{
    conversation::{Conversation, Step},
    error::Error,
    heard::RawRecord,
    v1::{
        Action, ActionResult, Observation, Rejected, RejectionReason, Resign, SubmittedAction, action_result,
        request_item,
    },
};

/// What a bot says to a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// What the seat does.
    Act(Action),
    /// That it gives up the match, which ends by that.
    Resign,
}

impl From<Action> for Answer {
    fn from(action: Action) -> Self {
        Self::Act(action)
    }
}

/// Turns an observation that has a decision and a view into one of the legal actions, or into an [`Answer`].
pub trait Bot<A: Into<Answer>>: FnMut(&Observation) -> A + Send + 'static {}

impl<A: Into<Answer>, F: FnMut(&Observation) -> A + Send + 'static> Bot<A> for F {}

pub(crate) type BoxedBot = Box<dyn FnMut(&Observation) -> Answer + Send>;

pub(crate) fn boxed<A: Into<Answer> + 'static>(mut bot: impl Bot<A>) -> BoxedBot {
    Box::new(move |observation| bot(observation).into())
}

impl Conversation {
    /// Asks the bot for its decision, if nothing else is under way. Only the last observation can have one that is open: a
    /// slow bot is not asked what was decided without it. After a restart of the referee a decision is told again, perhaps
    /// while its answer is on the way.
    pub fn consult(&mut self) {
        if self.question.is_some() || self.asking.is_some() {
            return;
        }
        let mut queue = mem::take(&mut self.queue);
        for observation in &mut queue {
            self.events.append(&mut observation.events);
        }
        let Some(mut last) = queue.pop() else {
            return;
        };
        if let Some(decision) = last.decision.as_mut().filter(|decision| decision.decision_id != self.closed) {
            decision.legal.retain(|action| action.kind.is_some()); // kinds of a later version cannot be said
            last.events = mem::take(&mut self.events);
            self.tries = 0;
            self.call_bot(last);
        }
    }

    /// Lets the bot think on a thread of its own. Its panic does not end the play of other seats.
    fn call_bot(&mut self, observation: Observation) {
        let Some(mut bot) = self.bot.take() else {
            return; // it thinks already
        };
        let inbox = self.to_inbox.clone();
        self.asking = Some(observation.clone());
        spawn_blocking(move || {
            let decided = catch_unwind(AssertUnwindSafe(|| bot(&observation)));
            let _ = inbox.send(Step::Decided(bot, decided.map_err(|panic| words_of(&*panic)))); // it may be over
        });
    }

    pub fn decided(&mut self, bot: BoxedBot, decided: Result<Answer, String>) {
        self.bot = Some(bot);
        let Some(decision) = self.asking.as_ref().and_then(|observation| observation.decision.as_ref()) else {
            return;
        };
        match decided {
            Err(words) => self.fail(Error::Bot(format!("it panicked: {words}"))),
            Ok(Answer::Act(Action { kind: None })) => self.fail(Error::Bot("it returned none".into())),
            Ok(Answer::Resign) => {
                self.ask(request_item::Kind::Resign(Resign {}));
                self.say();
            }
            Ok(Answer::Act(action)) => {
                self.tries += 1;
                self.ask(request_item::Kind::Action(SubmittedAction {
                    decision_id: decision.decision_id,
                    action_id: self.tries.to_string(),
                    action: Some(action),
                }));
                self.say();
            }
        }
    }

    pub fn judged(&mut self, result: ActionResult, record: &RawRecord) {
        let asked = match self.question.as_ref().map(|question| &question.kind) {
            Some(request_item::Kind::Action(action)) => (action.decision_id, action.action_id.as_str()),
            _ => return,
        };
        if asked != (result.decision_id, result.action_id.as_str()) || !self.keep(record) {
            return;
        }
        self.answered();
        if let Some(action_result::Verdict::Rejected(rejected)) = result.verdict {
            return self.rejected(&rejected);
        }
        // Accepted, or stale: it goes on with the next decision.
        self.closed = result.decision_id;
        self.asking = None;
        self.consult();
    }

    fn rejected(&mut self, rejected: &Rejected) {
        let reason = match RejectionReason::try_from(rejected.reason) {
            Ok(known) => known.as_str_name().to_owned(),
            Err(unknown) => unknown.0.to_string(),
        };
        let refusal = format!("{reason} ({}): {}", rejected.clause, rejected.message);
        if rejected.tries_left == 0 {
            return self.fail(Error::Bot(format!("no tries are left: {refusal}")));
        }
        log::warn!("the referee refuses an action: {refusal}");
        if let Some(mut observation) = self.asking.take() {
            if let Some(decision) = observation.decision.as_mut() {
                decision.tries_left = rejected.tries_left;
            }
            self.call_bot(observation);
        }
    }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(ToString::to_string);
    words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no one knows why".into())
}
