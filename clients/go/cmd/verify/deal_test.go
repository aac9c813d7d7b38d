package main

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

func TestCommitmentsAreThoseOfTheVectors(t *testing.T) {
	for _, c := range cases[struct {
		Name       string
		MatchID    hexes `json:"match_id"`
		Salt       hexes
		DealID     hexes `json:"deal_id"`
		Seed       hexes
		Commitment hexes
		Not        map[string]hexes
	}](t, "deal/commitment.json") {
		checkBytes(t, c.Name, commitment(c.MatchID, c.Salt, c.DealID, c.Seed), c.Commitment, c.Not)
	}
}

func TestIDsOfSeedsAreThoseOfTheVectors(t *testing.T) {
	for file, idOf := range map[string]func([]byte) []byte{"deal/given.json": givenID, "deal/shared.json": sharedID} {
		for _, c := range cases[struct {
			Name   string
			Seed   hexes
			DealID hexes `json:"deal_id"`
			Not    map[string]hexes
		}](t, file) {
			checkBytes(t, file+" "+c.Name, idOf(c.Seed), c.DealID, c.Not)
		}
	}
}

type dealCase struct {
	Seed   hexes
	DealID hexes `json:"deal_id"`
	E1, E2 hexes
}

func (c *dealCase) deal() *deal { return &deal{c.Seed, c.DealID, c.E1, c.E2} }

func TestKeysAreThoseOfTheVectors(t *testing.T) {
	for _, c := range cases[struct {
		dealCase
		Name  string
		Round uint32
		Key   hexes
		Not   map[string]hexes
	}](t, "deal/keys.json") {
		checkBytes(t, c.Name, c.deal().key(c.Round), c.Key, c.Not)
	}
}

func TestStreamsAreThoseOfTheVectors(t *testing.T) {
	for _, c := range cases[struct {
		Name  string
		Key   hexes
		Label byte
		K     uint32
		Words hexes
		Not   map[string]map[string]hexes
	}](t, "deal/streams.json") {
		next := words(c.Key, c.Label, c.K)
		var found []byte
		for range len(c.Words) / 2 {
			found = binary.BigEndian.AppendUint16(found, next())
		}
		checkBytes(t, c.Name, found, c.Words, nil)
		checkBytes(t, c.Name, found[:32], c.Words[:32], c.Not["first_block"])
	}
}

func TestShufflesAreThoseOfTheVectors(t *testing.T) {
	for _, c := range cases[struct {
		Name      string
		Cards     []byte
		Words     hexes
		WordsUsed int `json:"words_used"`
		Order     []byte
		Not       map[string][]byte
	}](t, "shuffle/fisher_yates.json") {
		used := 0
		order := shuffled(c.Cards, func() uint16 {
			used++
			return binary.BigEndian.Uint16(c.Words[2*used-2:])
		})
		if used != c.WordsUsed {
			t.Errorf("%s: used %d words, must use %d", c.Name, used, c.WordsUsed)
		}
		checkOrder(t, c.Name, order, c.Order)
		for mistake, wrong := range c.Not {
			if bytes.Equal(order, wrong) {
				t.Errorf("%s: is what %s gives", c.Name, mistake)
			}
		}
	}
}

func checkOrder(t *testing.T, name string, found, due []byte) {
	t.Helper()
	if !bytes.Equal(found, due) {
		t.Errorf("%s: is %v, must be %v", name, found, due)
	}
}

func TestOrdersAreThoseOfTheVectors(t *testing.T) {
	type pile struct {
		Number       uint32
		Cards, Order []byte
	}
	for _, c := range cases[struct {
		dealCase
		Name      string
		Deck, Cut []byte
		Rounds    []struct {
			Round        uint32
			Deck         []byte
			OpeningBlock pile `json:"opening_block"`
			Recycles     []pile
		}
	}](t, "deal/orders.json") {
		sealed := c.deal()
		checkOrder(t, c.Name, deck("DECK_EXTRA_WILDS_112"), c.Deck)
		checkOrder(t, c.Name, sealed.shuffle(labelCut, 0, 0, c.Deck), c.Cut)
		for _, round := range c.Rounds {
			checkOrder(t, c.Name, sealed.shuffle(labelDeck, round.Round, 0, c.Deck), round.Deck)
			block := round.OpeningBlock
			checkOrder(t, c.Name, sealed.shuffle(labelOpeningBlock, round.Round, 0, block.Cards), block.Order)
			for _, recycle := range round.Recycles {
				order := sealed.shuffle(labelRecycle, round.Round, recycle.Number, recycle.Cards)
				checkOrder(t, c.Name, order, recycle.Order)
			}
		}
	}
}

func TestOrdersAreNotThoseOfKnownMistakes(t *testing.T) {
	type orders struct {
		Cut     []byte
		CutPair []byte `json:"cut_pair"`
		Decks   [][]byte
	}
	for _, c := range cases[struct {
		dealCase
		orders
		Name string
		Not  map[string]orders
	}](t, "deal/mistakes.json") {
		sealed, cards := c.deal(), deck("DECK_EXTRA_WILDS_112")
		cut := sealed.shuffle(labelCut, 0, 0, cards)
		a, b := cutPair(cut)
		checkOrder(t, c.Name, cut, c.Cut)
		checkOrder(t, c.Name, []byte{a, b}, c.CutPair)
		for mistake, wrong := range c.Not {
			if bytes.Equal([]byte{a, b}, wrong.CutPair) {
				t.Errorf("%s: its cut is what %s gives", c.Name, mistake)
			}
		}
		for i, due := range c.Decks {
			order := sealed.shuffle(labelDeck, uint32(i)+1, 0, cards)
			checkOrder(t, c.Name, order, due)
			for mistake, wrong := range c.Not {
				if len(wrong.Decks) > 0 && bytes.Equal(order, wrong.Decks[i]) {
					t.Errorf("%s: is what %s gives", c.Name, mistake)
				}
			}
		}
	}
}

func TestFacesHaveThePointsOfTheVectors(t *testing.T) {
	var file struct {
		Faces []struct {
			Number byte
			Points int
		}
	}
	fromJSON(t, "cards/faces.json", &file)
	if len(file.Faces) != wildDrawFour {
		t.Fatalf("%d faces", len(file.Faces))
	}
	for _, face := range file.Faces {
		if found := points(face.Number); found != face.Points {
			t.Errorf("card %d is worth %d, must be %d", face.Number, found, face.Points)
		}
	}
}

func TestDecksHaveTheSizesAndPointsOfTheRules(t *testing.T) {
	for _, c := range []struct {
		name         string
		cards, worth int
	}{{"DECK_EXTRA_WILDS_112", 112, 800}, {"DECK_DOUBLE_ZERO_112", 112, 740}, {"DECK_CLASSIC_108", 108, 740}} {
		worth, cards := 0, deck(c.name)
		for _, card := range cards {
			worth += points(card)
		}
		if len(cards) != c.cards || worth != c.worth || !slices.IsSorted(cards) {
			t.Errorf("%s: %d cards worth %d, must be %d worth %d in order", c.name, len(cards), worth, c.cards, c.worth)
		}
	}
}

func TestCutWithoutADifferenceShowsItsLastPair(t *testing.T) {
	if a, b := cutPair([]byte{1, 14, 2, 15}); a != 2 || b != 15 {
		t.Errorf("shows %d and %d, must show 2 and 15", a, b)
	}
}
