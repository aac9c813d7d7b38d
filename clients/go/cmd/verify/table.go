package main

import (
	"bytes"
	"slices"
)

// table follows the cards of a match from pile to pile as the events tell it. It knows nothing of what a seat may do
// and of what must follow, only which card comes out next, so it finds each card that is not that of the sealed deal.
type table struct {
	header     *message
	sealed     deal
	cards      []byte // the whole deck
	hasStarted bool

	round, recycles uint32
	draw            []byte // next card out first
	discards        []byte // oldest first
	offered         byte
	leastDrawn      int // cards that the next draw must take to have needed the recycle before it
}

func newTable(header, reveal *message) *table {
	sealed := deal{seed: reveal.bytes("seed"), id: reveal.bytes("deal_id")}
	return &table{header: header, sealed: sealed, cards: deck(header.message("ruleset").enumName("Deck", "deck"))}
}

// follow checks the start of the match and the cards of an entry.
func (t *table) follow(entry *message) {
	events := entry.messages("events")
	if kind, start := entry.message("input").kind(); kind == "start" {
		t.start(start, events[0].message("event"))
		events = events[1:]
	}
	for _, event := range events {
		t.followEvent(event)
	}
}

func (t *table) start(start, first *message) {
	kind, shown := first.kind()
	e1, e2 := start.bytes("entropy_1"), start.bytes("entropy_2")
	expect(!t.hasStarted, "LIFECYCLE", "the match has started before")
	expect(max(len(e1), len(e2)) <= 32, "ENTROPY", "entropy has at most 32 bytes")
	isFresh := t.header.enumName("DealMode", "deal_mode") == "DEAL_MODE_FRESH"
	expect(isFresh || len(start.data) == 0, "ENTROPY", "only a fresh deal takes entropy at the start")
	expect(kind == "deal_sealed" && bytes.Equal(shown.data, start.data), "EVENTS", "its entropy is not shown first")
	t.hasStarted, t.sealed.entropy1, t.sealed.entropy2 = true, e1, e2
}

// privateEvents are those that show something to the seat that they are about.
var privateEvents = []string{"draft_offered", "draft_done", "cards_drawn", "challenged"}

func (t *table) followEvent(recorded *message) {
	event := recorded.message("event")
	kind, content := event.kind()
	expect(t.hasStarted || event.set.Number >= matchEnded, "EVENTS", "%s: the deal is not sealed yet", kind)
	private, owner := recorded.bytes("private_cards"), uint32(0)
	due := private
	if kind != "challenged" { // it shows a hand, which only the rules know
		due = t.deal(kind, content)
	}
	if slices.Contains(privateEvents, kind) {
		owner = content.number("seat")
	}
	isRight := recorded.number("private_to") == owner && bytes.Equal(private, due)
	expect(isRight, "PRIVATE_PART", "%s: its private part must be %v to seat %d", kind, due, owner)
}

// deal moves the cards that an event tells of, and returns those that it must show in private.
func (t *table) deal(kind string, event *message) []byte {
	switch kind {
	case "deal_sealed":
		expect(false, "EVENTS", "the deal is sealed once, by the start")
	case "cut":
		a, b := cutPair(t.sealed.shuffle(labelCut, 0, 0, t.cards))
		shows(event, "card_a", a)
		shows(event, "card_b", b)
	case "round_started":
		t.round++
		t.draw = t.sealed.shuffle(labelDeck, t.round, 0, t.cards)
		t.discards, t.offered, t.recycles, t.leastDrawn = nil, 0, 0, 0
		shows(event, "round", t.round)
	case "draft_offered":
		t.offered = t.next()
		return []byte{t.offered}
	case "draft_done":
		entered, discarded := t.offered, t.next()
		if event.number("kept_first") == 0 {
			entered, discarded = discarded, entered
		}
		t.discards, t.offered = append(t.discards, discarded), 0
		shows(event, "discarded", discarded)
		return []byte{entered}
	case "starter_turned":
		t.putUnder(t.discards, labelOpeningBlock)
		t.discards = []byte{t.next()}
		shows(event, "card", t.discards[0])
		shows(event, "draw_count", len(t.draw))
	case "cards_played":
		t.discards = append(t.discards, event.bytes("cards")...)
		expect(len(t.discards)+len(t.draw) <= len(t.cards), "EVENTS", "more cards are played than the deck has")
	case "cards_drawn":
		least, count, most := t.leastDrawn, int(event.number("count")), len(t.draw)
		expect(least <= count && count <= most, "EVENTS", "count must be %d to %d, not %d", least, most, count)
		drawn := t.draw[:count]
		t.draw, t.leastDrawn = t.draw[count:], 0
		return drawn
	case "recycled":
		shows(event, "draw_count", t.recycle())
	}
	return nil
}

// shows expects a number in the public part of an event.
func shows[Number byte | int | uint32](event *message, name string, due Number) {
	expect(Number(event.number(name)) == due, "EVENTS", "%s must be %d, not %d", name, due, event.number(name))
}

// recycle puts all discards but the top card under what is left of the draw pile, and returns how many.
func (t *table) recycle() int {
	top := len(t.discards) - 1
	expect(top > 0, "EVENTS", "there are no discards under the top card")
	t.recycles++
	t.leastDrawn = len(t.draw) + 1
	t.putUnder(t.discards[:top], labelRecycle)
	t.discards = t.discards[top:]
	return top
}

// putUnder puts discards under the draw pile.
func (t *table) putUnder(block []byte, label byte) {
	if t.header.message("ruleset").enumName("Piles", "piles") == "PILES_SHUFFLE" {
		block = t.sealed.shuffle(label, t.round, t.recycles, block)
	}
	t.draw = slices.Concat(t.draw, block)
}

// next takes the next card of the draw pile, 0 if there is none.
func (t *table) next() byte {
	if len(t.draw) == 0 {
		return 0
	}
	card := t.draw[0]
	t.draw = t.draw[1:]
	return card
}
