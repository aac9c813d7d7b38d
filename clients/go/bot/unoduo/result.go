package unoduo

import (
	"fmt"
	"strings"

	pb "unoduo/clients/go/bot/unoduov1"
)

// Result is how a match ended for a seat.
type Result struct {
	// Number is that of the match at its referee.
	Number uint32
	// Seat is the one that was played.
	Seat pb.Seat
	// Ended is what the referee said: outcome, final head, signature.
	Ended *pb.Ended
}

// String returns the result as one line, as in `match 7, seat A: won (TARGET), A 145 : 203 B after 9 rounds`.
func (r *Result) String() string {
	outcome := r.Ended.GetOutcome()
	verdict := "lost"
	switch outcome.GetWinner() {
	case pb.Seat_SEAT_UNSPECIFIED:
		verdict = "no winner"
	case r.Seat:
		verdict = "won"
	}
	rounds := "rounds"
	if outcome.GetRounds() == 1 {
		rounds = "round"
	}
	return fmt.Sprintf("match %d, seat %s: %s (%s), A %d : %d B after %d %s",
		r.Number, letter(r.Seat), verdict, strings.TrimPrefix(outcome.GetTermination().String(), "TERMINATION_"),
		outcome.GetTotalA(), outcome.GetTotalB(), outcome.GetRounds(), rounds)
}

func letter(seat pb.Seat) string {
	return strings.TrimPrefix(seat.String(), "SEAT_")
}
