package unoduo

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"google.golang.org/protobuf/proto"

	pb "unoduo/clients/go/bot/unoduov1"
)

// line is what a conversation knows of a connection.
type line interface {
	open(to route) uint32
	drop(handle uint32)
	put(item *pb.RequestItem) error
	progress()
}

// conversation is all that is said and heard about one seat, over as many connections as that takes. On each connection
// the seat is taken behind the last event that was told, and what was not answered is asked again.
//
// Everything happens on the goroutine that calls run; what others know, they post. One question is open at a time,
// because a problem names only the handle and not the item that it is about.
type conversation struct {
	join    *pb.Join
	bot     Bot
	secret  []byte
	journal *journal // nil if none is kept
	log     *slog.Logger
	inbox   chan func()
	done    chan struct{}

	// The connection.
	line    line // nil while there is none
	handle  uint32
	joined  bool // under this handle
	waits   int  // that were begun
	waiting bool // in the last of them
	backoff backoff

	// What the referee told.
	begun  bool // the first join was answered
	header []byte
	number uint32
	cursor cursor
	guard  dealGuard
	queue  []*pb.Observation   // that the bot has not dealt with
	events []*pb.ObservedEvent // of observations without a decision
	asking *pb.Observation     // that the bot is thinking about or whose answer is under way
	closed uint32              // the last decision that was answered

	// What is said to the referee.
	question *pb.RequestItem // that waits for its answer
	times    int             // it was sent
	tries    int             // actions for this decision, which are their ids

	over  bool
	ended *pb.Ended
	err   error
}

func newConversation(join *pb.Join, bot Bot, secret []byte, journal *journal, log *slog.Logger) *conversation {
	return &conversation{
		join: join, bot: bot, secret: secret, journal: journal, log: log,
		inbox: make(chan func()), done: make(chan struct{}),
	}
}

// post lets something happen on the goroutine of the conversation, unless that is over.
func (c *conversation) post(step func()) {
	select {
	case c.inbox <- step:
	case <-c.done:
	}
}

// run converses until the match has ended or the seat cannot be played on.
func (c *conversation) run(ctx context.Context) (*Result, error) {
	defer close(c.done)
	for !c.over {
		select {
		case step := <-c.inbox:
			step()
		case <-ctx.Done():
			c.fail(ctx.Err())
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	return &Result{Number: c.number, Seat: c.join.GetSeat(), Ended: c.ended}, nil
}

// attach takes the seat over a connection.
func (c *conversation) attach(to line) {
	c.line, c.joined = to, false
	c.handle = to.open(func(item *pb.ResponseItem) { c.post(func() { c.deliver(item) }) })
	join := proto.CloneOf(c.join)
	c.cursor.resume(join)
	if err := to.put(&pb.RequestItem{Handle: c.handle, Kind: &pb.RequestItem_Join{Join: join}}); err != nil {
		c.fail(err)
	}
}

// detach learns that the connection is lost.
func (c *conversation) detach() {
	c.line, c.joined = nil, false
	c.stopWaiting()
}

// deliver takes an item that came under a handle; a kind that it does not know is skipped.
func (c *conversation) deliver(item *pb.ResponseItem) {
	if c.over || c.line == nil || item.GetHandle() != c.handle {
		return
	}
	switch kind := item.GetKind().(type) {
	case *pb.ResponseItem_Joined:
		c.admit(kind.Joined)
	case *pb.ResponseItem_ReadyAccepted:
		c.readied(kind.ReadyAccepted)
	case *pb.ResponseItem_Observation:
		c.observe(kind.Observation)
	case *pb.ResponseItem_ActionResult:
		c.judged(kind.ActionResult)
	case *pb.ResponseItem_Problem:
		c.refused(problemError(kind.Problem))
	case *pb.ResponseItem_Detached:
		c.letGo(kind.Detached)
	case *pb.ResponseItem_Ended:
		if c.keep(&pb.JournalRecord{Kind: &pb.JournalRecord_Ended{Ended: kind.Ended}}) {
			c.line.progress()
			c.ended, c.over = kind.Ended, true
			c.dropHandle()
		}
	}
}

func (c *conversation) admit(joined *pb.Joined) {
	c.joined = true
	if !c.begun {
		c.begin(joined)
	} else if string(joined.GetHeader()) != string(c.header) {
		c.fork()
	}
	// Of a match that has ended nothing is left to be asked: Ended comes.
	if !c.over && c.question != nil && joined.GetLifecycle() != pb.Lifecycle_LIFECYCLE_ENDED {
		c.send()
	}
}

// begin records the header, before anything is sent about it, and makes the seat ready.
func (c *conversation) begin(joined *pb.Joined) {
	header := &pb.Header{}
	if err := proto.Unmarshal(joined.GetHeader(), header); err != nil {
		c.fail(fmt.Errorf("the header of the match cannot be read: %w", err))
		return
	}
	if !c.keep(&pb.JournalRecord{Kind: &pb.JournalRecord_Joined{Joined: joined}}) {
		return
	}
	c.begun, c.header, c.number = true, joined.GetHeader(), header.GetMatchNumber()
	c.cursor.fromStart = joined.GetLifecycle() == pb.Lifecycle_LIFECYCLE_CREATED
	ready := &pb.Ready{H0: HeaderHead(c.header)}
	if header.GetDealMode() == pb.DealMode_DEAL_MODE_FRESH {
		ready.Entropy = Entropy(c.secret, ready.H0)
		c.guard = dealGuard{watching: c.cursor.fromStart, seat: c.join.GetSeat(), sent: ready.Entropy}
	}
	c.question = &pb.RequestItem{Kind: &pb.RequestItem_Ready{Ready: ready}}
}

func (c *conversation) readied(accepted *pb.ReadyAccepted) {
	if c.question.GetReady() == nil {
		return
	}
	if c.keep(&pb.JournalRecord{Kind: &pb.JournalRecord_ReadyAccepted{ReadyAccepted: accepted}}) {
		c.answered()
		c.consult()
	}
}

func (c *conversation) observe(observation *pb.Observation) {
	if !c.cursor.take(observation) ||
		!c.keep(&pb.JournalRecord{Kind: &pb.JournalRecord_Observation{Observation: observation}}) {
		return
	}
	c.line.progress()
	c.backoff.reset()
	if err := c.guard.check(observation); err != nil {
		c.fail(err)
		return
	}
	c.queue = append(c.queue, observation)
	if c.joined && c.waiting {
		// The match goes on; the decision of an action that waits may be closed by now.
		c.again()
	}
	c.consult()
}

// refused takes a problem: with the join, as long as that is not answered, else with the open question.
func (c *conversation) refused(problem *RefereeError) {
	delay := time.Duration(float64(problem.retryAfter) * (1 + rand.Float64()/4)) // not all clients at once
	switch {
	case problem.Reason == "DRAINING":
		// The session is about to end. What was said is said again in the next one.
	case problem.mayPass && !c.joined:
		c.wait(delay, c.rejoin)
	case problem.mayPass && c.question != nil:
		c.wait(delay, c.again)
	case problem.Reason == "FORKED":
		c.fork()
	case c.joined && problem.Reason == "MATCH_ENDED":
		// Ended comes.
	default:
		c.fail(problem)
	}
}

func (c *conversation) letGo(detached *pb.Detached) {
	c.dropHandle()
	if detached.GetReason() == pb.DetachReason_DETACH_REASON_MATCH_FROZEN {
		c.wait(c.backoff.next(), c.rejoin)
		return
	}
	c.fail(&DetachedError{detached.GetReason()})
}

func (c *conversation) fork() {
	proof := "no journal was kept"
	if c.journal != nil {
		proof = "the proof is in " + c.journal.file.Name()
	}
	c.fail(fmt.Errorf("%w up to event %d; %s", ErrForked, c.cursor.sequence, proof))
}

// send puts the open question; the first time it is kept before.
func (c *conversation) send() {
	c.times++
	if c.times == 1 && !c.keepQuestion() {
		return
	}
	if err := c.line.put(&pb.RequestItem{Handle: c.handle, Kind: c.question.GetKind()}); err != nil {
		c.fail(err)
	}
}

func (c *conversation) keepQuestion() bool {
	record := &pb.JournalRecord{}
	switch kind := c.question.GetKind().(type) {
	case *pb.RequestItem_Ready:
		record.Kind = &pb.JournalRecord_Ready{Ready: kind.Ready}
	case *pb.RequestItem_Action:
		record.Kind = &pb.JournalRecord_Action{Action: kind.Action}
	case *pb.RequestItem_Resign:
		record.Kind = &pb.JournalRecord_Resign{Resign: kind.Resign}
	}
	return c.keep(record)
}

func (c *conversation) answered() {
	c.question, c.times = nil, 0
	c.stopWaiting()
}

func (c *conversation) again() {
	c.stopWaiting()
	if c.question != nil {
		c.send()
	}
}

func (c *conversation) rejoin() {
	c.stopWaiting()
	c.dropHandle()
	c.attach(c.line)
}

func (c *conversation) dropHandle() {
	c.line.drop(c.handle)
	c.joined, c.handle = false, 0
}

// wait lets something happen after a time, unless the connection is lost before.
func (c *conversation) wait(delay time.Duration, then func()) {
	c.waits++
	c.waiting = true
	this := c.waits
	time.AfterFunc(delay, func() {
		c.post(func() {
			if c.waiting && c.waits == this {
				then()
			}
		})
	})
}

func (c *conversation) stopWaiting() { c.waiting = false }

// keep writes into the journal, and returns whether the conversation goes on.
func (c *conversation) keep(record *pb.JournalRecord) bool {
	if c.journal == nil {
		return true
	}
	if err := c.journal.keep(record); err != nil {
		c.fail(fmt.Errorf("%w: %w", ErrJournal, err))
		return false
	}
	return true
}

// fail ends the conversation while its match goes on; a seat that is held is left.
func (c *conversation) fail(err error) {
	if c.over {
		return
	}
	c.over, c.err = true, err
	if c.line == nil {
		return
	}
	if c.joined {
		_ = c.line.put(&pb.RequestItem{Handle: c.handle, Kind: &pb.RequestItem_Leave{Leave: &pb.Leave{}}})
	}
	c.dropHandle()
}
