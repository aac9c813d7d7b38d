use std::{sync::Arc, time::Duration};

use prost::Message;
use tokio::{
    select,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Instant, sleep_until},
};

use crate::{
    backoff::{Backoff, chance},
    connection::Line,
    cursor::Cursor,
    deal::{DealGuard, entropy, header_head},
    decisions::{Answer, BoxedBot},
    error::{Error, RefereeError},
    heard::{Heard, RawRecord},
    journal::Journal,
    result::MatchResult,
    v1::{
        DealMode, DetachReason, Detached, Ended, Header, Join, Joined, JournalRecord, Leave, Lifecycle, Observation,
        ObservedEvent, Ready, journal_record, request_item, response_item,
    },
};

#[cfg(test)]
pub(crate) mod tests;

/// What happens to a conversation.
pub(crate) enum Step {
    /// There is a connection.
    Attach(Arc<Line>),
    /// There is none for now.
    Detach,
    /// There will be none any more.
    Fail(Error),
    /// Something came under a handle.
    Hear(Box<Heard>),
    /// The bot has decided, or panicked.
    Decided(BoxedBot, Result<Answer, String>),
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Then {
    /// To say again what was not answered.
    Again,
    /// To take the seat again.
    Rejoin,
}

/// What is said to the referee and waits for its answer: `ready`, an action, or that the seat gives up.
pub(crate) struct Question {
    pub kind: request_item::Kind,
    is_kept: bool,
}

/// All that is said and heard about one seat, over as many connections as that takes. On each connection the seat is
/// taken behind the last event that was told, and what was not answered is asked again.
///
/// One question is open at a time, because a problem names only the handle and not the item that it is about.
pub(crate) struct Conversation {
    join: Join,
    pub bot: Option<BoxedBot>, // none while it thinks
    secret: Arc<[u8]>,
    journal: Option<Journal>,
    inbox: UnboundedReceiver<Step>,
    pub to_inbox: UnboundedSender<Step>,

    // The connection.
    line: Option<Arc<Line>>,
    handle: u32,
    joined: bool, // under this handle
    wait: Option<(Instant, Then)>,
    backoff: Backoff,

    // What the referee told.
    header: Option<Vec<u8>>, // of the first join that was answered
    number: u32,
    cursor: Cursor,
    guard: Option<DealGuard>,
    pub queue: Vec<Observation>,     // that the bot has not dealt with
    pub events: Vec<ObservedEvent>,  // of observations without a decision
    pub asking: Option<Observation>, // that the bot is thinking about or whose answer is under way
    pub closed: u32,                 // the last decision that was answered

    // What is said to the referee.
    pub question: Option<Question>,
    pub tries: u32, // actions for this decision, which are their ids

    over: Option<Result<Ended, Error>>,
}

impl Conversation {
    pub fn new(join: Join, bot: BoxedBot, secret: Arc<[u8]>, journal: Option<Journal>) -> Self {
        let (to_inbox, inbox) = unbounded_channel();
        Self {
            join,
            bot: Some(bot),
            secret,
            journal,
            inbox,
            to_inbox,
            line: None,
            handle: 0,
            joined: false,
            wait: None,
            backoff: Backoff::new(),
            header: None,
            number: 0,
            cursor: Cursor::default(),
            guard: None,
            queue: vec![],
            events: vec![],
            asking: None,
            closed: 0,
            question: None,
            tries: 0,
            over: None,
        }
    }

    /// Converses until the match has ended or the seat cannot be played on.
    pub async fn run(mut self) -> Result<MatchResult, Error> {
        loop {
            if let Some(over) = self.over.take() {
                return over.map(|ended| MatchResult { number: self.number, seat: self.join.seat(), ended });
            }
            self.step().await;
        }
    }

    /// Lets the next thing happen, or what is waited for.
    async fn step(&mut self) {
        let due = self.wait.map(|(due, _)| due);
        let never = Instant::now();
        select! {
            Some(step) = self.inbox.recv() => self.happen(step),
            () = sleep_until(due.unwrap_or(never)), if due.is_some() => match self.wait.take() {
                Some((_, Then::Again)) => self.say(),
                Some((_, Then::Rejoin)) => self.rejoin(),
                None => {}
            },
        }
    }

    fn happen(&mut self, step: Step) {
        match step {
            Step::Attach(line) => self.attach(line),
            Step::Detach => self.detach(),
            Step::Fail(error) => self.fail(error),
            Step::Hear(heard) => self.hear(*heard),
            Step::Decided(bot, decided) => self.decided(bot, decided),
        }
    }

    /// Takes the seat over a connection.
    fn attach(&mut self, line: Arc<Line>) {
        self.joined = false;
        self.handle = line.open(self.to_inbox.clone());
        let mut join = self.join.clone();
        self.cursor.resume(&mut join);
        let put = line.put(self.handle, request_item::Kind::Join(join));
        self.line = Some(line);
        if let Err(error) = put {
            self.fail(error);
        }
    }

    /// Learns that the connection is lost.
    fn detach(&mut self) {
        self.line = None;
        self.joined = false;
        self.wait = None;
    }

    /// Takes an item that came under a handle; a kind that it does not know is skipped.
    fn hear(&mut self, Heard { item, record }: Heard) {
        if self.over.is_some() || self.line.is_none() || item.handle != self.handle {
            return;
        }
        match item.kind {
            Some(response_item::Kind::Joined(joined)) => self.admit(joined, &record),
            Some(response_item::Kind::ReadyAccepted(_)) => self.readied(&record),
            Some(response_item::Kind::Observation(observation)) => self.observe(observation, &record),
            Some(response_item::Kind::ActionResult(result)) => self.judged(result, &record),
            Some(response_item::Kind::Problem(problem)) => self.refuse(problem.into()),
            Some(response_item::Kind::Detached(detached)) => self.let_go(detached),
            Some(response_item::Kind::Ended(ended)) => self.end(ended, &record),
            Some(response_item::Kind::SessionInfo(_) | response_item::Kind::Assigned(_)) | None => {}
        }
    }

    fn admit(&mut self, joined: Joined, record: &RawRecord) {
        let lifecycle = joined.lifecycle();
        self.joined = true;
        match &self.header {
            None => self.begin(joined, record),
            Some(header) if *header != joined.header => self.fork(),
            Some(_) => {}
        }
        // Of a match that has ended nothing is left to be asked: Ended comes.
        if lifecycle != Lifecycle::Ended {
            self.say();
        }
    }

    /// Records the header, before anything is sent about it, and makes the seat ready.
    fn begin(&mut self, joined: Joined, record: &RawRecord) {
        let header = match Header::decode(&joined.header[..]) {
            Ok(header) => header,
            Err(error) => return self.fail(Error::Setup(format!("the header of the match cannot be read: {error}"))),
        };
        if !self.keep(record) {
            return;
        }
        let h0 = header_head(&joined.header);
        let mut ready = Ready { h0: h0.into(), entropy: vec![] };
        self.number = header.match_number;
        self.cursor.from_start = joined.lifecycle() == Lifecycle::Created;
        if header.deal_mode() == DealMode::Fresh {
            let sent = entropy(&self.secret, &h0);
            ready.entropy = sent.into();
            self.guard = self.cursor.from_start.then(|| DealGuard { seat: self.join.seat(), sent });
        }
        self.header = Some(joined.header);
        self.ask(request_item::Kind::Ready(ready));
    }

    fn readied(&mut self, record: &RawRecord) {
        let asked = self.question.as_ref().map(|question| &question.kind);
        if matches!(asked, Some(request_item::Kind::Ready(_))) && self.keep(record) {
            self.answered();
            self.consult();
        }
    }

    fn observe(&mut self, mut observation: Observation, record: &RawRecord) {
        let told = observation.events.len();
        if !self.cursor.take(&mut observation) {
            return;
        }
        let is_kept = if observation.events.len() == told {
            self.keep(record)
        } else {
            self.keep(&JournalRecord { kind: Some(journal_record::Kind::Observation(observation.clone())) })
        };
        if !is_kept {
            return;
        }
        self.progress();
        self.backoff.reset();
        match self.guard.as_ref().map(|guard| guard.check(&observation)) {
            Some(Err(error)) => return self.fail(error),
            Some(Ok(true)) => self.guard = None,
            Some(Ok(false)) | None => {}
        }
        self.queue.push(observation);
        if self.joined && self.wait.take().is_some() {
            // The match goes on; the decision of an action that waits may be closed by now.
            self.say();
        }
        self.consult();
    }

    /// Takes a problem: with the join, as long as that is not answered, else with the open question.
    fn refuse(&mut self, problem: RefereeError) {
        let delay = problem.retry_after.mul_f64(1.0 + chance() / 4.0); // not all clients at once
        if problem.reason == "DRAINING" || problem.reason == "MATCH_ENDED" && self.joined {
            // The session ends, and what was said is said again in the next one; or the match does, and Ended comes.
        } else if problem.may_pass && !self.joined {
            self.wait_for(delay, Then::Rejoin);
        } else if problem.may_pass && self.question.is_some() {
            self.wait_for(delay, Then::Again);
        } else if problem.reason == "FORKED" {
            self.fork();
        } else {
            self.fail(problem.into());
        }
    }

    fn let_go(&mut self, detached: Detached) {
        self.drop_handle();
        if detached.reason() == DetachReason::MatchFrozen {
            let delay = self.backoff.next();
            self.wait_for(delay, Then::Rejoin);
        } else {
            self.fail(Error::Detached(detached.reason));
        }
    }

    fn end(&mut self, ended: Ended, record: &RawRecord) {
        if self.keep(record) {
            self.progress();
            self.over = Some(Ok(ended));
            self.drop_handle();
        }
    }

    fn fork(&mut self) {
        let proof = self.journal.as_ref().map(|journal| format!("the proof is in {}", journal.path.display()));
        let proof = proof.unwrap_or_else(|| "no journal was kept".into());
        self.fail(Error::Forked(format!("up to event {}; {proof}", self.cursor.sequence)));
    }

    /// Has something to be said and answered.
    pub fn ask(&mut self, kind: request_item::Kind) {
        self.question = Some(Question { kind, is_kept: false });
    }

    /// Says what waits for an answer, if the seat is held; the first time it is kept before.
    pub fn say(&mut self) {
        let Some(question) = self.question.as_mut().filter(|_| self.over.is_none() && self.joined) else {
            return;
        };
        let kind = question.kind.clone();
        if !std::mem::replace(&mut question.is_kept, true) {
            let record = match kind.clone() {
                request_item::Kind::Ready(ready) => Some(journal_record::Kind::Ready(ready)),
                request_item::Kind::Action(action) => Some(journal_record::Kind::Action(action)),
                request_item::Kind::Resign(resign) => Some(journal_record::Kind::Resign(resign)),
                _ => None,
            };
            if !self.keep(&JournalRecord { kind: record }) {
                return;
            }
        }
        self.put(kind);
    }

    fn put(&mut self, kind: request_item::Kind) {
        let put = self.line.as_ref().map(|line| line.put(self.handle, kind));
        if let Some(Err(error)) = put {
            self.fail(error);
        }
    }

    pub fn answered(&mut self) {
        self.question = None;
        self.wait = None;
    }

    fn rejoin(&mut self) {
        self.drop_handle();
        if let Some(line) = self.line.clone() {
            self.attach(line);
        }
    }

    fn drop_handle(&mut self) {
        if let Some(line) = &self.line {
            line.drop_handle(self.handle);
        }
        self.joined = false;
        self.handle = 0;
    }

    /// Lets something happen after a time, unless the connection is lost before.
    fn wait_for(&mut self, delay: Duration, then: Then) {
        self.wait = Some((Instant::now() + delay, then));
    }

    fn progress(&self) {
        if let Some(line) = &self.line {
            line.progress();
        }
    }

    /// Writes into the journal, and returns whether the conversation goes on.
    pub fn keep(&mut self, record: &impl Message) -> bool {
        let Some(Err(error)) = self.journal.as_mut().map(|journal| journal.keep(record)) else {
            return true;
        };
        self.fail(Error::Journal(error.to_string()));
        false
    }

    /// Ends the conversation while its match goes on; a seat that is held is left.
    pub fn fail(&mut self, error: Error) {
        if self.over.is_none() {
            self.over = Some(Err(error));
            self.leave();
        }
    }

    fn leave(&mut self) {
        if let Some(line) = self.line.as_ref().filter(|_| self.joined) {
            let _ = line.put(self.handle, request_item::Kind::Leave(Leave {}));
        }
        self.drop_handle();
    }
}

/// A conversation that nobody waits for any more leaves its seat.
impl Drop for Conversation {
    fn drop(&mut self) {
        self.leave();
    }
}
