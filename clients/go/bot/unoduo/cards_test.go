package unoduo

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	pb "unoduo/clients/go/bot/unoduov1"
)

// readVectors reads a file of proto/vectors.
func readVectors(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "proto", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func TestFacesAreThoseOfTheVectors(t *testing.T) {
	var table struct {
		Faces []struct {
			Name, Card, Symbol string
			Color              *string
			Number, Points     int
		}
	}
	readVectors(t, "cards/faces.json", &table)
	symbols := map[string]Symbol{
		"SKIP": Skip, "REVERSE": Reverse, "DRAW_TWO": DrawTwo, "WILD": Wild, "WILD_DRAW_FOUR": WildDrawFour,
	}
	for number := range 10 {
		symbols[strconv.Itoa(number)] = Symbol(number)
	}
	if len(table.Faces) != 54 {
		t.Fatalf("%d faces", len(table.Faces))
	}
	for _, face := range table.Faces {
		card := pb.Card(pb.Card_value[face.Card])
		color := pb.Color_COLOR_UNSPECIFIED
		if face.Color != nil {
			color = pb.Color(pb.Color_value[*face.Color])
		}
		symbol, known := symbols[face.Symbol]
		if !known || int(card) != face.Number || !IsCard(card) || NameOf(card) != face.Name || ColorOf(card) != color ||
			SymbolOf(card) != symbol || PointsOf(card) != face.Points || IsWild(card) != (face.Color == nil) {
			t.Errorf("%s: %s, color %s, symbol %d, %d points",
				face.Card, NameOf(card), ColorOf(card), SymbolOf(card), PointsOf(card))
		}
	}
}

func TestMatchesFollowColorAndSymbol(t *testing.T) {
	for _, c := range []struct {
		card, top pb.Card
		active    pb.Color
		due       bool
	}{
		{pb.Card_CARD_RED_5, pb.Card_CARD_RED_9, pb.Color_COLOR_RED, true},
		{pb.Card_CARD_BLUE_9, pb.Card_CARD_RED_9, pb.Color_COLOR_RED, true},
		{pb.Card_CARD_BLUE_8, pb.Card_CARD_RED_9, pb.Color_COLOR_RED, false},
		{pb.Card_CARD_BLUE_SKIP, pb.Card_CARD_RED_SKIP, pb.Color_COLOR_RED, true},
		{pb.Card_CARD_BLUE_SKIP, pb.Card_CARD_RED_REVERSE, pb.Color_COLOR_RED, false},
		{pb.Card_CARD_BLUE_1, pb.Card_CARD_WILD, pb.Color_COLOR_BLUE, true},
		{pb.Card_CARD_BLUE_1, pb.Card_CARD_WILD, pb.Color_COLOR_RED, false},
		{pb.Card_CARD_WILD, pb.Card_CARD_RED_9, pb.Color_COLOR_RED, true},
		{pb.Card_CARD_WILD_DRAW_FOUR, pb.Card_CARD_WILD, pb.Color_COLOR_RED, true},
		{pb.Card(99), pb.Card(99), pb.Color_COLOR_RED, false},
		{pb.Card_CARD_UNSPECIFIED, pb.Card_CARD_RED_9, pb.Color_COLOR_RED, false},
	} {
		if Matches(c.card, c.top, c.active) != c.due {
			t.Errorf("%s on %s with %s: must be %v", NameOf(c.card), NameOf(c.top), c.active, c.due)
		}
	}
}

func TestWhatIsNoCardHasNothing(t *testing.T) {
	for _, card := range []pb.Card{-1, pb.Card_CARD_UNSPECIFIED, 55, 1000} {
		if IsCard(card) || IsWild(card) || ColorOf(card) != pb.Color_COLOR_UNSPECIFIED || SymbolOf(card) != NoSymbol ||
			PointsOf(card) != 0 || NameOf(card) != "??" {
			t.Errorf("%d is taken for a card", card)
		}
	}
}
