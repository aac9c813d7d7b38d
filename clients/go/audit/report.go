// Package audit verifies replay files as far as that needs no rules of the game.
package audit

import (
	"encoding/hex"
	"fmt"

	"unoduo/clients/go/wire"
)

// The verdicts.
const (
	OK         = "ok"
	Wrong      = "wrong"
	Incomplete = "incomplete"
)

// The checks, named as `unoduo verify` names them. Those of the index are MATCH and NUMBERS, beside FILE and ENCODING.
const (
	checkFile        = "FILE"
	checkEncoding    = "ENCODING"
	checkIndex       = "INDEX"
	checkSequence    = "SEQUENCE"
	checkLifecycle   = "LIFECYCLE"
	checkEntropy     = "ENTROPY"
	checkEvents      = "EVENTS"
	checkPrivatePart = "PRIVATE_PART"
	checkFinalHead   = "FINAL_HEAD"
	checkOutcome     = "OUTCOME"
	checkSignature   = "SIGNATURE"
	checkCommitment  = "COMMITMENT"
	checkDealID      = "DEAL_ID"
	checkMaster      = "MASTER"
	checkNumbers     = "NUMBERS"
	checkMatch       = "MATCH"
)

// Fault is the first thing that is wrong. Part is `file head`, `header`, `entry N`, `seal`, `reveal` or `index`.
type Fault struct {
	Part, Check, Message string
}

func fault(part, check, format string, arguments ...any) *Fault {
	return &Fault{part, check, fmt.Sprintf(format, arguments...)}
}

// Report is the verdict on a file; its JSON has the fields of `unoduo verify --json`. What does not apply is nil.
type Report struct {
	File        string   `json:"file"`
	Status      string   `json:"status"`
	Part        *string  `json:"part"`
	Check       *string  `json:"check"`
	Clause      *string  `json:"clause"`
	Message     string   `json:"message"`
	NotProven   []string `json:"not_proven"`
	Judged      bool     `json:"judged"`
	Number      *uint32  `json:"number"`
	MatchID     *string  `json:"match_id"`
	Players     []string `json:"players"`
	H0          *string  `json:"h0"`
	Entries     int      `json:"entries"`
	Actions     int      `json:"actions"`
	Sequence    uint32   `json:"sequence"`
	FinalHead   *string  `json:"final_head"`
	Outcome     *Outcome `json:"outcome"`
	DealChecked bool     `json:"deal_checked"`
	// MasterCommitment is that of the master file.
	MasterCommitment *string `json:"master_commitment"`
}

// Outcome is how a match ended.
type Outcome struct {
	Winner      *string   `json:"winner"`
	Termination string    `json:"termination"`
	Totals      [2]uint32 `json:"totals"`
	Rounds      uint32    `json:"rounds"`
	Faulted     []string  `json:"faulted"`
}

var terminations = []string{"", "TARGET", "ROUND_CAP", "TIMEOUT", "ILLEGAL_ACTION", "DISCONNECT", "NO_SHOW",
	"RESIGNATION", "VOID_ORGANISER", "VOID_REFEREE"}

func outcomeOf(message *wire.Message) *Outcome {
	outcome := &Outcome{
		Termination: terminations[message.Number("termination")],
		Totals:      [2]uint32{message.Number("total_a"), message.Number("total_b")},
		Rounds:      message.Number("rounds"),
		Faulted:     []string{},
	}
	if winner := message.Number("winner"); winner != 0 {
		name := seatName(byte(winner))
		outcome.Winner = &name
	}
	for _, seat := range message.Bytes("faulted") {
		outcome.Faulted = append(outcome.Faulted, seatName(seat))
	}
	return outcome
}

func seatName(seat byte) string { return string(rune('A' + seat - wire.SeatA)) }

func hexText(data []byte) *string {
	if data == nil {
		return nil
	}
	text := hex.EncodeToString(data)
	return &text
}
