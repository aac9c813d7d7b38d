package main

import (
	"strings"
	"testing"
)

func readFault(name, data string) *fault {
	return newReader(nil).firstFault(func() { read(name, []byte(data)) })
}

func TestCanonicalMessageIsRead(t *testing.T) {
	const event = "\x08\x05\x12\x08\x22\x06\x08\x01\x10\x01\x18\x06\x1a\x01\x2b\x20\x01"
	recorded := read("RecordedEvent", []byte(event))
	kind, done := recorded.message("event").kind()
	if recorded.number("sequence") != 5 || string(recorded.bytes("private_cards")) != "\x2b" || kind != "draft_done" ||
		done.enumName("Seat", "seat") != "SEAT_A" || done.number("kept_first") != 1 || done.number("discarded") != 6 ||
		string(done.data) != "\x08\x01\x10\x01\x18\x06" || recorded.number("unknown") != 0 {
		t.Errorf("read %+v", recorded)
	}
	forfeited := read("Forfeited", []byte("\x08\x01\x10\x05\x28\x00"))
	if forfeited.set.Name != "absence_ms" {
		t.Errorf("a default of a kind was not read: %+v", forfeited)
	}
	id := read("LoggedAction", []byte("\x0a\x02id\x12\x02\x2a\x00"))
	if string(id.bytes("action_id")) != "id" {
		t.Errorf("read %+v", id)
	}
}

func TestOtherFormsAreRefused(t *testing.T) {
	const action, event = "\x12\x02\x2a\x00", "\x12\x06\x3a\x04\x08\x01\x10\x01"
	for name, c := range map[string]struct{ message, data, says string }{
		"unknown field":             {"ChooseColor", "\x08\x01\x10\x01", "field 2 is unknown"},
		"field zero":                {"ChooseColor", "\x00\x01", "field 0 is unknown"},
		"tag of two bytes for one":  {"ChooseColor", "\x88\x00\x01", "shortest form"},
		"fields out of order":       {"Cut", "\x10\x01\x08\x01", "Cut.card_a"},
		"field twice":               {"Cut", "\x08\x01\x08\x01\x10\x01", "Cut.card_a"},
		"list twice":                {"Play", "\x0a\x01\x01\x0a\x01\x02", "Play.cards"},
		"wire type of bytes":        {"ChooseColor", "\x0a\x01\x01", "ChooseColor.color"},
		"wire type of a number":     {"Reveal", "\x08\x01", "Reveal.deal_id"},
		"group":                     {"ChooseColor", "\x0b", "wire type 3"},
		"fixed width":               {"ChooseColor", "\x0d\x01\x00\x00\x00", "wire type 5"},
		"default written out":       {"CardsDrawn", "\x08\x01\x10\x00\x20\x01", "CardsDrawn.count"},
		"empty bytes":               {"StartRuling", "\x0a\x00", "StartRuling.entropy_1"},
		"no cards":                  {"Play", "\x0a\x00", "Play.cards"},
		"varint cut short":          {"ChooseColor", "\x08\x81", "shortest form"},
		"varint of two bytes for 1": {"ChooseColor", "\x08\x81\x00", "shortest form"},
		"varint of 33 bits":         {"CardsDrawn", "\x08\x01\x10\x80\x80\x80\x80\x10\x20\x01", "32 bits"},
		"varint of 70 bits":         {"ChooseColor", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "shortest form"},
		"number above its range":    {"FaultPolicy", "\x08\x01\x18\x65", "FaultPolicy.rejection_limit: must be 1 to 100"},
		"flag of 2":                 {"Play", "\x18\x02", "Play.uno"},
		"enum number unknown":       {"ChooseColor", "\x08\x05", "ChooseColor.color: must be 1 to 4"},
		"required enum missing":     {"Cut", "\x08\x01", "Cut.card_b: must be set"},
		"required number missing":   {"FaultPolicy", "\x08\x01", "FaultPolicy.rejection_limit: must be set"},
		"required message missing":  {"RecordedEvent", "\x08\x01", "RecordedEvent.event: must be set"},
		"required list missing":     {"Entry", "\x12\x10" + strings.Repeat("b", 16) + "\x1a\x02\x3a\x00", "Entry.events"},
		"bytes of another size":     {"Reveal", "\x0a\x01a", "Reveal.deal_id: must be 16 to 16"},
		"longer than its message":   {"Reveal", "\x0a\x10a", "field 1 is longer"},
		"text that is not UTF-8":    {"VoidRuling", "\x08\x08\x12\x01\xff", "VoidRuling.reason"},
		"card zero":                 {"Play", "\x0a\x02\x01\x00", "Play.cards: must not hold 0"},
		"card 55":                   {"Play", "\x0a\x01\x37", "Play.cards: must not hold 55"},
		"cards not packed":          {"Play", "\x08\x01", "Play.cards"},
		"more cards than a deck":    {"Play", "\x0a\x71" + strings.Repeat("\x01", 113), "Play.cards: must be 0 to 112"},
		"below, a default":          {"Action", "\x1a\x02\x08\x00", "ChooseColor.color"},
		"two kinds":                 {"Action", "\x2a\x00\x32\x00", "Action.keep_drawn: stands beside another kind"},
		"no kind":                   {"Action", "", "Action: must have a kind"},
		"action id not in ASCII":    {"LoggedAction", "\x0a\x02\xc3\xa9" + action, "LoggedAction.action_id"},
		"cards for nobody":          {"RecordedEvent", event + "\x1a\x01\x01", "must be set beside cards"},
		"ruling for a seat":         {"RecordedEvent", "\x12\x05\x9a\x01\x02\x08\x01\x20\x01", "must not be set of a ruling"},
		"blank name":                {"Player", "\x0a\x01 ", "Player.name: must not be blank"},
		"name of a control":         {"Player", "\x0a\x02a\x07", "control or format"},
		"name of a line separator":  {"Player", "\x0a\x04a\xe2\x80\xa8", "control or format"},
		"bot of a paragraph":        {"Player", "\x0a\x01a\x12\x03\xe2\x80\xa9", "control or format"},
		"name of 65 characters":     {"Player", "\x0a\x41" + strings.Repeat("a", 65), "more than 64"},
	} {
		if found := readFault(c.message, c.data); found == nil {
			t.Errorf("%s: was read", name)
		} else if found.check != "ENCODING" || !strings.Contains(found.message, c.says) {
			t.Errorf("%s: %s, must say %q", name, found.message, c.says)
		}
	}
	for _, right := range []struct{ message, data string }{
		{"Action", "\x2a\x00"}, {"Forfeited", "\x08\x01\x10\x06"}, {"Player", "\x0a\x80\x01" + strings.Repeat("é", 64)},
		{"Play", ""}, {"RecordedEvent", event}, {"FaultPolicy", "\x08\x01\x18\x64"}, {"LoggedAction", "\x0a\x01a" + action},
	} {
		if found := readFault(right.message, right.data); found != nil {
			t.Errorf("%s: %s", right.message, found.message)
		}
	}
}
