package deal

// The faces by number: 1 + 13 * (color - 1) + symbol, then the wilds (card.proto).
const (
	colors, symbols = 4, 13
	firstAction     = 10
	wild            = 53
	wildDrawFour    = 54
)

// Deck returns a deck ascending by card number, given how many zeros of each color and how many Wilds it has
// (RULES.md R1.3 - R1.5).
func Deck(zeros, wilds int) []byte {
	var deck []byte
	add := func(card, count int) {
		for range count {
			deck = append(deck, byte(card))
		}
	}
	for color := range colors {
		add(1+symbols*color, zeros)
		for symbol := 1; symbol < symbols; symbol++ {
			add(1+symbols*color+symbol, 2)
		}
	}
	add(wild, wilds)
	add(wildDrawFour, 4)
	return deck
}

// Points returns what a card is worth (RULES.md R1.7).
func Points(card byte) int {
	switch symbol := (int(card) - 1) % symbols; {
	case card == wildDrawFour:
		return 20
	case card == wild:
		return 15
	case symbol >= firstAction:
		return 10
	default:
		return symbol
	}
}

// CutPair returns the two cards that decide a cut: the first pair of the order that differs in points, or the last
// one if none does (RULES.md R2.4, R2.5).
func CutPair(order []byte) (a, b byte) {
	for place := 0; place+1 < len(order); place += 2 {
		a, b = order[place], order[place+1]
		if Points(a) != Points(b) {
			break
		}
	}
	return a, b
}
