package unoduo

import pb "unoduo/clients/go/bot/unoduov1"

// Symbol is what a card shows apart from its color: 0 to 9 for the numbers, or one of the names below.
type Symbol int

// The symbols that are no number.
const (
	NoSymbol     Symbol = -1
	Skip         Symbol = 10
	Reverse      Symbol = 11
	DrawTwo      Symbol = 12
	Wild         Symbol = 13
	WildDrawFour Symbol = 14
)

const (
	symbolsPerColor = 13
)

// IsCard returns whether a number is that of a card: a newer referee may name some that this package does not know.
func IsCard(card pb.Card) bool {
	return pb.Card_CARD_RED_0 <= card && card <= pb.Card_CARD_WILD_DRAW_FOUR
}

// IsWild returns whether a card is a Wild or Wild Draw Four.
func IsWild(card pb.Card) bool {
	return card == pb.Card_CARD_WILD || card == pb.Card_CARD_WILD_DRAW_FOUR
}

// ColorOf returns the color of a card, COLOR_UNSPECIFIED for a wild and for what is no card.
func ColorOf(card pb.Card) pb.Color {
	if !IsCard(card) || IsWild(card) {
		return pb.Color_COLOR_UNSPECIFIED
	}
	return pb.Color(1 + (card-1)/symbolsPerColor)
}

// SymbolOf returns the symbol of a card, NoSymbol for what is no card.
func SymbolOf(card pb.Card) Symbol {
	switch {
	case !IsCard(card):
		return NoSymbol
	case IsWild(card):
		return Wild + Symbol(card-pb.Card_CARD_WILD)
	default:
		return Symbol((card - 1) % symbolsPerColor)
	}
}

// PointsOf returns what a card costs its holder at the end of a round (RULES.md R1.7), 0 for what is no card.
func PointsOf(card pb.Card) int {
	switch symbol := SymbolOf(card); symbol {
	case NoSymbol:
		return 0
	case Skip, Reverse, DrawTwo:
		return 10
	case Wild:
		return 15
	case WildDrawFour:
		return 20
	default:
		return int(symbol)
	}
}

// Matches returns whether a card can be laid on the top card while a color is in force (RULES.md R5): a wild always, a
// colored card by the color in force or by the symbol of the top card.
func Matches(card, top pb.Card, active pb.Color) bool {
	return IsCard(card) && (IsWild(card) || ColorOf(card) == active || SymbolOf(card) == SymbolOf(top))
}

// NameOf returns the short name of a card, as in R5, GS, BR, YD, WW, WF, or ?? for what is no card.
func NameOf(card pb.Card) string {
	switch {
	case !IsCard(card):
		return "??"
	case card == pb.Card_CARD_WILD:
		return "WW"
	case card == pb.Card_CARD_WILD_DRAW_FOUR:
		return "WF"
	default:
		return string([]byte{"RYGB"[ColorOf(card)-1], "0123456789SRD"[SymbolOf(card)]})
	}
}
