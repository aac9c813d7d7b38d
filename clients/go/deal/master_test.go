package deal

import (
	"testing"

	"unoduo/clients/go/internal/vectors"
)

func TestCommitmentsToMastersAreThoseOfTheVectors(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		Name               string
		Master, Commitment vectors.Hex
		Not                hexes
	}](t, "deal/master.json") {
		checkBytes(t, c.Name, MasterCommitment(c.Master), c.Commitment, c.Not)
	}
}

func TestSeedsOfPairsAreThoseOfTheVectors(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		Name          string
		Master        vectors.Hex
		Pair, Attempt uint32
		Entropies     []vectors.Hex
		Seed          vectors.Hex
		Not           hexes
	}](t, "deal/pairs.json") {
		var entropies [][]byte
		for _, entropy := range c.Entropies {
			entropies = append(entropies, entropy)
		}
		checkBytes(t, c.Name, PairSeed(c.Master, c.Pair, c.Attempt, entropies), c.Seed, c.Not)
	}
}
