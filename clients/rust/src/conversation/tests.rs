use std::{fs, sync::Mutex};

use tokio::time::timeout;
use tonic::Code;

use super::*;
use crate::{
    backoff::FIRST_BOUND,
    decisions::{Bot, boxed},
    testing::{TempDir, decision, draw, sealed, told},
    v1::{
        Accepted, Action, ActionResult, Event, Problem, ReadyAccepted, Rejected, Resign, ResponseItem, Seat, Stale,
        action_result::Verdict, request_item::Kind as Said, response_item::Kind as Told,
    },
};

const GUARD: Duration = Duration::from_secs(30);

type Seen = Arc<Mutex<Vec<Observation>>>;

/// A conversation over a line that leads nowhere, with a bot that keeps what it sees.
pub(crate) struct Scene {
    pub conversation: Conversation,
    line: Arc<Line>,
    seen: Seen,
    folder: TempDir,
}

impl Scene {
    fn new(bot: impl Bot<Answer>, seen: Seen) -> Self {
        let folder = TempDir::new();
        let journal = Journal::create(&folder.path.join("journal")).unwrap();
        let join = Join { match_id: vec![0; 16], seat: Seat::A.into(), ..Join::default() };
        let conversation = Conversation::new(join, boxed(bot), b"secret"[..].into(), Some(journal));
        Self { conversation, line: Arc::new(Line::new()), seen, folder }
    }

    /// A seat that was joined, at a match with this mode of deal; `ready` is not answered.
    fn joined(mode: DealMode, lifecycle: Lifecycle, act: Action) -> Self {
        let seen = Seen::default();
        let seen_by_bot = Arc::clone(&seen);
        let bot = move |observation: &Observation| {
            seen_by_bot.lock().unwrap().push(observation.clone());
            act.clone().into()
        };
        Self::with_bot(mode, lifecycle, bot, seen)
    }

    fn with_bot(mode: DealMode, lifecycle: Lifecycle, bot: impl Bot<Answer>, seen: Seen) -> Self {
        let mut scene = Self::new(bot, seen);
        scene.attach();
        let join = scene.expect_join();
        assert_eq!((join.after_sequence, join.head), (None, vec![]));
        scene.joined_with(header(mode), lifecycle);
        scene
    }

    /// A seat that takes part in a given deal.
    pub fn ready() -> Self {
        Self::joined(DealMode::Given, Lifecycle::Created, draw()).readied()
    }

    pub fn readied(mut self) -> Self {
        self.expect_ready();
        self.hears(Told::ReadyAccepted(ReadyAccepted::default()));
        self
    }

    /// A seat whose answer to decision 1 is on the way.
    async fn asked() -> Self {
        let mut scene = Self::ready();
        scene.observes(decision(1, 1));
        scene.step().await;
        scene.expect_action(1, "1");
        scene
    }

    fn attach(&mut self) {
        self.conversation.happen(Step::Attach(Arc::clone(&self.line)));
    }

    /// Loses the connection and takes the seat over a new one.
    fn reconnects(&mut self) -> Join {
        self.conversation.happen(Step::Detach);
        self.line = Arc::new(Line::new());
        self.attach();
        self.expect_join()
    }

    pub fn hears_bytes(&mut self, bytes: Vec<u8>) {
        self.conversation.happen(Step::Hear(Box::new(Heard::read(bytes.into()).unwrap())));
    }

    fn hears(&mut self, kind: Told) {
        let item = ResponseItem { handle: self.conversation.handle, kind: Some(kind) };
        self.hears_bytes(item.encode_to_vec());
    }

    fn joined_with(&mut self, header: Vec<u8>, lifecycle: Lifecycle) {
        let joined = Joined { seat: Seat::A.into(), header, lifecycle: lifecycle.into(), ..Joined::default() };
        self.hears(Told::Joined(joined));
    }

    fn joined_again(&mut self) {
        self.joined_with(header(DealMode::Given), Lifecycle::Playing);
    }

    pub fn observes(&mut self, observation: Observation) {
        self.hears(Told::Observation(observation));
    }

    fn judges(&mut self, decision_id: u32, action_id: &str, verdict: impl Into<Option<Verdict>>) {
        self.hears(Told::ActionResult(ActionResult {
            action_id: action_id.into(),
            decision_id,
            verdict: verdict.into(),
        }));
    }

    fn meets(&mut self, code: Code, reason: &str, retry_after_ms: u32) {
        let problem = Problem { code: code as u32, reason: reason.into(), retry_after_ms, ..Problem::default() };
        self.hears(Told::Problem(problem));
    }

    fn is_let_go(&mut self, reason: i32) {
        self.hears(Told::Detached(Detached { reason, join_number: 1 }));
    }

    /// Lets the bot decide, or what is waited for happen.
    pub async fn step(&mut self) {
        timeout(GUARD, self.conversation.step()).await.expect("something happens");
    }

    /// What was said since it was asked last.
    fn said(&self) -> Vec<Said> {
        let requests = std::iter::from_fn(|| self.line.next_request());
        requests.flat_map(|request| request.items).filter_map(|item| item.kind).collect()
    }

    pub fn expect_nothing(&self) {
        assert_eq!(self.said(), []);
    }

    fn expect_join(&self) -> Join {
        match &self.said()[..] {
            [Said::Join(join)] => join.clone(),
            said => panic!("{said:?}"),
        }
    }

    fn expect_ready(&self) -> Ready {
        match &self.said()[..] {
            [Said::Ready(ready)] => ready.clone(),
            said => panic!("{said:?}"),
        }
    }

    pub fn expect_action(&self, decision_id: u32, action_id: &str) {
        match &self.said()[..] {
            [Said::Action(said)] => {
                assert_eq!((said.decision_id, said.action_id.as_str()), (decision_id, action_id));
                assert_eq!(said.action, Some(draw()));
            }
            said => panic!("{said:?}"),
        }
    }

    fn expect_leave(&self) {
        assert_eq!(self.said(), [Said::Leave(Leave {})]);
    }

    fn error(&self) -> &Error {
        match &self.conversation.over {
            Some(Err(error)) => error,
            over => panic!("{over:?}"),
        }
    }

    pub fn seen(&self) -> Vec<Observation> {
        self.seen.lock().unwrap().clone()
    }

    /// The records of the journal.
    pub fn kept(&self) -> Vec<Vec<u8>> {
        let data = fs::read(self.folder.path.join("journal")).unwrap();
        let mut rest = data.strip_prefix(b"UNODUOJ\x02").unwrap();
        let mut records = vec![];
        while let Some((length, behind)) = rest.split_first_chunk() {
            let (record, behind) = behind.split_at(u32::from_be_bytes(*length) as usize);
            records.push(record.to_vec());
            rest = behind;
        }
        records
    }

    fn kinds_kept(&self) -> Vec<&'static str> {
        let kind = |record: Vec<u8>| match JournalRecord::decode(&record[..]).unwrap().kind.unwrap() {
            journal_record::Kind::Joined(_) => "joined",
            journal_record::Kind::Observation(_) => "observation",
            journal_record::Kind::Action(_) => "action",
            journal_record::Kind::ActionResult(_) => "action_result",
            journal_record::Kind::Ended(_) => "ended",
            journal_record::Kind::Ready(_) => "ready",
            journal_record::Kind::ReadyAccepted(_) => "ready_accepted",
            journal_record::Kind::Resign(_) => "resign",
        };
        self.kept().into_iter().map(kind).collect()
    }
}

fn header(mode: DealMode) -> Vec<u8> {
    Header { match_number: 7, deal_mode: mode.into(), ..Header::default() }.encode_to_vec()
}

fn accepted() -> Verdict {
    Verdict::Accepted(Accepted::default())
}

fn stale() -> Verdict {
    Verdict::Stale(Stale::default())
}

fn rejected(tries_left: u32) -> Verdict {
    Verdict::Rejected(Rejected { clause: "R5.2".into(), tries_left, ..Rejected::default() })
}

fn tries_of(observation: &Observation) -> u32 {
    observation.decision.as_ref().unwrap().tries_left
}

#[tokio::test]
async fn ready_gives_entropy_of_secret_and_header_to_a_fresh_deal_only() {
    for (mode, due) in [(DealMode::Fresh, true), (DealMode::Shared, false), (DealMode::Given, false)] {
        let scene = Scene::joined(mode, Lifecycle::Created, draw());
        let (ready, h0) = (scene.expect_ready(), header_head(&header(mode)));
        let share = if due { entropy(b"secret", &h0).to_vec() } else { vec![] };
        assert_eq!((ready.h0, ready.entropy), (h0.to_vec(), share), "{mode:?}");
        assert_eq!(scene.kinds_kept(), ["joined", "ready"]);
    }
}

#[tokio::test]
async fn decisions_are_answered_one_after_the_other() {
    let mut scene = Scene::asked().await;
    scene.observes(decision(9, 9));
    scene.expect_nothing();
    scene.judges(1, "1", accepted());
    scene.step().await;
    scene.expect_action(9, "1");
}

#[tokio::test]
async fn bot_is_told_the_events_of_all_observations_once() {
    let mut scene = Scene::ready();
    scene.observes(Observation { caught_up: false, view: None, ..told(1, 3) });
    scene.observes(told(2, 4));
    scene.observes(decision(5, 5));
    scene.step().await;
    let told: Vec<u32> = scene.seen()[0].events.iter().map(|event| event.sequence).collect();
    assert_eq!(told, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn slow_bot_is_not_asked_what_was_decided_without_it() {
    let mut scene = Scene::asked().await;
    scene.observes(decision(2, 2));
    scene.observes(decision(3, 3));
    scene.judges(1, "1", stale());
    scene.step().await;
    scene.expect_action(3, "1");
    assert_eq!(scene.seen().len(), 2);
    assert_eq!(scene.seen()[1].events.len(), 2);
}

#[tokio::test]
async fn rejected_action_is_asked_for_again_under_another_id() {
    let mut scene = Scene::asked().await;
    scene.judges(1, "1", rejected(1));
    scene.step().await;
    scene.expect_action(1, "2");
    assert_eq!(scene.seen().iter().map(tries_of).collect::<Vec<_>>(), [10, 1]);
    scene.judges(1, "2", rejected(0));
    assert!(matches!(scene.error(), Error::Bot(_)));
    scene.expect_leave();
}

#[tokio::test]
async fn bot_gives_up_the_match_and_the_journal_has_it_once() {
    let bot = |_: &Observation| Answer::Resign;
    let mut scene = Scene::with_bot(DealMode::Given, Lifecycle::Created, bot, Seen::default()).readied();
    scene.observes(decision(1, 1));
    scene.step().await;
    assert_eq!(scene.said(), [Said::Resign(Resign {})]);
    scene.reconnects();
    scene.joined_again();
    assert_eq!(scene.said(), [Said::Resign(Resign {})]);
    scene.hears(Told::Ended(Ended::default()));
    assert!(matches!(scene.conversation.over, Some(Ok(_))));
    assert_eq!(scene.kinds_kept(), ["joined", "ready", "ready_accepted", "observation", "resign", "ended"]);
}

#[tokio::test]
async fn stale_action_and_verdict_of_a_later_version_are_passed_over() {
    for verdict in [Some(stale()), None] {
        let mut scene = Scene::asked().await;
        scene.judges(1, "1", verdict);
        scene.observes(decision(4, 4));
        scene.step().await;
        scene.expect_action(4, "1");
    }
}

#[tokio::test]
async fn result_of_another_action_is_no_answer() {
    let mut scene = Scene::asked().await;
    scene.judges(1, "2", accepted());
    scene.judges(2, "1", accepted());
    assert!(scene.conversation.question.is_some());
}

#[tokio::test]
async fn seat_is_resumed_behind_the_last_event_and_its_action_sent_again() {
    let mut scene = Scene::asked().await;
    let join = scene.reconnects();
    assert_eq!((join.after_sequence, join.head), (Some(1), vec![1]));
    scene.joined_again();
    scene.expect_action(1, "1");
    scene.judges(1, "1", accepted());
    assert_eq!(scene.kinds_kept(), ["joined", "ready", "ready_accepted", "observation", "action", "action_result"]);
}

#[tokio::test]
async fn decision_told_again_while_its_answer_is_on_the_way_is_not_asked_again() {
    let mut scene = Scene::asked().await;
    scene.observes(decision(2, 1));
    scene.judges(1, "1", accepted());
    scene.observes(decision(3, 3));
    scene.step().await;
    scene.expect_action(3, "1");
    assert_eq!(scene.seen().len(), 2);
    assert_eq!(scene.seen()[1].events.len(), 2);
}

#[tokio::test]
async fn bot_that_thinks_through_a_cut_is_heard_after_it() {
    let mut scene = Scene::ready();
    scene.observes(decision(1, 1));
    scene.reconnects();
    scene.step().await;
    scene.expect_nothing();
    scene.joined_again();
    scene.expect_action(1, "1");
}

#[tokio::test]
async fn what_the_referee_cannot_take_now_is_said_again_when_it_says() {
    let mut scene = Scene::asked().await;
    for (code, reason) in [(Code::Unavailable, "MATCH_FROZEN"), (Code::ResourceExhausted, "INBOX_FULL")] {
        scene.meets(code, reason, 1);
        scene.expect_nothing();
        scene.step().await;
        scene.expect_action(1, "1");
    }
}

#[tokio::test]
async fn what_a_referee_that_goes_down_turns_away_is_said_again_in_the_next_session() {
    let mut scene = Scene::asked().await;
    scene.meets(Code::Unavailable, "DRAINING", 0);
    scene.expect_nothing();
    scene.reconnects();
    scene.meets(Code::Unavailable, "DRAINING", 0);
    scene.reconnects();
    scene.joined_again();
    scene.expect_action(1, "1");
}

#[tokio::test]
async fn news_cut_a_wait_short() {
    let mut scene = Scene::asked().await;
    scene.meets(Code::Unavailable, "MATCH_FROZEN", 3_600_000);
    scene.expect_nothing();
    scene.observes(told(2, 2));
    scene.expect_action(1, "1");
}

#[tokio::test]
async fn wait_ends_with_its_question_or_its_connection() {
    let mut scene = Scene::asked().await;
    scene.meets(Code::Unavailable, "MATCH_FROZEN", 3_600_000);
    scene.judges(1, "1", accepted());
    assert!(scene.conversation.wait.is_none());
    let mut scene = Scene::asked().await;
    scene.meets(Code::Unavailable, "MATCH_FROZEN", 3_600_000);
    scene.reconnects();
    assert!(scene.conversation.wait.is_none());
}

#[tokio::test]
async fn problem_that_does_not_say_when_to_try_again_is_not_waited_for() {
    let mut scene = Scene::asked().await;
    scene.meets(Code::Unavailable, "MATCH_FROZEN", 0);
    assert!(matches!(scene.error(), Error::Referee(_)));
}

#[tokio::test]
async fn seat_of_a_frozen_match_is_taken_again() {
    let mut scene = Scene::asked().await;
    let before = scene.conversation.handle;
    scene.is_let_go(DetachReason::MatchFrozen.into());
    let late = Problem { code: 9, reason: "HANDLE_ENDED".into(), ..Problem::default() }; // the action was on its way
    scene.hears_bytes(ResponseItem { handle: before, kind: Some(Told::Problem(late)) }.encode_to_vec());
    scene.expect_nothing();
    scene.step().await;
    scene.expect_join();
    scene.meets(Code::Unavailable, "MATCH_FROZEN", 1);
    scene.step().await;
    scene.expect_join();
    assert_eq!(scene.conversation.handle, before + 2);
    scene.joined_again();
    scene.expect_action(1, "1");
}

#[tokio::test]
async fn news_begin_the_backoff_anew() {
    let mut scene = Scene::asked().await;
    scene.is_let_go(DetachReason::MatchFrozen.into());
    scene.step().await;
    scene.joined_again();
    assert_ne!(scene.conversation.backoff.bound, FIRST_BOUND);
    scene.observes(decision(2, 1));
    assert_eq!(scene.conversation.backoff.bound, FIRST_BOUND);
}

#[tokio::test]
async fn items_of_another_handle_are_nobodys() {
    let mut scene = Scene::asked().await;
    let ended = ResponseItem { handle: 99, kind: Some(Told::Ended(Ended::default())) };
    scene.hears_bytes(ended.encode_to_vec());
    assert!(scene.conversation.over.is_none());
}

#[tokio::test]
async fn seat_taken_or_revoked_stays_away() {
    for due in [DetachReason::Replaced.into(), DetachReason::TokenRevoked.into(), 99] {
        let mut scene = Scene::asked().await;
        scene.is_let_go(due);
        assert!(matches!(scene.error(), Error::Detached(reason) if *reason == due));
        scene.expect_nothing();
    }
}

#[tokio::test]
async fn forked_log_is_refused() {
    let mut scene = Scene::asked().await;
    scene.reconnects();
    scene.meets(Code::DataLoss, "FORKED", 0);
    assert!(matches!(scene.error(), Error::Forked(details) if details.contains("event 1; the proof is in /")));
    scene.expect_nothing();
}

#[tokio::test]
async fn another_header_is_a_fork() {
    let mut scene = Scene::asked().await;
    scene.reconnects();
    scene.joined_with(header(DealMode::Shared), Lifecycle::Playing);
    assert!(matches!(scene.error(), Error::Forked(_)));
    scene.expect_leave();
}

#[tokio::test]
async fn deal_without_its_entropy_is_refused() {
    let mut scene = Scene::joined(DealMode::Fresh, Lifecycle::Created, draw());
    scene.expect_ready();
    scene.observes(sealed(&[], &[]));
    assert!(matches!(scene.error(), Error::EntropyMissing(_)));
    scene.expect_leave();
}

#[tokio::test]
async fn deal_with_its_entropy_is_played() {
    let mut scene = Scene::joined(DealMode::Fresh, Lifecycle::Created, draw());
    let share = scene.expect_ready().entropy;
    scene.hears(Told::ReadyAccepted(ReadyAccepted::default()));
    scene.observes(sealed(&share, &[]));
    scene.observes(decision(2, 2));
    scene.step().await;
    scene.expect_action(2, "1");
}

#[tokio::test]
async fn deal_of_a_match_that_had_begun_is_passed_over() {
    let mut scene = Scene::joined(DealMode::Fresh, Lifecycle::Playing, draw());
    scene.observes(decision(5, 5));
    assert!(scene.conversation.asking.is_none(), "the bot is asked before its seat is ready");
    let mut scene = scene.readied();
    scene.step().await;
    scene.expect_action(5, "1");
}

#[tokio::test]
async fn problem_ends_the_play_of_the_seat() {
    let mut scene = Scene::asked().await;
    let (reason, field, message) = ("FIELD_INVALID".into(), "action.action".into(), "bad".into());
    scene.hears(Told::Problem(Problem { code: 3, reason, field, message, retry_after_ms: 0 }));
    assert_eq!(scene.error().to_string(), "bad (FIELD_INVALID in action.action)");
    scene.expect_leave();
}

#[tokio::test]
async fn match_that_ends_under_an_action_has_a_result() {
    let mut scene = Scene::asked().await;
    scene.meets(Code::FailedPrecondition, "MATCH_ENDED", 0);
    scene.hears(Told::Ended(Ended { sequence: 5, ..Ended::default() }));
    assert_eq!(scene.kinds_kept().last(), Some(&"ended"));
    scene.expect_nothing();
    let result = scene.conversation.run().await.unwrap();
    assert_eq!((result.number, result.seat, result.ended.sequence), (7, Seat::A, 5));
}

#[tokio::test]
async fn seat_of_a_match_that_has_ended_asks_nothing() {
    let mut scene = Scene::joined(DealMode::Given, Lifecycle::Ended, draw());
    scene.expect_nothing();
    scene.hears(Told::Ended(Ended::default()));
    assert!(matches!(scene.conversation.over, Some(Ok(_))));
}

#[tokio::test]
async fn bot_without_an_action_ends_the_play_of_its_seat() {
    let mut scene = Scene::joined(DealMode::Given, Lifecycle::Created, Action::default()).readied();
    scene.observes(decision(1, 1));
    scene.step().await;
    assert!(matches!(scene.error(), Error::Bot(_)));
    scene.expect_leave();
}

#[tokio::test]
async fn panic_of_a_bot_ends_the_play_of_its_seat_alone() {
    let bot = |_: &Observation| -> Answer { panic!("out of cards") };
    let mut scene = Scene::with_bot(DealMode::Given, Lifecycle::Created, bot, Seen::default()).readied();
    scene.observes(decision(1, 1));
    scene.step().await;
    assert_eq!(scene.error().to_string(), "the bot gave no legal action: it panicked: out of cards");
    scene.expect_leave();
}

#[tokio::test]
async fn seat_without_a_journal_that_can_be_written_stops() {
    let mut scene = Scene::ready();
    scene.conversation.journal.as_mut().unwrap().break_down();
    scene.observes(decision(1, 1));
    assert!(matches!(scene.error(), Error::Journal(_)));
    scene.expect_leave();
}

#[tokio::test]
async fn journal_keeps_no_event_twice() {
    let mut scene = Scene::ready();
    scene.observes(told(1, 3));
    scene.observes(told(2, 4));
    let record = JournalRecord::decode(&scene.kept().pop().unwrap()[..]).unwrap();
    let Some(journal_record::Kind::Observation(observation)) = record.kind else { panic!("{record:?}") };
    let events = [ObservedEvent { sequence: 4, event: Some(Event::default()), private_cards: vec![] }];
    assert_eq!(observation.events, events);
}

#[tokio::test]
async fn seat_is_left_when_nobody_waits_for_it_any_more() {
    let scene = Scene::asked().await;
    let line = Arc::clone(&scene.line);
    drop(scene);
    let request = line.next_request().unwrap();
    assert_eq!(request.items[0].kind, Some(Said::Leave(Leave {})));
}
