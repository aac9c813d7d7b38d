// Package deal derives the orders of cards of a match from its sealed deal (PROTOCOL.md, "The deal").
package deal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// The labels of the streams.
const (
	LabelCut          = 1
	LabelDeck         = 2
	LabelOpeningBlock = 3
	LabelRecycle      = 4
)

// Commitment returns what the header of a match says of its deal.
func Commitment(matchID, salt, dealID, seed []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte("unoduo/v1/commit\x00"), matchID, salt, dealID, seed))
	return sum[:]
}

// GivenID returns the id of the deal of a given seed.
func GivenID(seed []byte) []byte { return idOf("unoduo/v1/given-deal\x00", seed) }

// SharedID returns the id of the deal that matches share by a seed.
func SharedID(seed []byte) []byte { return idOf("unoduo/v1/shared-deal\x00", seed) }

func idOf(tag string, seed []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte(tag), seed))
	return sum[:16]
}

// Deal is what all shuffles of a match are made from; each entropy has at most 32 bytes.
type Deal struct {
	Seed, ID, Entropy1, Entropy2 []byte
}

// Key returns the key of a round; round 0 is the cut.
func (d *Deal) Key(round uint32) []byte {
	message := slices.Concat([]byte("unoduo/v1/deal\x00"), d.ID,
		[]byte{byte(len(d.Entropy1))}, d.Entropy1,
		[]byte{byte(len(d.Entropy2))}, d.Entropy2)
	return mac(d.Seed, binary.BigEndian.AppendUint32(message, round))
}

// Shuffle returns the cards in the order in which they come out; recycle is 0 but for LabelRecycle.
func (d *Deal) Shuffle(label byte, round, recycle uint32, cards []byte) []byte {
	order := slices.Clone(cards)
	Shuffle(order, NewStream(d.Key(round), label, recycle).Next)
	return order
}

// Stream gives the 16-bit words of a label under a key.
type Stream struct {
	key, message, block []byte
	blocks              uint32
}

// NewStream returns a stream at its first word.
func NewStream(key []byte, label byte, k uint32) *Stream {
	return &Stream{key: key, message: binary.BigEndian.AppendUint32([]byte{label}, k)}
}

// Next returns the next word.
func (s *Stream) Next() uint16 {
	if len(s.block) == 0 {
		s.block = mac(s.key, binary.BigEndian.AppendUint32(slices.Clone(s.message), s.blocks))
		s.blocks++
	}
	word := binary.BigEndian.Uint16(s.block)
	s.block = s.block[2:]
	return word
}

// Shuffle puts the cards, at most 65,536, in a random order by the words of a stream.
func Shuffle(cards []byte, next func() uint16) {
	for last := len(cards) - 1; last > 0; last-- {
		count := uint32(last) + 1
		limit := 65536 - 65536%count
		word := uint32(next())
		for word >= limit {
			word = uint32(next())
		}
		chosen := word % count
		cards[last], cards[chosen] = cards[chosen], cards[last]
	}
}

func mac(key, message []byte) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write(message)
	return hash.Sum(nil)
}
