package unoduo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	pb "unoduo/clients/go/bot/unoduov1"
)

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

// fakeLine is a connection that keeps what is sent over it.
type fakeLine struct {
	handle, dropped uint32
	sent            []*pb.RequestItem
}

func (l *fakeLine) open(route) uint32              { l.handle++; return l.handle }
func (l *fakeLine) drop(handle uint32)             { l.dropped = handle }
func (l *fakeLine) put(item *pb.RequestItem) error { l.sent = append(l.sent, item); return nil }
func (l *fakeLine) progress()                      {}

// scene is a conversation over a fake line with a bot that answers what it is told to.
type scene struct {
	*conversation
	t    *testing.T
	line *fakeLine
	seen []*pb.Observation // by the bot
	act  *pb.Action
	fail error
	path string // of the journal
}

// joinedScene returns a seat A that was joined, at a match with this mode of deal.
func joinedScene(t *testing.T, mode pb.DealMode, lifecycle pb.Lifecycle) *scene {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal")
	kept, err := createJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(kept.close)
	s := &scene{t: t, line: &fakeLine{}, path: path, act: &pb.Action{Kind: &pb.Action_Draw{Draw: &pb.Draw{}}}}
	bot := func(observation *pb.Observation) (*pb.Action, error) {
		s.seen = append(s.seen, observation)
		return s.act, s.fail
	}
	join := &pb.Join{MatchId: make([]byte, 16), Seat: pb.Seat_SEAT_A}
	s.conversation = newConversation(join, bot, []byte("secret"), kept, silent)
	s.attach(s.line)
	s.expectJoin()
	s.joinedWith(headerBytes(t, mode), lifecycle)
	return s
}

// readyScene returns a seat that takes part in a given deal.
func readyScene(t *testing.T) *scene {
	t.Helper()
	s := joinedScene(t, pb.DealMode_DEAL_MODE_GIVEN, pb.Lifecycle_LIFECYCLE_CREATED)
	s.expectReady()
	s.hears(&pb.ResponseItem{Kind: &pb.ResponseItem_ReadyAccepted{ReadyAccepted: &pb.ReadyAccepted{}}})
	return s
}

// askedScene returns a seat whose answer to decision 1 is on the way.
func askedScene(t *testing.T) *scene {
	t.Helper()
	s := readyScene(t)
	s.observes(decision(1, 1))
	s.step()
	s.expectAction(1, "1")
	return s
}

func headerBytes(t *testing.T, mode pb.DealMode) []byte {
	t.Helper()
	data, err := proto.Marshal(&pb.Header{MatchNumber: 7, DealMode: mode})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (s *scene) hears(item *pb.ResponseItem) {
	item.Handle = s.line.handle
	s.deliver(item)
}

func (s *scene) joinedWith(header []byte, lifecycle pb.Lifecycle) {
	joined := &pb.Joined{Seat: pb.Seat_SEAT_A, Header: header, Lifecycle: lifecycle}
	s.hears(&pb.ResponseItem{Kind: &pb.ResponseItem_Joined{Joined: joined}})
}

func (s *scene) joinedAgain() {
	s.t.Helper()
	s.joinedWith(s.header, pb.Lifecycle_LIFECYCLE_PLAYING)
}

func (s *scene) observes(observation *pb.Observation) {
	s.hears(&pb.ResponseItem{Kind: &pb.ResponseItem_Observation{Observation: observation}})
}

func (s *scene) judges(result *pb.ActionResult) {
	s.hears(&pb.ResponseItem{Kind: &pb.ResponseItem_ActionResult{ActionResult: result}})
}

func (s *scene) meets(problem *pb.Problem) {
	s.hears(&pb.ResponseItem{Kind: &pb.ResponseItem_Problem{Problem: problem}})
}

func (s *scene) isLetGo(reason pb.DetachReason) {
	s.hears(&pb.ResponseItem{Kind: &pb.ResponseItem_Detached{Detached: &pb.Detached{Reason: reason}}})
}

func (s *scene) ends() {
	s.hears(&pb.ResponseItem{Kind: &pb.ResponseItem_Ended{Ended: &pb.Ended{Outcome: &pb.Outcome{Winner: pb.Seat_SEAT_A}}}})
}

// step lets what was posted happen: the answer of the bot, or the end of a wait.
func (s *scene) step() {
	s.t.Helper()
	select {
	case step := <-s.inbox:
		step()
	case <-time.After(10 * time.Second):
		s.t.Fatal("nothing happens")
	}
}

// expect returns the one item that was sent since it was asked last.
func (s *scene) expect() *pb.RequestItem {
	s.t.Helper()
	if len(s.line.sent) != 1 || s.line.sent[0].GetHandle() != s.line.handle {
		s.t.Fatalf("sent: %v", s.line.sent)
	}
	item := s.line.sent[0]
	s.line.sent = nil
	return item
}

func (s *scene) expectNothing() {
	s.t.Helper()
	if len(s.line.sent) != 0 {
		s.t.Fatalf("sent: %v", s.line.sent)
	}
}

func (s *scene) expectJoin() *pb.Join {
	s.t.Helper()
	join := s.expect().GetJoin()
	if join == nil {
		s.t.Fatal("no join")
	}
	return join
}

func (s *scene) expectReady() *pb.Ready {
	s.t.Helper()
	ready := s.expect().GetReady()
	if ready == nil {
		s.t.Fatal("not ready")
	}
	return ready
}

func (s *scene) expectAction(decisionID uint32, actionID string) {
	s.t.Helper()
	action := s.expect().GetAction()
	if action.GetDecisionId() != decisionID || action.GetActionId() != actionID || action.GetAction().GetDraw() == nil {
		s.t.Fatalf("sent: %v", action)
	}
}

func (s *scene) expectLeave() {
	s.t.Helper()
	if s.expect().GetLeave() == nil {
		s.t.Fatal("the seat is not left")
	}
}

func (s *scene) expectError(due error) {
	s.t.Helper()
	if !s.over || !errors.Is(s.err, due) {
		s.t.Fatalf("over %v: %v", s.over, s.err)
	}
}

func accepted(decisionID uint32, actionID string) *pb.ActionResult {
	return &pb.ActionResult{
		DecisionId: decisionID, ActionId: actionID, Verdict: &pb.ActionResult_Accepted{Accepted: &pb.Accepted{}},
	}
}

func rejected(decisionID uint32, actionID string, triesLeft uint32) *pb.ActionResult {
	return &pb.ActionResult{
		DecisionId: decisionID, ActionId: actionID,
		Verdict: &pb.ActionResult_Rejected{Rejected: &pb.Rejected{Clause: "R5.2", TriesLeft: triesLeft}},
	}
}

func stale(decisionID uint32, actionID string) *pb.ActionResult {
	return &pb.ActionResult{
		DecisionId: decisionID, ActionId: actionID, Verdict: &pb.ActionResult_Stale{Stale: &pb.Stale{}},
	}
}

func frozen(retryAfterMs uint32) *pb.Problem {
	return &pb.Problem{Code: 14, Reason: "MATCH_FROZEN", RetryAfterMs: retryAfterMs}
}

func TestReadyGivesEntropyOfSecretAndHeaderToAFreshDealOnly(t *testing.T) {
	for mode, due := range map[pb.DealMode]bool{
		pb.DealMode_DEAL_MODE_FRESH: true, pb.DealMode_DEAL_MODE_SHARED: false, pb.DealMode_DEAL_MODE_GIVEN: false,
	} {
		s := joinedScene(t, mode, pb.Lifecycle_LIFECYCLE_CREATED)
		ready, h0 := s.expectReady(), HeaderHead(headerBytes(t, mode))
		entropy := ""
		if due {
			entropy = string(Entropy([]byte("secret"), h0))
		}
		if string(ready.GetH0()) != string(h0) || string(ready.GetEntropy()) != entropy {
			t.Errorf("%s: %v", mode, ready)
		}
		if records := kept(t, s.path); records[0].GetJoined() == nil || records[1].GetReady() == nil {
			t.Errorf("%s: %v", mode, records)
		}
	}
}

func TestDecisionsAreAnsweredOneAfterTheOther(t *testing.T) {
	s := askedScene(t)
	s.observes(decision(9, 9))
	s.expectNothing()
	s.judges(accepted(1, "1"))
	s.step()
	s.expectAction(9, "1")
}

func TestBotIsToldTheEventsOfAllObservationsOnce(t *testing.T) {
	s := readyScene(t)
	page := told(1, 3)
	page.CaughtUp, page.View = false, nil
	s.observes(page)
	s.observes(told(2, 4))
	s.observes(decision(5, 5))
	s.step()
	if len(s.seen) != 1 || len(s.seen[0].GetEvents()) != 5 || s.seen[0].GetEvents()[4].GetSequence() != 5 {
		t.Errorf("%v", s.seen)
	}
}

func TestBotIsAskedOneDecisionAtATime(t *testing.T) {
	s := readyScene(t)
	s.observes(decision(1, 1))
	s.observes(decision(5, 5))
	s.step()
	s.expectAction(1, "1")
	s.judges(stale(1, "1"))
	s.step()
	s.expectAction(5, "1")
}

func TestSlowBotIsNotAskedWhatWasDecidedWithoutIt(t *testing.T) {
	s := askedScene(t)
	s.observes(decision(2, 2))
	s.observes(decision(3, 3))
	s.judges(stale(1, "1"))
	s.step()
	s.expectAction(3, "1")
	if len(s.seen) != 2 || len(s.seen[1].GetEvents()) != 2 {
		t.Errorf("%v", s.seen)
	}
}

func TestRejectedActionIsAskedForAgainUnderAnotherID(t *testing.T) {
	s := askedScene(t)
	s.judges(rejected(1, "1", 1))
	s.step()
	s.expectAction(1, "2")
	if tries := s.seen[1].GetDecision().GetTriesLeft(); tries != 1 || s.seen[0].GetDecision().GetTriesLeft() != 10 {
		t.Error(tries)
	}
	s.judges(rejected(1, "2", 0))
	s.expectError(ErrBot)
	s.expectLeave()
}

func TestBotGivesUpTheMatchAndTheJournalHasItOnce(t *testing.T) {
	s := readyScene(t)
	s.fail = fmt.Errorf("enough: %w", ErrResign)
	s.observes(decision(1, 1))
	s.step()
	for range 2 { // the first is lost
		if s.expect().GetResign() == nil {
			t.Fatal("it does not resign")
		}
		if s.times == 1 {
			s.detach()
			s.attach(s.line)
			s.expectJoin()
			s.joinedAgain()
		}
	}
	s.ends()
	if !s.over || s.err != nil {
		t.Errorf("over %v: %v", s.over, s.err)
	}
	records := kept(t, s.path)
	resigned := slices.IndexFunc(records, func(record *pb.JournalRecord) bool { return record.GetResign() != nil })
	if resigned != len(records)-2 || records[len(records)-1].GetEnded() == nil {
		t.Errorf("%v", records)
	}
}

func TestStaleActionIsPassedOver(t *testing.T) {
	s := askedScene(t)
	s.judges(stale(1, "1"))
	s.observes(decision(4, 4))
	s.step()
	s.expectAction(4, "1")
}

func TestVerdictOfALaterVersionIsPassedOver(t *testing.T) {
	s := askedScene(t)
	s.judges(&pb.ActionResult{DecisionId: 1, ActionId: "1"})
	s.observes(decision(4, 4))
	s.step()
	s.expectAction(4, "1")
}

func TestResultOfAnotherActionIsNoAnswer(t *testing.T) {
	s := askedScene(t)
	s.judges(accepted(1, "2"))
	s.judges(accepted(2, "1"))
	if s.question == nil {
		t.Error("it was taken for one")
	}
}

func TestSeatIsResumedBehindTheLastEventAndItsActionSentAgain(t *testing.T) {
	s := askedScene(t)
	s.detach()
	s.attach(s.line)
	join := s.expectJoin()
	if join.AfterSequence == nil || join.GetAfterSequence() != 1 || string(join.GetHead()) != "\x01" {
		t.Errorf("%v", join)
	}
	s.joinedAgain()
	s.expectAction(1, "1")
	s.judges(accepted(1, "1"))
	var kinds []string
	for _, record := range kept(t, s.path) {
		message := record.ProtoReflect()
		kinds = append(kinds, string(message.WhichOneof(message.Descriptor().Oneofs().ByName("kind")).Name()))
	}
	due := []string{"joined", "ready", "ready_accepted", "observation", "action", "action_result"}
	if !slices.Equal(kinds, due) {
		t.Errorf("kept: %v", kinds)
	}
}

func TestDecisionToldAgainWhileItsAnswerIsOnTheWayIsNotAskedAgain(t *testing.T) {
	s := askedScene(t)
	s.observes(decision(2, 1))
	s.judges(accepted(1, "1"))
	s.observes(decision(3, 3))
	s.step()
	s.expectAction(3, "1")
	if len(s.seen) != 2 || len(s.seen[1].GetEvents()) != 2 {
		t.Errorf("%v", s.seen)
	}
}

func TestBotThatThinksThroughACutIsHeardAfterIt(t *testing.T) {
	s := readyScene(t)
	s.observes(decision(1, 1))
	s.detach()
	s.attach(s.line)
	s.expectJoin()
	s.step()
	s.expectNothing()
	s.joinedAgain()
	s.expectAction(1, "1")
}

func TestWhatTheRefereeCannotTakeNowIsSaidAgainWhenItSays(t *testing.T) {
	s := askedScene(t)
	for _, problem := range []*pb.Problem{frozen(1), {Code: 8, Reason: "INBOX_FULL", RetryAfterMs: 1}} {
		s.meets(problem)
		s.expectNothing()
		s.step()
		s.expectAction(1, "1")
	}
}

func TestNewsCutAWaitShort(t *testing.T) {
	s := askedScene(t)
	s.meets(frozen(3_600_000))
	s.expectNothing()
	s.observes(told(2, 2))
	s.expectAction(1, "1")
}

func TestWaitEndsWithItsQuestionOrItsConnection(t *testing.T) {
	s := askedScene(t)
	s.meets(frozen(3_600_000))
	s.judges(accepted(1, "1"))
	if s.waiting {
		t.Error("what was answered is to be said again")
	}
	s = askedScene(t)
	s.meets(frozen(1))
	s.detach()
	s.attach(s.line)
	s.expectJoin()
	s.step()
	s.expectNothing()
}

func TestWhatARefereeThatGoesDownTurnsAwayIsSaidAgainOnTheNextConnection(t *testing.T) {
	s := askedScene(t)
	s.meets(&pb.Problem{Code: 14, Reason: "DRAINING"})
	s.expectNothing()
	s.detach()
	s.attach(s.line)
	s.expectJoin()
	s.joinedAgain()
	s.expectAction(1, "1")
}

func TestProblemThatDoesNotSayWhenToTryAgainIsNotWaitedFor(t *testing.T) {
	s := askedScene(t)
	s.meets(&pb.Problem{Code: 14, Reason: "MATCH_FROZEN"})
	if !s.over {
		t.Error("it is waited for")
	}
}

func TestNewsBeginTheBackoffAnew(t *testing.T) {
	s := askedScene(t)
	s.isLetGo(pb.DetachReason_DETACH_REASON_MATCH_FROZEN)
	s.step()
	s.joinedAgain()
	s.observes(decision(2, 1))
	if s.backoff.bound != firstBound {
		t.Error(s.backoff.bound)
	}
}

func TestSeatOfAFrozenMatchIsTakenAgain(t *testing.T) {
	s := askedScene(t)
	s.isLetGo(pb.DetachReason_DETACH_REASON_MATCH_FROZEN)
	s.meets(&pb.Problem{Code: 9, Reason: "HANDLE_ENDED"}) // the action was on its way
	s.expectNothing()
	s.step()
	s.expectJoin()
	s.meets(frozen(1))
	s.step()
	s.expectJoin()
	if s.line.handle != 3 || s.line.dropped != 2 {
		t.Errorf("handle %d, dropped %d", s.line.handle, s.line.dropped)
	}
	s.joinedAgain()
	s.expectAction(1, "1")
}

func TestItemsOfAnEarlierHandleAreNobodys(t *testing.T) {
	s := askedScene(t)
	s.deliver(&pb.ResponseItem{Handle: 99, Kind: &pb.ResponseItem_Ended{Ended: &pb.Ended{}}})
	if s.over {
		t.Error("it was taken")
	}
}

func TestSeatTakenOrRevokedStaysAway(t *testing.T) {
	for _, reason := range []pb.DetachReason{
		pb.DetachReason_DETACH_REASON_REPLACED, pb.DetachReason_DETACH_REASON_TOKEN_REVOKED, 99,
	} {
		s := askedScene(t)
		s.isLetGo(reason)
		var detached *DetachedError
		if !s.over || !errors.As(s.err, &detached) || detached.Reason != reason {
			t.Errorf("%s: %v", reason, s.err)
		}
		s.expectNothing()
	}
}

func TestForkedLogIsRefused(t *testing.T) {
	s := askedScene(t)
	s.detach()
	s.attach(s.line)
	s.expectJoin()
	s.meets(&pb.Problem{Code: 15, Reason: "FORKED"})
	s.expectError(ErrForked)
	s.expectNothing()
}

func TestAnotherHeaderIsAFork(t *testing.T) {
	s := askedScene(t)
	s.detach()
	s.attach(s.line)
	s.expectJoin()
	s.joinedWith(headerBytes(t, pb.DealMode_DEAL_MODE_SHARED), pb.Lifecycle_LIFECYCLE_PLAYING)
	s.expectError(ErrForked)
	s.expectLeave()
}

func TestDealWithoutItsEntropyIsRefused(t *testing.T) {
	s := joinedScene(t, pb.DealMode_DEAL_MODE_FRESH, pb.Lifecycle_LIFECYCLE_CREATED)
	s.expectReady()
	s.observes(sealed("", ""))
	s.expectError(ErrEntropyMissing)
	s.expectLeave()
}

func TestDealOfAMatchThatHadBegunIsPassedOver(t *testing.T) {
	s := joinedScene(t, pb.DealMode_DEAL_MODE_FRESH, pb.Lifecycle_LIFECYCLE_PLAYING)
	s.expectReady()
	s.observes(decision(5, 5))
	if s.asking != nil {
		t.Error("the bot is asked before its seat is ready")
	}
	s.hears(&pb.ResponseItem{Kind: &pb.ResponseItem_ReadyAccepted{ReadyAccepted: &pb.ReadyAccepted{}}})
	s.step()
	s.expectAction(5, "1")
}

func TestProblemEndsThePlayOfTheSeat(t *testing.T) {
	s := askedScene(t)
	s.meets(&pb.Problem{Code: 3, Reason: "FIELD_INVALID", Field: "action.action", Message: "bad"})
	var problem *RefereeError
	if !s.over || !errors.As(s.err, &problem) || problem.Error() != "bad (FIELD_INVALID in action.action)" {
		t.Error(s.err)
	}
	s.expectLeave()
}

func TestMatchThatEndsUnderAnActionHasAResult(t *testing.T) {
	s := askedScene(t)
	s.meets(&pb.Problem{Code: 9, Reason: "MATCH_ENDED"})
	s.ends()
	result, err := s.run(context.Background())
	if err != nil || result.Number != 7 || result.Seat != pb.Seat_SEAT_A || result.Ended == nil {
		t.Error(result, err)
	}
	if records := kept(t, s.path); records[len(records)-1].GetEnded() == nil {
		t.Error("the end is not kept")
	}
}

func TestSeatOfAMatchThatHasEndedAsksNothing(t *testing.T) {
	s := joinedScene(t, pb.DealMode_DEAL_MODE_GIVEN, pb.Lifecycle_LIFECYCLE_ENDED)
	s.expectNothing()
	s.ends()
	if s.ended == nil {
		t.Error("it has no result")
	}
}

func TestBotWithoutAnActionEndsThePlayOfItsSeat(t *testing.T) {
	failure := errors.New("out of memory")
	for _, c := range []struct {
		act       *pb.Action
		fail, due error
	}{{nil, nil, ErrBot}, {nil, failure, failure}} {
		s := readyScene(t)
		s.act, s.fail = c.act, c.fail
		s.observes(decision(1, 1))
		s.step()
		s.expectError(c.due)
		s.expectLeave()
	}
}

func TestPanicOfABotEndsThePlayOfItsSeatAlone(t *testing.T) {
	s := readyScene(t)
	s.bot = func(*pb.Observation) (*pb.Action, error) { panic("out of cards") }
	s.observes(decision(1, 1))
	s.step()
	s.expectError(ErrBot)
	s.expectLeave()
}

func TestSeatWithoutAJournalThatCanBeWrittenStops(t *testing.T) {
	s := readyScene(t)
	s.journal.close()
	s.observes(decision(1, 1))
	s.expectError(ErrJournal)
	s.expectLeave()
}

func TestSeatIsLeftWhenItsContextEnds(t *testing.T) {
	s := askedScene(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if result, err := s.run(ctx); !errors.Is(err, context.Canceled) {
		t.Error(result, err)
	}
	s.expectLeave()
}
