package unoduo

import (
	"fmt"
	"runtime/debug"
	"strconv"

	"google.golang.org/protobuf/proto"

	pb "unoduo/clients/go/bot/unoduov1"
)

// consult asks the bot for the next decision that it has not answered, if nothing is under way.
//
// After a restart of the referee a decision is told again, perhaps while its answer is on the way.
func (c *conversation) consult() {
	for c.question == nil && c.asking == nil && len(c.queue) > 0 {
		observation := c.queue[0]
		c.queue = c.queue[1:]
		c.events = append(c.events, observation.GetEvents()...)
		if decision := observation.GetDecision(); decision != nil && decision.GetDecisionId() != c.closed {
			observation.Events, c.events = c.events, nil
			c.tries = 0
			c.ask(observation)
		}
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
	case err != nil:
		c.fail(err)
	case action == nil:
		c.fail(fmt.Errorf("%w: it returned none", ErrBot))
	default:
		c.tries++
		c.question = &pb.RequestItem{Kind: &pb.RequestItem_Action{Action: &pb.SubmittedAction{
			DecisionId: c.asking.GetDecision().GetDecisionId(),
			ActionId:   strconv.Itoa(c.tries),
			Action:     proto.CloneOf(action),
		}}}
		if c.joined {
			c.send()
		}
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
