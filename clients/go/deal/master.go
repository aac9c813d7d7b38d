package deal

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// MasterCommitment returns what a tournament publishes of its master seed before anybody enlists.
func MasterCommitment(master []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte("unoduo/v1/master\x00"), master))
	return sum[:]
}

// PairSeed returns the seed of the deal of a pair of matches. Pairs count from 1, attempts from 0; the entropies, of at
// most 32 bytes each, are those of the players in the order of their list.
func PairSeed(master []byte, pair, attempt uint32, entropies [][]byte) []byte {
	message := binary.BigEndian.AppendUint32([]byte("unoduo/v1/pair\x00"), pair)
	message = binary.BigEndian.AppendUint32(message, attempt)
	for _, entropy := range entropies {
		message = append(append(message, byte(len(entropy))), entropy...)
	}
	return mac(master, message)
}
