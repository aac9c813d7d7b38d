package unoduo

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	pb "unoduo/clients/go/bot/unoduov1"
)

func TestHeaderHeadsAreThoseOfTheVectors(t *testing.T) {
	var table struct {
		Cases []struct{ Name, Header, H0 string }
	}
	readVectors(t, "log/heads.json", &table)
	if len(table.Cases) == 0 {
		t.Fatal("there are no cases")
	}
	for _, c := range table.Cases {
		header, err := hex.DecodeString(c.Header)
		if err != nil {
			t.Fatal(err)
		}
		if h0 := hex.EncodeToString(HeaderHead(header)); h0 != c.H0 {
			t.Errorf("%s: is %s, must be %s", c.Name, h0, c.H0)
		}
	}
}

func TestEntropyDependsOnSecretAndHeaderAlone(t *testing.T) {
	once := Entropy([]byte("secret"), []byte("h0"))
	if len(once) != 32 || !bytes.Equal(once, Entropy([]byte("secret"), []byte("h0"))) {
		t.Errorf("%x", once)
	}
	if bytes.Equal(once, Entropy([]byte("other"), []byte("h0"))) || bytes.Equal(once, Entropy([]byte("secret"), []byte("h1"))) {
		t.Error("it does not depend on both")
	}
}

func sealed(first, second string) *pb.Observation {
	return &pb.Observation{Sequence: 1, CaughtUp: true, Events: []*pb.ObservedEvent{{Sequence: 1, Event: &pb.Event{
		Kind: &pb.Event_DealSealed{DealSealed: &pb.DealSealed{Entropy_1: []byte(first), Entropy_2: []byte(second)}},
	}}}}
}

func TestDealGuardWantsItsOwnEntropyInTheDeal(t *testing.T) {
	for _, c := range []struct {
		name  string
		seat  pb.Seat
		deal  *pb.Observation
		right bool
	}{
		{"seat A", pb.Seat_SEAT_A, sealed("mine", "other"), true},
		{"seat B", pb.Seat_SEAT_B, sealed("other", "mine"), true},
		{"that of the other seat", pb.Seat_SEAT_B, sealed("mine", "other"), false},
		{"dropped", pb.Seat_SEAT_A, sealed("", "other"), false},
		{"a decision without a deal", pb.Seat_SEAT_A, decision(1, 1), false},
		{"nothing yet", pb.Seat_SEAT_A, &pb.Observation{}, true},
	} {
		guard := dealGuard{watching: true, seat: c.seat, sent: []byte("mine")}
		if err := guard.check(c.deal); (err == nil) != c.right || err != nil && !errors.Is(err, ErrEntropyMissing) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestDealGuardLooksAtTheFirstDealAlone(t *testing.T) {
	guard := dealGuard{watching: true, seat: pb.Seat_SEAT_A, sent: []byte("mine")}
	if err := errors.Join(guard.check(sealed("mine", "")), guard.check(decision(5, 5))); err != nil {
		t.Error(err)
	}
	if err := (&dealGuard{}).check(decision(5, 5)); err != nil {
		t.Error("a deal that takes no entropy: ", err)
	}
}
