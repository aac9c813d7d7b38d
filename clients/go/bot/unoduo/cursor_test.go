package unoduo

import (
	"testing"

	pb "unoduo/clients/go/bot/unoduov1"
)

// told returns an observation with the events from first to last.
func told(first, last uint32) *pb.Observation {
	observation := &pb.Observation{Sequence: last, Head: []byte{byte(last)}, CaughtUp: true, View: &pb.View{}}
	for sequence := first; sequence <= last; sequence++ {
		observation.Events = append(observation.Events, &pb.ObservedEvent{Sequence: sequence, Event: &pb.Event{}})
	}
	return observation
}

// decision returns an observation whose only event and decision are these.
func decision(sequence, id uint32) *pb.Observation {
	observation := told(sequence, sequence)
	observation.Decision = &pb.Decision{DecisionId: id, TriesLeft: 10, Legal: []*pb.Action{
		{Kind: &pb.Action_Draw{Draw: &pb.Draw{}}},
	}}
	return observation
}

func TestCursorTakesEachEventOnce(t *testing.T) {
	var c cursor
	if !c.take(told(1, 3)) || c.take(told(1, 3)) || c.take(told(1, 2)) {
		t.Fatal("what was told before is no news")
	}
	further := told(2, 5)
	if !c.take(further) || len(further.Events) != 2 || further.Events[0].GetSequence() != 4 {
		t.Error("only the events behind the last one are news: ", further)
	}
}

func TestCursorTakesTheViewBehindHistoryAndADecisionThatWasNotThere(t *testing.T) {
	var c cursor
	page := told(1, 3)
	page.CaughtUp = false
	asked := decision(3, 3)
	if !c.take(page) || !c.take(told(4, 3)) || c.take(told(4, 3)) || !c.take(asked) || c.take(decision(3, 3)) {
		t.Error("at one sequence a view and a decision are news once")
	}
}

func TestCursorResumesBehindTheLastEventAndItsHead(t *testing.T) {
	for _, c := range []struct {
		name      string
		fromStart bool
		last      uint32
		due       bool
	}{
		{"nothing told of a match that had begun", false, 0, false},
		{"nothing told of a match that had not", true, 0, true},
		{"events told", false, 3, true},
	} {
		cursor := cursor{fromStart: c.fromStart}
		if c.last > 0 {
			cursor.take(told(1, c.last))
		}
		join := &pb.Join{}
		cursor.resume(join)
		if (join.AfterSequence != nil) != c.due || join.GetAfterSequence() != c.last {
			t.Errorf("%s: %v", c.name, join)
		}
		if c.last > 0 && string(join.GetHead()) != string([]byte{byte(c.last)}) {
			t.Errorf("%s: head %x", c.name, join.GetHead())
		}
	}
}
