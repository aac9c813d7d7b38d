package unoduo

import (
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	pb "unoduo/clients/go/bot/unoduov1"
)

// later returns bytes behind which a message has a field that this version does not know.
func later(t *testing.T, message proto.Message) []byte {
	t.Helper()
	data, err := proto.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return protowire.AppendBytes(protowire.AppendTag(data, 500, protowire.BytesType), []byte("later"))
}

func read(t *testing.T, data []byte, into proto.Message) {
	t.Helper()
	if err := proto.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func TestKindsAndNumbersOfALaterVersionAreSkippedInBytes(t *testing.T) {
	s := readyScene(t)
	item := &pb.ResponseItem{}
	read(t, later(t, &pb.ResponseItem{Handle: s.line.handle}), item)
	s.deliver(item)

	event := &pb.Event{}
	read(t, later(t, &pb.Event{}), event)
	observation := decision(1, 1)
	observation.Events[0].Event = event
	observation.Events[0].PrivateCards = []pb.Card{99}
	observation.View = &pb.View{Phase: 99, Hand: []pb.Card{99}, PendingKind: 99}
	observation.Decision.Phase = 99
	unknown := &pb.Action{}
	read(t, later(t, &pb.Action{}), unknown)
	observation.Decision.Legal = append(observation.Decision.Legal, unknown)
	told := &pb.Observation{}
	read(t, later(t, observation), told)
	s.observes(told)
	s.step()
	s.expectAction(1, "1")
	if len(s.seen) != 1 || s.seen[0].GetEvents()[0].GetEvent().GetKind() != nil {
		t.Errorf("%v", s.seen)
	}
}

func TestJournalKeepsWhatALaterVersionSays(t *testing.T) {
	s := readyScene(t)
	told := &pb.Observation{}
	read(t, later(t, decision(1, 1)), told)
	s.observes(told)
	records := kept(t, s.path)
	if !proto.Equal(records[len(records)-1].GetObservation(), told) || len(told.ProtoReflect().GetUnknown()) == 0 {
		t.Errorf("%v", records)
	}
}

func TestKindsAndNumbersOfALaterVersionAreSkippedInJSON(t *testing.T) {
	observation, err := ObservationFromJSON([]byte(`{"sequence": 4294967295, "later": {"a": [1]}, "events": [
		{"sequence": 5, "event": {"cardsBurnt": {"count": 2}}, "privateCards": ["CARD_PURPLE_5", "CARD_RED_5"]}],
		"view": {"phase": "PHASE_AUCTION", "round": 2},
		"decision": {"decisionId": 5, "legal": [{"bid": {}}, {"draw": {}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	burnt := observation.GetEvents()[0]
	if burnt.GetEvent().GetKind() != nil || !slices.Equal(burnt.GetPrivateCards(), []pb.Card{pb.Card_CARD_RED_5}) ||
		observation.GetSequence() != math.MaxUint32 || observation.GetView().GetRound() != 2 ||
		observation.GetView().GetPhase() != pb.Phase_PHASE_UNSPECIFIED || len(observation.GetDecision().GetLegal()) != 2 {
		t.Errorf("%v", observation)
	}
	if _, err := ObservationFromJSON([]byte(`{"sequence": "many"}`)); err == nil {
		t.Error("no number is taken for one")
	}
	if err := protojson.Unmarshal([]byte(`{"view": {"phase": "PHASE_AUCTION"}}`), &pb.Observation{}); err == nil {
		t.Error("what is strict takes it too, so this shows nothing")
	}
}
