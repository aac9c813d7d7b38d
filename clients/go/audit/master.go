package audit

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"unoduo/clients/go/deal"
	"unoduo/clients/go/wire"
)

const masterFormat = "unoduo-master-1"

const maxEntropy = 32

// Master is what a tournament publishes of its deals at its end.
type Master struct {
	// Commitment must be what was published before anybody enlisted.
	Commitment []byte
	pairs      map[string]pair
	leftOut    uint32 // the first number of a pair that is not listed
}

type pair struct {
	number, attempt uint32
	seed            []byte
}

// ReadMaster reads a master file.
func ReadMaster(file []byte) (*Master, error) {
	fields, err := object(file, "the file", "format", "master", "entropies", "pairs")
	if err != nil {
		return nil, err
	}
	if format, err := text(fields["format"], "format"); err != nil || format != masterFormat {
		return nil, fmt.Errorf("its format is not %s", masterFormat)
	}
	seed, err := hexBytes(fields["master"], "master")
	if err != nil {
		return nil, err
	}
	if len(seed) != 32 {
		return nil, fmt.Errorf("master has %d bytes, must have 32", len(seed))
	}
	entropies, err := hexList(fields["entropies"], "entropies")
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(entropies, func(entropy []byte) bool { return len(entropy) > maxEntropy }) {
		return nil, fmt.Errorf("an entropy has more than %d bytes", maxEntropy)
	}
	pairs, err := list(fields["pairs"], "pairs")
	if err != nil {
		return nil, err
	}
	master := &Master{deal.MasterCommitment(seed), map[string]pair{}, 1}
	attempts := map[uint32][]uint32{}
	for place, value := range pairs {
		read, err := master.add(seed, entropies, value)
		if err != nil {
			return nil, fmt.Errorf("pairs[%d]: %w", place, err)
		}
		attempts[read.number] = append(attempts[read.number], read.attempt)
	}
	// Who may leave attempts out may choose among seeds.
	for number, found := range attempts {
		slices.Sort(found)
		for due, attempt := range found {
			if attempt != uint32(due) {
				return nil, fmt.Errorf("pair %d has attempt %d, must be %d", number, attempt, due)
			}
		}
	}
	for attempts[master.leftOut] != nil {
		master.leftOut++
	}
	return master, nil
}

func (m *Master) add(seed []byte, entropies [][]byte, value json.RawMessage) (pair, error) {
	var read pair
	fields, err := object(value, "it", "pair", "attempt", "matches")
	if err != nil {
		return read, err
	}
	if read.number, err = number(fields["pair"], "pair"); err != nil {
		return read, err
	}
	if read.number == 0 {
		return read, fmt.Errorf("pairs are counted from 1")
	}
	if read.attempt, err = number(fields["attempt"], "attempt"); err != nil {
		return read, err
	}
	matches, err := hexList(fields["matches"], "matches")
	if err != nil {
		return read, err
	}
	if len(matches) == 0 {
		return read, fmt.Errorf("it has no matches")
	}
	read.seed = deal.PairSeed(seed, read.number, read.attempt, entropies)
	for _, matchID := range matches {
		if _, listed := m.pairs[string(matchID)]; listed || len(matchID) != 16 {
			return read, fmt.Errorf("match %x is listed before, or is no match id", matchID)
		}
		m.pairs[string(matchID)] = read
	}
	return read, nil
}

// fault returns how the deal of a match differs from that of its pair.
func (m *Master) fault(name string, header, reveal *wire.Message) *Fault {
	pair, listed := m.pairs[string(header.Bytes("match_id"))]
	switch {
	case !listed:
		return nil
	case header.Number("deal_mode") != wire.DealModeShared:
		return fault(name, checkMaster, "its deal is not shared, as that of pair %d, attempt %d must be", pair.number, pair.attempt)
	case string(reveal.Bytes("seed")) != string(pair.seed):
		return fault(name, checkMaster, "its seed is not that of pair %d, attempt %d", pair.number, pair.attempt)
	}
	return nil
}

// missing returns what the file does not tell of a match with a shared deal, nothing if it tells all.
func (m *Master) missing(header *wire.Message) string {
	pair, listed := m.pairs[string(header.Bytes("match_id"))]
	switch {
	case !listed && header.Number("deal_mode") == wire.DealModeShared:
		return notListed
	case listed && pair.number > m.leftOut:
		// Who may leave pairs out may choose among seeds, as with attempts; but a tournament may stop early.
		return fmt.Sprintf("the master file leaves out pair %d, which is before this match's", m.leftOut)
	}
	return ""
}

// object returns the fields of an object that has exactly these keys.
func object(data []byte, name string, keys ...string) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, fmt.Errorf("%s is no object: %w", name, err)
	}
	if count, err := countKeys(data); err != nil || count != len(fields) {
		return nil, fmt.Errorf("%s says two things under one key", name)
	}
	for _, key := range keys {
		if _, there := fields[key]; !there || len(fields) != len(keys) {
			return nil, fmt.Errorf("%s must be an object with %v", name, keys)
		}
	}
	return fields, nil
}

// countKeys returns how many keys an object has, each as often as it is there.
func countKeys(data []byte) (int, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if _, err := decoder.Token(); err != nil {
		return 0, err
	}
	count := 0
	for ; decoder.More(); count++ {
		var value json.RawMessage
		if _, err := decoder.Token(); err != nil {
			return 0, err
		}
		if err := decoder.Decode(&value); err != nil {
			return 0, err
		}
	}
	return count, nil
}

func list(data json.RawMessage, name string) ([]json.RawMessage, error) {
	var values []json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil || values == nil {
		return nil, fmt.Errorf("%s must be a list", name)
	}
	return values, nil
}

func hexList(data json.RawMessage, name string) ([][]byte, error) {
	values, err := list(data, name)
	if err != nil {
		return nil, err
	}
	var decoded [][]byte
	for place, value := range values {
		piece, err := hexBytes(value, fmt.Sprintf("%s[%d]", name, place))
		if err != nil {
			return nil, err
		}
		decoded = append(decoded, piece)
	}
	return decoded, nil
}

func hexBytes(data json.RawMessage, name string) ([]byte, error) {
	digits, err := text(data, name)
	if err != nil {
		return nil, err
	}
	decoded, err := hex.DecodeString(digits)
	if err != nil {
		return nil, fmt.Errorf("%s must be hex digits", name)
	}
	return decoded, nil
}

func text(data json.RawMessage, name string) (string, error) {
	var value *string
	if err := json.Unmarshal(data, &value); err != nil || value == nil {
		return "", fmt.Errorf("%s must be a text", name)
	}
	return *value, nil
}

func number(data json.RawMessage, name string) (uint32, error) {
	var value *uint32
	if err := json.Unmarshal(data, &value); err != nil || value == nil {
		return 0, fmt.Errorf("%s must be a whole number of 32 bits", name)
	}
	return *value, nil
}
