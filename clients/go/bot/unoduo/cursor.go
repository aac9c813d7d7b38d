package unoduo

import (
	"google.golang.org/protobuf/proto"

	pb "unoduo/clients/go/bot/unoduov1"
)

// cursor keeps every event and every view from being told twice, and knows where the referee shall go on.
type cursor struct {
	sequence    uint32 // of the last event that was told, 0 if none was
	head        []byte // of the log, there
	fromStart   bool   // there was no event yet when the seat was taken for the first time
	caughtUp    bool
	hasDecision bool
}

// resume says in a join where to go on; with nothing told and a beginning unseen it asks for no history.
func (c *cursor) resume(join *pb.Join) {
	if c.sequence > 0 || c.fromStart {
		join.AfterSequence = proto.Uint32(c.sequence)
		join.Head = c.head
	}
}

// take removes the events that were told before, and returns whether anything new is left, which then counts as told.
// At the same sequence only the view behind a page of history is new, or a decision where none was.
func (c *cursor) take(observation *pb.Observation) bool {
	sequence, hasDecision := observation.GetSequence(), observation.GetDecision() != nil
	if sequence < c.sequence {
		return false
	}
	if sequence == c.sequence && c.caughtUp && (c.hasDecision || !hasDecision) {
		return false
	}
	for len(observation.Events) > 0 && observation.Events[0].GetSequence() <= c.sequence {
		observation.Events = observation.Events[1:]
	}
	c.sequence, c.head = sequence, observation.GetHead()
	c.caughtUp, c.hasDecision = observation.GetCaughtUp(), hasDecision
	return true
}
