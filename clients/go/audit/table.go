package audit

import (
	"bytes"
	"fmt"

	"unoduo/clients/go/deal"
	"unoduo/clients/go/wire"
)

// table follows the cards of a match from pile to pile as the events tell it. It knows nothing of what a seat may do
// and of what must follow, only which card comes out next, so it finds each card that is not that of the sealed deal.
type table struct {
	sealed   deal.Deal
	fresh    bool
	shuffles bool // piles = SHUFFLE
	deck     []byte
	started  bool

	round, recycles uint32
	draw            []byte // next card out first
	discards        []byte // oldest first
	offered         byte
	leastDrawn      int // cards that the next draw must take to have needed the recycle before it
}

// cardEvents are the events that tell of a card that comes out of the deal, and how the table follows them: each
// returns the private part that the event must have, or says what is wrong with its public part.
var cardEvents = map[string]func(*table, *wire.Message) ([]byte, error){
	"cut":            (*table).cut,
	"round_started":  (*table).roundStarted,
	"draft_offered":  (*table).draftOffered,
	"draft_done":     (*table).draftDone,
	"starter_turned": (*table).starterTurned,
	"cards_played":   (*table).cardsPlayed,
	"cards_drawn":    (*table).cardsDrawn,
	"recycled":       (*table).recycled,
}

func newTable(header, reveal *wire.Message) *table {
	zeros, wilds := 1, 8
	ruleset := header.Message("ruleset")
	switch ruleset.Number("deck") {
	case wire.DeckDoubleZero112:
		zeros, wilds = 2, 4
	case wire.DeckClassic108:
		wilds = 4
	}
	return &table{
		sealed:   deal.Deal{Seed: reveal.Bytes("seed"), ID: reveal.Bytes("deal_id")},
		fresh:    header.Number("deal_mode") == wire.DealModeFresh,
		shuffles: ruleset.Number("piles") == wire.PilesShuffle,
		deck:     deal.Deck(zeros, wilds),
	}
}

// follow checks the start of the match and the cards of an entry.
func (t *table) follow(name string, entry *wire.Message) *Fault {
	events := entry.Messages("events")
	if kind, start := entry.Message("input").Kind(); kind == "start" {
		if found := t.start(name, start, events); found != nil {
			return found
		}
		events = events[1:]
	}
	for _, recorded := range events {
		kind, event := recorded.Message("event").Kind()
		if kind == "deal_sealed" {
			return fault(name, checkEvents, "event %d: the deal is sealed at the start", recorded.Number("sequence"))
		}
		if found := t.followEvent(name, kind, event, recorded); found != nil {
			return found
		}
	}
	return nil
}

func (t *table) start(name string, start *wire.Message, events []*wire.Message) *Fault {
	first, second := start.Bytes("entropy_1"), start.Bytes("entropy_2")
	kind, shown := events[0].Message("event").Kind()
	switch {
	case t.started:
		return fault(name, checkLifecycle, "the match has started before")
	case max(len(first), len(second)) > 32:
		return fault(name, checkEntropy, "entropy has at most 32 bytes")
	case !t.fresh && len(first)+len(second) > 0:
		return fault(name, checkEntropy, "only a fresh deal takes entropy at the start")
	case kind != "deal_sealed" || !bytes.Equal(shown.Data(), start.Data()):
		return fault(name, checkEvents, "its first event does not show the entropy of the start")
	}
	t.started = true
	t.sealed.Entropy1, t.sealed.Entropy2 = first, second
	return nil
}

func (t *table) followEvent(name, kind string, event, recorded *wire.Message) *Fault {
	sequence, owner := recorded.Number("sequence"), uint32(0)
	private := recorded.Bytes("private_cards")
	due := private
	if follow, known := cardEvents[kind]; known {
		if !t.started {
			return fault(name, checkEvents, "event %d: a card before the deal is sealed", sequence)
		}
		var err error
		if due, err = follow(t, event); err != nil {
			return fault(name, checkEvents, "event %d: %s: %s", sequence, kind, err)
		}
	}
	switch kind {
	case "draft_offered", "draft_done", "cards_drawn", "challenged":
		owner = event.Number("seat")
	}
	if recorded.Number("private_to") != owner || !bytes.Equal(private, due) {
		return fault(name, checkPrivatePart, "event %d: %s: its private part is %v to seat %d, must be %v to seat %d",
			sequence, kind, private, recorded.Number("private_to"), due, owner)
	}
	return nil
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

func (t *table) cut(event *wire.Message) ([]byte, error) {
	a, b := deal.CutPair(t.sealed.Shuffle(deal.LabelCut, 0, 0, t.deck))
	return nil, same("cards", []byte{byte(event.Number("card_a")), byte(event.Number("card_b"))}, []byte{a, b})
}

func (t *table) roundStarted(event *wire.Message) ([]byte, error) {
	t.round++
	t.draw = t.sealed.Shuffle(deal.LabelDeck, t.round, 0, t.deck)
	t.discards, t.offered, t.recycles, t.leastDrawn = nil, 0, 0, 0
	return nil, same("round", event.Number("round"), t.round)
}

func (t *table) draftOffered(*wire.Message) ([]byte, error) {
	t.offered = t.next()
	return []byte{t.offered}, nil
}

func (t *table) draftDone(event *wire.Message) ([]byte, error) {
	entered, discarded := t.offered, t.next()
	t.offered = 0
	if event.Number("kept_first") == 0 {
		entered, discarded = discarded, entered
	}
	t.discards = append(t.discards, discarded)
	return []byte{entered}, same("discarded", byte(event.Number("discarded")), discarded)
}

func (t *table) starterTurned(event *wire.Message) ([]byte, error) {
	block := t.discards
	if t.shuffles {
		block = t.sealed.Shuffle(deal.LabelOpeningBlock, t.round, 0, block)
	}
	t.draw = append(t.draw[:len(t.draw):len(t.draw)], block...)
	starter := t.next()
	t.discards = []byte{starter}
	if err := same("card", byte(event.Number("card")), starter); err != nil {
		return nil, err
	}
	return nil, same("draw_count", int(event.Number("draw_count")), len(t.draw))
}

func (t *table) cardsPlayed(event *wire.Message) ([]byte, error) {
	t.discards = append(t.discards, event.Bytes("cards")...)
	if len(t.discards)+len(t.draw) > len(t.deck) {
		return nil, fmt.Errorf("there are more than the %d cards of the deck", len(t.deck))
	}
	return nil, nil
}

func (t *table) cardsDrawn(event *wire.Message) ([]byte, error) {
	count := int(event.Number("count"))
	if count > len(t.draw) || count < t.leastDrawn {
		return nil, fmt.Errorf("count is %d, must be %d to %d", count, t.leastDrawn, len(t.draw))
	}
	drawn := t.draw[:count]
	t.draw, t.leastDrawn = t.draw[count:], 0
	return drawn, nil
}

// recycled puts the discards under what is left of the draw pile, which the draw that needs more takes first.
func (t *table) recycled(event *wire.Message) ([]byte, error) {
	top := len(t.discards) - 1
	if top < 1 {
		return nil, fmt.Errorf("there are no discards under the top card")
	}
	t.recycles++
	block := t.discards[:top]
	if t.shuffles {
		block = t.sealed.Shuffle(deal.LabelRecycle, t.round, t.recycles, block)
	}
	t.leastDrawn = len(t.draw) + 1
	t.draw = append(t.draw[:len(t.draw):len(t.draw)], block...)
	t.discards = []byte{t.discards[top]}
	return nil, same("draw_count", int(event.Number("draw_count")), top)
}

func same[T any](name string, found, due T) error {
	if fmt.Sprint(found) != fmt.Sprint(due) {
		return fmt.Errorf("%s is %v, must be %v", name, found, due)
	}
	return nil
}
