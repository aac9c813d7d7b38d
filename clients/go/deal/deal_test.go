package deal

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"unoduo/clients/go/internal/vectors"
)

type hexes = map[string]vectors.Hex

func checkBytes(t *testing.T, name string, found, due []byte, mistakes hexes) {
	t.Helper()
	if !bytes.Equal(found, due) {
		t.Errorf("%s: is %x, must be %x", name, found, due)
	}
	for mistake, wrong := range mistakes {
		if bytes.Equal(found, wrong) {
			t.Errorf("%s: is what %s gives", name, mistake)
		}
	}
}

func TestCommitmentsAreThoseOfTheVectors(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		Name       string
		MatchID    vectors.Hex `json:"match_id"`
		Salt       vectors.Hex
		DealID     vectors.Hex `json:"deal_id"`
		Seed       vectors.Hex
		Commitment vectors.Hex
		Not        hexes
	}](t, "deal/commitment.json") {
		checkBytes(t, c.Name, Commitment(c.MatchID, c.Salt, c.DealID, c.Seed), c.Commitment, c.Not)
	}
}

func TestIDsOfSeedsAreThoseOfTheVectors(t *testing.T) {
	for file, idOf := range map[string]func([]byte) []byte{"deal/given.json": GivenID, "deal/shared.json": SharedID} {
		for _, c := range vectors.Cases[struct {
			Name   string
			Seed   vectors.Hex
			DealID vectors.Hex `json:"deal_id"`
			Not    hexes
		}](t, file) {
			checkBytes(t, file+" "+c.Name, idOf(c.Seed), c.DealID, c.Not)
		}
	}
}

type dealCase struct {
	Seed   vectors.Hex
	DealID vectors.Hex `json:"deal_id"`
	E1, E2 vectors.Hex
}

func (c *dealCase) deal() *Deal { return &Deal{c.Seed, c.DealID, c.E1, c.E2} }

func TestKeysAreThoseOfTheVectors(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		dealCase
		Name  string
		Round uint32
		Key   vectors.Hex
		Not   hexes
	}](t, "deal/keys.json") {
		checkBytes(t, c.Name, c.deal().Key(c.Round), c.Key, c.Not)
	}
}

func TestStreamsAreThoseOfTheVectors(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		Name  string
		Key   vectors.Hex
		Label byte
		K     uint32
		Words vectors.Hex
		Not   map[string]hexes
	}](t, "deal/streams.json") {
		stream := NewStream(c.Key, c.Label, c.K)
		var words []byte
		for range len(c.Words) / 2 {
			words = binary.BigEndian.AppendUint16(words, stream.Next())
		}
		checkBytes(t, c.Name, words, c.Words, nil)
		checkBytes(t, c.Name, words[:32], c.Words[:32], c.Not["first_block"])
	}
}

func TestShufflesAreThoseOfTheVectors(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		Name      string
		Cards     vectors.Cards
		Words     vectors.Hex
		WordsUsed int `json:"words_used"`
		Order     vectors.Cards
		Not       map[string]vectors.Cards
	}](t, "shuffle/fisher_yates.json") {
		used := 0
		order := slices.Clone(c.Cards)
		Shuffle(order, func() uint16 {
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
		Cards, Order vectors.Cards
	}
	for _, c := range vectors.Cases[struct {
		dealCase
		Name      string
		Deck, Cut vectors.Cards
		Rounds    []struct {
			Round        uint32
			Deck         vectors.Cards
			OpeningBlock pile `json:"opening_block"`
			Recycles     []pile
		}
	}](t, "deal/orders.json") {
		deal := c.deal()
		checkOrder(t, c.Name, Deck(1, 8), c.Deck)
		checkOrder(t, c.Name, deal.Shuffle(LabelCut, 0, 0, c.Deck), c.Cut)
		for _, round := range c.Rounds {
			checkOrder(t, c.Name, deal.Shuffle(LabelDeck, round.Round, 0, c.Deck), round.Deck)
			block := round.OpeningBlock
			checkOrder(t, c.Name, deal.Shuffle(LabelOpeningBlock, round.Round, 0, block.Cards), block.Order)
			for _, recycle := range round.Recycles {
				order := deal.Shuffle(LabelRecycle, round.Round, recycle.Number, recycle.Cards)
				checkOrder(t, c.Name, order, recycle.Order)
			}
		}
	}
}

func TestOrdersAreNotThoseOfKnownMistakes(t *testing.T) {
	type orders struct {
		Cut     vectors.Cards
		CutPair vectors.Cards `json:"cut_pair"`
		Decks   []vectors.Cards
	}
	for _, c := range vectors.Cases[struct {
		dealCase
		orders
		Name string
		Not  map[string]orders
	}](t, "deal/mistakes.json") {
		deal, deck := c.deal(), Deck(1, 8)
		cut := deal.Shuffle(LabelCut, 0, 0, deck)
		a, b := CutPair(cut)
		checkOrder(t, c.Name, cut, c.Cut)
		checkOrder(t, c.Name, []byte{a, b}, c.CutPair)
		for mistake, wrong := range c.Not {
			if bytes.Equal([]byte{a, b}, wrong.CutPair) {
				t.Errorf("%s: its cut is what %s gives", c.Name, mistake)
			}
		}
		for i, due := range c.Decks {
			order := deal.Shuffle(LabelDeck, uint32(i)+1, 0, deck)
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
		Faces []struct{ Number, Points int }
	}
	vectors.Read(t, "cards/faces.json", &file)
	if len(file.Faces) != wildDrawFour {
		t.Fatalf("%d faces", len(file.Faces))
	}
	for _, face := range file.Faces {
		if points := Points(byte(face.Number)); points != face.Points {
			t.Errorf("card %d is worth %d, must be %d", face.Number, points, face.Points)
		}
	}
}

func TestDecksHaveTheSizesAndPointsOfTheRules(t *testing.T) {
	for _, c := range []struct{ zeros, wilds, cards, points int }{{1, 8, 112, 800}, {2, 4, 112, 740}, {1, 4, 108, 740}} {
		points := 0
		deck := Deck(c.zeros, c.wilds)
		for _, card := range deck {
			points += Points(card)
		}
		if len(deck) != c.cards || points != c.points || !slices.IsSorted(deck) {
			t.Errorf("deck of %d cards worth %d, must be %d worth %d in order", len(deck), points, c.cards, c.points)
		}
	}
}

func TestCutWithoutADifferenceShowsItsLastPair(t *testing.T) {
	if a, b := CutPair([]byte{1, 14, 2, 15}); a != 2 || b != 15 {
		t.Errorf("shows %d and %d, must show 2 and 15", a, b)
	}
}
