package unoduo

import (
	"testing"

	pb "unoduo/clients/go/bot/unoduov1"
)

func TestResultIsOneLine(t *testing.T) {
	for _, c := range []struct {
		outcome *pb.Outcome
		due     string
	}{
		{
			&pb.Outcome{
				Winner: pb.Seat_SEAT_A, Termination: pb.Termination_TERMINATION_TARGET, TotalA: 145, TotalB: 203, Rounds: 9,
			},
			"match 7, seat A: won (TARGET), A 145 : 203 B after 9 rounds",
		},
		{
			&pb.Outcome{Winner: pb.Seat_SEAT_B, Termination: pb.Termination_TERMINATION_TIMEOUT, Rounds: 1},
			"match 7, seat A: lost (TIMEOUT), A 0 : 0 B after 1 round",
		},
		{
			&pb.Outcome{Termination: pb.Termination_TERMINATION_VOID_ORGANISER},
			"match 7, seat A: no winner (VOID_ORGANISER), A 0 : 0 B after 0 rounds",
		},
		{&pb.Outcome{Termination: 99}, "match 7, seat A: no winner (99), A 0 : 0 B after 0 rounds"},
	} {
		result := Result{Number: 7, Seat: pb.Seat_SEAT_A, Ended: &pb.Ended{Outcome: c.outcome}}
		if line := result.String(); line != c.due {
			t.Errorf("%q, must be %q", line, c.due)
		}
	}
}
