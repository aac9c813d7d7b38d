package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// report is the verdict on a file; its JSON has the fields of `unoduo verify --json`. What does not apply is nil.
type report struct {
	File             string         `json:"file"`
	Status           string         `json:"status"` // ok, wrong or incomplete
	Part             any            `json:"part"`
	Check            any            `json:"check"`
	Clause           any            `json:"clause"` // nil
	Message          string         `json:"message"`
	NotProven        []string       `json:"not_proven"`
	Judged           bool           `json:"judged"` // false
	Number           any            `json:"number"`
	MatchID          any            `json:"match_id"`
	Players          []string       `json:"players"`
	H0               any            `json:"h0"`
	Entries          uint32         `json:"entries"`
	Actions          uint32         `json:"actions"`
	Sequence         uint32         `json:"sequence"`
	FinalHead        any            `json:"final_head"`
	Outcome          map[string]any `json:"outcome"`
	MasterCommitment any            `json:"master_commitment"` // nil
	DealChecked      bool           `json:"deal_checked"`
	headline         string
}

func newReport(file string) *report {
	return &report{File: file, Status: "ok", headline: "ok", NotProven: []string{}}
}

// note adds to what is not proven.
func (r *report) note(applies bool, text string) {
	if applies {
		r.NotProven = append(r.NotProven, text)
	}
}

// judge sets the verdict; what was noted by now makes the file incomplete.
func (r *report) judge(found *fault) {
	if found != nil {
		r.Status, r.Part, r.Check, r.Message = "wrong", found.part, found.check, found.message
		r.headline = fmt.Sprintf("WRONG at %s: %s (%s)", found.part, found.message, found.check)
	} else if len(r.NotProven) > 0 {
		r.Status, r.Message, r.headline = "incomplete", r.NotProven[0], "incomplete: "+r.NotProven[0]
	}
}

func outcomeOf(m *message) map[string]any {
	seats, faulted := []any{nil, "A", "B"}, []any{}
	for _, seat := range m.bytes("faulted") {
		faulted = append(faulted, seats[seat])
	}
	termination := strings.TrimPrefix(m.enumName("Termination", "termination"), "TERMINATION_")
	totals := []uint32{m.number("total_a"), m.number("total_b")}
	return map[string]any{"winner": seats[m.number("winner")], "termination": termination, "totals": totals,
		"rounds": m.number("rounds"), "faulted": faulted}
}

// write tells the verdict to people, or as an object on a line.
func (r *report) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(r)
	}
	// Quoted, a name cannot steer a terminal or pass for another line.
	text := fmt.Sprintf("%q: %s", r.File, r.headline)
	if r.Status != "wrong" && len(r.NotProven) > 0 {
		text += "\n  not proven: " + strings.Join(r.NotProven, "\n  not proven: ")
	}
	_, err := fmt.Fprintln(out, text)
	return err
}
