package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
)

// The revision of the rules whose piles this program follows.
const rulesRevision = 1

// audit holds what has been read of a file so far.
type audit struct {
	*reader
	*report
	key             ed25519.PublicKey // of the referee, nil if it is not known
	reveal          *message          // read ahead, nil if it cannot be reached or read
	header, seal    *message
	h0, head        []byte
	isOpen, isDealt bool     // the reveal opens the commitment, and was reached
	table           *table   // nil if the deal is not known
	outcome         *message // of the last event, nil if that does not end the match
	missing         string   // in the index
}

// verify returns the verdict on a file. Parts are checked in their order, the index last if there is one, and the first
// wrong one decides. One part is held at a time. The file is read twice, for the seed is needed before the first entry;
// an error is one of reading it.
func verify(name string, file io.ReadSeeker, key ed25519.PublicKey, index *index) (*report, error) {
	a := &audit{reader: newReader(file), report: newReport(name), key: key}
	a.firstFault(func() { a.parts(a.lookAhead) })
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	a.in.Reset(a.reader)
	found := a.firstFault(func() {
		a.parts(a.check)
		if index != nil {
			index.check(a)
		}
	})
	a.conclude(found, index)
	return a.report, a.err
}

func (a *audit) lookAhead(name string, data, _ []byte) {
	if name == "Reveal" {
		a.reveal = read(name, data)
	}
}

func (a *audit) check(name string, data, head []byte) {
	switch name {
	case "Header":
		expect(bytes.Equal(head, hash("\x00", data)), "FILE", "its head is not that of its bytes")
		a.checkHeader(read(name, data), head)
	case "Entry":
		expect(bytes.Equal(head, hash("\x01", a.head, data)), "FILE", "its head does not follow from the one before")
		a.checkEntry(read(name, data), head)
	case "Seal":
		a.checkSeal(read(name, data))
	case "Reveal":
		a.checkReveal(read(name, data))
	}
}

func (a *audit) checkHeader(header *message, h0 []byte) {
	a.header, a.h0, a.head = header, h0, h0
	a.isOpen = a.reveal != nil && bytes.Equal(header.bytes("commitment"), commitment(header.bytes("match_id"),
		a.reveal.bytes("salt"), a.reveal.bytes("deal_id"), a.reveal.bytes("seed")))
	if a.isOpen && header.number("rules_revision") == rulesRevision {
		a.table = newTable(header, a.reveal)
	}
}

func (a *audit) checkEntry(entry *message, head []byte) {
	index, events := entry.number("index"), entry.messages("events")
	first := events[0].number("sequence")
	expect(index == a.Entries+1, "INDEX", "it calls itself entry %d", index)
	expect(first == a.Sequence+1, "SEQUENCE", "its events are numbered from %d, must be from %d", first, a.Sequence+1)
	if a.table != nil {
		a.table.follow(entry)
	}
	if kind, _ := entry.message("input").kind(); kind == "action" {
		a.Actions++
	}
	_, last := events[len(events)-1].message("event").kind()
	a.head, a.outcome = head, last.message("outcome")
	a.Entries, a.Sequence = a.Entries+1, a.Sequence+uint32(len(events))
}

func (a *audit) checkSeal(seal *message) {
	expect(bytes.Equal(seal.bytes("final_head"), a.head), "FINAL_HEAD", "it names another head than the last entry has")
	expect(a.outcome != nil, "OUTCOME", "the last event does not end the match")
	expect(bytes.Equal(seal.message("outcome").data, a.outcome.data), "OUTCOME", "it is not that of the last event")
	a.seal = seal
	if a.key != nil {
		signed := result(a.header.number("match_number"), a.h0, a.head, a.outcome.data)
		isKey := bytes.Equal(a.header.bytes("key_id"), hash("", a.key)[:16])
		expect(seal.bytes("signature") != nil, "SIGNATURE", "the result is not signed")
		expect(isKey, "SIGNATURE", "the header names another key than the one given")
		expect(ed25519.Verify(a.key, signed, seal.bytes("signature")), "SIGNATURE", "the key given did not sign this result")
	}
}

// result returns the bytes that the referee signs.
func result(number uint32, h0, head, outcome []byte) []byte {
	return slices.Concat([]byte("unoduo/v1/result\x00"), u32(number), h0, head, outcome)
}

func (a *audit) checkReveal(reveal *message) {
	id, seed, mode := reveal.bytes("deal_id"), reveal.bytes("seed"), a.header.enumName("DealMode", "deal_mode")
	isGiven := mode != "DEAL_MODE_GIVEN" || bytes.Equal(id, givenID(seed))
	isShared := mode != "DEAL_MODE_SHARED" || bytes.Equal(id, sharedID(seed))
	isSame := a.reveal != nil && bytes.Equal(reveal.data, a.reveal.data)
	expect(isSame, "FILE", "the file was changed while it was read")
	expect(a.isOpen, "COMMITMENT", "it does not open the commitment of the header")
	expect(isGiven && isShared, "DEAL_ID", "its deal id is not that of its seed")
	a.isDealt = true
}

// conclude completes the report.
func (a *audit) conclude(found *fault, index *index) {
	if found == nil {
		revision := a.header.number("rules_revision")
		otherRules := fmt.Sprintf("the match was judged by revision %d of the rules: no card was checked", revision)
		a.note(a.seal == nil, "the file has no seal: the match was not over, or its end was cut off")
		a.note(!a.isDealt, "the deal is not revealed: no card was checked")
		a.note(revision != rulesRevision, otherRules)
		a.note(a.missing != "", a.missing)
	}
	a.judge(found)
	isUnsigned := a.key == nil || found == nil && a.seal == nil
	a.note(isUnsigned, "signer unknown: no signature was checked, so anybody can have written this file")
	a.note(true, "no rule was judged: legality, order of events, hands, points, clocks and faults are what the file tells")
	a.note(true, "what each seat was shown, its entropy and the times measured: only the seat's own journal tells")
	a.note(index == nil, "that the match was not run twice or left out: only an index tells")
	a.note(index != nil && !index.isSigned, notSigned)
	a.DealChecked = found == nil && a.table != nil
	if a.header != nil {
		a.tell(a.header)
	}
}

// tell reports what match it is.
func (a *audit) tell(header *message) {
	isShared := header.enumName("DealMode", "deal_mode") == "DEAL_MODE_SHARED"
	a.note(isShared, "that the seed of this shared deal was fixed before the players enlisted: only a master file tells")
	a.Number, a.MatchID = header.number("match_number"), hex.EncodeToString(header.bytes("match_id"))
	a.H0, a.FinalHead = hex.EncodeToString(a.h0), hex.EncodeToString(a.head)
	for _, player := range header.messages("players") {
		a.Players = append(a.Players, string(player.bytes("name")))
	}
	if a.outcome != nil {
		a.Outcome = outcomeOf(a.outcome)
	}
}
