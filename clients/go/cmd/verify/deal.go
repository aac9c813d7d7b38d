package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// deal is what all shuffles of a match are made from (PROTOCOL.md, "The deal"); an entropy has at most 32 bytes.
type deal struct{ seed, id, entropy1, entropy2 []byte }

// The labels of the streams.
const labelCut, labelDeck, labelOpeningBlock, labelRecycle = 1, 2, 3, 4

// commitment returns what the header of a match says of its deal.
func commitment(matchID, salt, dealID, seed []byte) []byte {
	return hash("unoduo/v1/commit\x00", matchID, salt, dealID, seed)
}

// givenID returns the id of the deal of a given seed.
func givenID(seed []byte) []byte { return hash("unoduo/v1/given-deal\x00", seed)[:16] }

// sharedID returns the id of the deal that matches share by a seed.
func sharedID(seed []byte) []byte { return hash("unoduo/v1/shared-deal\x00", seed)[:16] }

// key returns the key of a round; round 0 is the cut.
func (d *deal) key(round uint32) []byte {
	sizes := [][]byte{{byte(len(d.entropy1))}, {byte(len(d.entropy2))}}
	return mac(d.seed, []byte("unoduo/v1/deal\x00"), d.id, sizes[0], d.entropy1, sizes[1], d.entropy2, u32(round))
}

// shuffle returns the cards in the order in which they come out; recycle is 0 but for labelRecycle.
func (d *deal) shuffle(label byte, round, recycle uint32, cards []byte) []byte {
	return shuffled(cards, words(d.key(round), label, recycle))
}

// words returns what gives the 16-bit words of a label under a key, one after the other.
func words(key []byte, label byte, k uint32) func() uint16 {
	var block []byte
	blocks := uint32(0)
	return func() uint16 {
		if len(block) == 0 {
			block = mac(key, []byte{label}, u32(k), u32(blocks))
			blocks++
		}
		word := binary.BigEndian.Uint16(block)
		block = block[2:]
		return word
	}
}

// shuffled returns the cards, at most 65,536, in an order by words.
func shuffled(cards []byte, next func() uint16) []byte {
	order := slices.Clone(cards)
	for last := len(order) - 1; last > 0; last-- {
		count := last + 1
		limit := 65536 - 65536%count
		word := int(next())
		for word >= limit {
			word = int(next())
		}
		order[last], order[word%count] = order[word%count], order[last]
	}
	return order
}

// hash returns the SHA-256 of a tag and what follows it.
func hash(tag string, pieces ...[]byte) []byte {
	sum := sha256.Sum256(append([]byte(tag), slices.Concat(pieces...)...))
	return sum[:]
}

func mac(key []byte, pieces ...[]byte) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write(slices.Concat(pieces...))
	return hash.Sum(nil)
}

func u32(number uint32) []byte { return binary.BigEndian.AppendUint32(nil, number) }

// The faces by number: 1 + 13 * (color - 1) + symbol, then the wilds (card.proto).
const symbols, wild, wildDrawFour = 13, 53, 54

// deck returns a deck of ruleset.proto, ascending by card number (RULES.md R1.3 - R1.5).
func deck(name string) []byte {
	zeros, wilds := 1, 8
	switch name {
	case "DECK_DOUBLE_ZERO_112":
		zeros, wilds = 2, 4
	case "DECK_CLASSIC_108":
		wilds = 4
	}
	var cards []byte
	for card := byte(1); card < wild; card++ {
		count := 2
		if card%symbols == 1 {
			count = zeros
		}
		cards = append(cards, bytes.Repeat([]byte{card}, count)...)
	}
	cards = append(cards, bytes.Repeat([]byte{wild}, wilds)...)
	return append(cards, bytes.Repeat([]byte{wildDrawFour}, 4)...)
}

// points returns what a card is worth (RULES.md R1.7): its number, 10 if it has an action.
func points(card byte) int {
	switch card {
	case wild:
		return 15
	case wildDrawFour:
		return 20
	}
	return min(int(card-1)%symbols, 10)
}

// cutPair returns the two cards that decide a cut: the first pair of the order that differs in points, or the last
// one if none does (RULES.md R2.4, R2.5).
func cutPair(order []byte) (a, b byte) {
	for place := 0; place+1 < len(order); place += 2 {
		a, b = order[place], order[place+1]
		if points(a) != points(b) {
			break
		}
	}
	return a, b
}
