package audit

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"unoduo/clients/go/deal"
	"unoduo/clients/go/wire"
)

// The revision of the rules whose piles this program follows.
const rulesRevision = 1

// What a file does not prove.
const (
	signerUnknown = "signer unknown: no signature was checked, so anybody can have written this file"
	noRules       = "no rule was judged: legality, order of events, hands, points, clocks and faults are those that the file tells"
	journalsOnly  = "what each seat was shown, the entropy that it sent and the times measured: only the seat's own journal tells"
	notSigned     = "that the index is the referee's: no signature of it was checked"
	noIndex       = "that the match was not run twice or left out: only an index tells"
	noSeal        = "the file has no seal: the match was not over, or its end was cut off"
	noMaster      = "that the seed of this shared deal was fixed before the players enlisted: only a master file tells"
	notListed     = "the master file does not list this match"
	noReveal      = "the deal is not revealed: no card was checked"
)

// Evidence is what a file is held against.
type Evidence struct {
	Key    ed25519.PublicKey // of the referee, nil if it is not known
	Index  *Index            // nil if there is none
	Master *Master           // of the tournament, nil if there is none
}

// audit holds what has been read of a file so far.
type audit struct {
	evidence       Evidence
	header, reveal *wire.Message
	h0, head       []byte
	table          *table // nil if the deal is not known
	entries        int
	actions        int
	sequence       uint32
	outcome        *wire.Message
	seal           *wire.Message
	revealed       bool
	notCovered     string // by the index
}

// Verify returns the verdict on a file. Parts are checked in their order, the index last, and the first wrong one
// decides. One part is held at a time; the file is read twice, and an error is one of reading it.
func Verify(name string, file io.ReadSeeker, evidence Evidence) (Report, error) {
	a, ahead, r := &audit{evidence: evidence}, newReader(file), newReader(file)
	if data := ahead.reveal(); data != nil {
		a.reveal, _ = wire.Read(wire.Reveal, data)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return Report{}, err
	}
	found := r.parts(a.part)
	if err := errors.Join(ahead.err, r.err); err != nil {
		return Report{}, err
	}
	if found == nil && evidence.Index != nil {
		found = a.checkIndex(evidence.Index)
	}
	return a.report(name, found), nil
}

func (a *audit) part(p part) *Fault {
	schema, check := wire.Entry, a.checkEntry
	switch p.name {
	case "header":
		schema, check = wire.Header, a.checkHeader
	case "seal":
		schema, check = wire.Seal, a.checkSeal
	case "reveal":
		schema, check = wire.Reveal, a.checkReveal
	}
	message, err := wire.Read(schema, p.data)
	if err != nil {
		return fault(p.name, checkEncoding, "%s", err)
	}
	return check(p, message)
}

func (a *audit) checkHeader(p part, header *wire.Message) *Fault {
	a.header, a.h0, a.head = header, p.head, p.head
	if header.Number("rules_revision") == rulesRevision && a.reveal != nil && a.opens(a.reveal) {
		a.table = newTable(header, a.reveal)
	}
	return nil
}

func (a *audit) opens(reveal *wire.Message) bool {
	commitment := deal.Commitment(a.header.Bytes("match_id"), reveal.Bytes("salt"), reveal.Bytes("deal_id"),
		reveal.Bytes("seed"))
	return bytes.Equal(commitment, a.header.Bytes("commitment"))
}

func (a *audit) checkEntry(p part, entry *wire.Message) *Fault {
	events := entry.Messages("events")
	if index := entry.Number("index"); index != uint32(p.index) {
		return fault(p.name, checkIndex, "it calls itself entry %d", index)
	}
	if first := events[0].Number("sequence"); first != a.sequence+1 {
		return fault(p.name, checkSequence, "its events are numbered from %d, must be from %d", first, a.sequence+1)
	}
	if a.table != nil {
		if found := a.table.follow(p.name, entry); found != nil {
			return found
		}
	}
	a.head = p.head
	a.entries++
	a.sequence += uint32(len(events))
	if kind, _ := entry.Message("input").Kind(); kind == "action" {
		a.actions++
	}
	a.outcome = nil
	if kind, event := events[len(events)-1].Message("event").Kind(); kind == "match_ended" {
		a.outcome = event.Message("outcome")
	}
	return nil
}

func (a *audit) checkSeal(p part, seal *wire.Message) *Fault {
	switch outcome := seal.Message("outcome"); {
	case !bytes.Equal(seal.Bytes("final_head"), a.head):
		return fault(p.name, checkFinalHead, "it names another head than that of the last entry")
	case a.outcome == nil:
		return fault(p.name, checkOutcome, "the last event does not end the match")
	case !bytes.Equal(outcome.Data(), a.outcome.Data()):
		return fault(p.name, checkOutcome, "its outcome is not that of the last event")
	}
	a.seal = seal
	return a.checkSignature(p.name, seal.Bytes("signature"))
}

func (a *audit) checkSignature(name string, signature []byte) *Fault {
	key := a.evidence.Key
	if key == nil {
		return nil
	}
	keyID := sha256.Sum256(key)
	switch result := a.result(); {
	case len(signature) == 0:
		return fault(name, checkSignature, "the result is not signed")
	case !bytes.Equal(a.header.Bytes("key_id"), keyID[:16]):
		return fault(name, checkSignature, "the header names another key than the one given")
	case !ed25519.Verify(key, result, signature):
		return fault(name, checkSignature, "the signature is not that of this result by the key given")
	}
	return nil
}

// result returns the bytes that the referee signs.
func (a *audit) result() []byte {
	return resultBytes(a.header.Number("match_number"), a.h0, a.head, a.outcome.Data())
}

func resultBytes(number uint32, h0, head, outcome []byte) []byte {
	tag := binary.BigEndian.AppendUint32([]byte("unoduo/v1/result\x00"), number)
	return slices.Concat(tag, h0, head, outcome)
}

func (a *audit) checkReveal(p part, reveal *wire.Message) *Fault {
	if !a.opens(reveal) {
		return fault(p.name, checkCommitment, "it does not open the commitment of the header")
	}
	if a.table == nil && a.header.Number("rules_revision") == rulesRevision {
		// When the file was read for it, before the first entry, it opened nothing.
		return fault(p.name, checkFile, "the file was changed while it was read")
	}
	seed, dealID := reveal.Bytes("seed"), reveal.Bytes("deal_id")
	switch mode := a.header.Number("deal_mode"); {
	case mode == wire.DealModeGiven && !bytes.Equal(dealID, deal.GivenID(seed)):
		return fault(p.name, checkDealID, "its deal id is not that of a given seed")
	case mode == wire.DealModeShared && !bytes.Equal(dealID, deal.SharedID(seed)):
		return fault(p.name, checkDealID, "its deal id is not that of a shared seed")
	}
	if master := a.evidence.Master; master != nil {
		if found := master.fault(p.name, a.header, reveal); found != nil {
			return found
		}
	}
	a.revealed = true
	return nil
}

// missing returns why the file is incomplete, a sentence each.
func (a *audit) missing() []string {
	var missing []string
	if a.seal == nil {
		missing = append(missing, noSeal)
	}
	if !a.revealed {
		missing = append(missing, noReveal)
	}
	if revision := a.header.Number("rules_revision"); revision != rulesRevision {
		missing = append(missing, fmt.Sprintf("the match was judged by revision %d of the rules, this program knows "+
			"revision %d: no card was checked", revision, rulesRevision))
	}
	if a.notCovered != "" {
		missing = append(missing, a.notCovered)
	}
	if master := a.evidence.Master; master != nil {
		if text := master.missing(a.header); text != "" {
			missing = append(missing, text)
		}
	}
	return missing
}

func (a *audit) report(name string, found *Fault) Report {
	report := Report{File: name, Status: OK, H0: hexText(a.h0), Entries: a.entries, Actions: a.actions,
		Sequence: a.sequence, FinalHead: hexText(a.head), NotProven: []string{}}
	if found != nil {
		report.Status, report.Part, report.Check, report.Message = Wrong, &found.Part, &found.Check, found.Message
	} else if report.NotProven = append(report.NotProven, a.missing()...); len(report.NotProven) > 0 {
		report.Status, report.Message = Incomplete, report.NotProven[0]
	}
	if a.evidence.Key == nil || slices.Contains(report.NotProven, noSeal) {
		report.NotProven = append(report.NotProven, signerUnknown)
	}
	report.NotProven = append(report.NotProven, noRules, journalsOnly)
	if a.evidence.Index == nil {
		report.NotProven = append(report.NotProven, noIndex)
	} else if !a.evidence.Index.signed {
		report.NotProven = append(report.NotProven, notSigned)
	}
	if a.evidence.Master != nil {
		report.MasterCommitment = hexText(a.evidence.Master.Commitment)
	} else if a.header != nil && a.header.Number("deal_mode") == wire.DealModeShared {
		report.NotProven = append(report.NotProven, noMaster)
	}
	report.DealChecked = found == nil && a.table != nil
	if a.header != nil {
		number := a.header.Number("match_number")
		report.Number, report.MatchID = &number, hexText(a.header.Bytes("match_id"))
		for _, player := range a.header.Messages("players") {
			report.Players = append(report.Players, string(player.Bytes("name")))
		}
	}
	if a.outcome != nil {
		report.Outcome = outcomeOf(a.outcome)
	}
	return report
}
