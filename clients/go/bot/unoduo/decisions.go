package unoduo

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"

	"google.golang.org/protobuf/proto"

	pb "unoduo/clients/go/bot/unoduov1"
)

// consult asks the bot for its decision, if nothing else is under way. Only the last observation can have one that is
// open: a slow bot is not asked what was decided without it. After a restart of the referee a decision is told again,
// perhaps while its answer is on the way.
func (c *conversation) consult() {
	if c.question != nil || c.asking != nil || len(c.queue) == 0 {
		return
	}
	for _, observation := range c.queue {
		c.events = append(c.events, observation.GetEvents()...)
	}
	last := c.queue[len(c.queue)-1]
	c.queue = nil
	if decision := last.GetDecision(); decision != nil && decision.GetDecisionId() != c.closed {
		last.Events, c.events = c.events, nil
		c.tries = 0
		c.ask(last)
	}
}

func (c *conversation) ask(observation *pb.Observation) {
	c.asking = observation
	go func() {
		action, err := c.callBot(observation)
		c.post(func() { c.decided(action, err) })
	}()
}

// callBot keeps the panic of a bot from ending the play of other seats.
func (c *conversation) callBot(observation *pb.Observation) (action *pb.Action, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			c.log.Error(fmt.Sprintf("the bot panicked: %v\n%s", reason, debug.Stack()))
			err = fmt.Errorf("%w: it panicked: %v", ErrBot, reason)
		}
	}()
	return c.bot(observation)
}

func (c *conversation) decided(action *pb.Action, err error) {
	switch {
	case errors.Is(err, ErrResign):
		c.say(&pb.RequestItem{Kind: &pb.RequestItem_Resign{Resign: &pb.Resign{}}})
	case err != nil:
		c.fail(err)
	case action == nil:
		c.fail(fmt.Errorf("%w: it returned none", ErrBot))
	default:
		c.tries++
		c.say(&pb.RequestItem{Kind: &pb.RequestItem_Action{Action: &pb.SubmittedAction{
			DecisionId: c.asking.GetDecision().GetDecisionId(),
			ActionId:   strconv.Itoa(c.tries),
			Action:     proto.CloneOf(action),
		}}})
	}
}

// say has something answered, now or when the seat is taken again.
func (c *conversation) say(item *pb.RequestItem) {
	c.question = item
	if c.joined {
		c.send()
	}
}

func (c *conversation) judged(result *pb.ActionResult) {
	asked := c.question.GetAction()
	if asked == nil || asked.GetDecisionId() != result.GetDecisionId() || asked.GetActionId() != result.GetActionId() {
		return
	}
	if !c.keep(&pb.JournalRecord{Kind: &pb.JournalRecord_ActionResult{ActionResult: result}}) {
		return
	}
	c.answered()
	rejected := result.GetRejected()
	if rejected == nil { // accepted, or stale: it goes on with the next decision
		c.closed, c.asking = asked.GetDecisionId(), nil
		c.consult()
		return
	}
	refusal := fmt.Sprintf("%s (%s): %s", rejected.GetReason(), rejected.GetClause(), rejected.GetMessage())
	if rejected.GetTriesLeft() == 0 {
		c.fail(fmt.Errorf("%w: no tries are left: %s", ErrBot, refusal))
		return
	}
	c.log.Warn("the referee refuses an action", "refusal", refusal)
	again := proto.CloneOf(c.asking)
	again.Decision.TriesLeft = rejected.GetTriesLeft()
	c.ask(again)
}
