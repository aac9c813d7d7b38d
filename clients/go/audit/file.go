package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
)

const (
	fileHead   = "UNODUO\x00\x01"
	headSize   = 32
	maxEntry   = 1 << 20
	maxSection = 1 << 16
	tagSeal    = 0xF5
	tagReveal  = 0xFA
)

// part is a part of a file whose head or digest is right.
type part struct {
	name       string
	index      int // of an entry, from 1
	data, head []byte
}

func hash(tag byte, pieces ...[]byte) []byte {
	hash := sha256.New()
	hash.Write([]byte{tag})
	for _, piece := range pieces {
		hash.Write(piece)
	}
	return hash.Sum(nil)
}

// reader cuts a file into pieces.
type reader struct{ rest []byte }

func (r *reader) take(size int) []byte {
	if size > len(r.rest) {
		return nil
	}
	piece := r.rest[:size]
	r.rest = r.rest[size:]
	return piece
}

// sized takes the data behind a length, and the hash after it.
func (r *reader) sized(name string, limit uint32) (length, data, sum []byte, damage *Fault) {
	cut := fault(name, checkFile, "the file is cut short")
	if length = r.take(4); length == nil {
		return nil, nil, nil, cut
	}
	size := binary.BigEndian.Uint32(length)
	if size == 0 || size > limit {
		return nil, nil, nil, fault(name, checkFile, "a length of %d bytes is out of range (1 to %d)", size, limit)
	}
	if data = r.take(int(size)); data == nil {
		return nil, nil, nil, cut
	}
	if sum = r.take(headSize); sum == nil {
		return nil, nil, nil, cut
	}
	return length, data, sum, nil
}

// readParts hands the parts of a file to `visit`, up to the first fault (PROTOCOL.md, "The replay file").
func readParts(file []byte, visit func(part) *Fault) *Fault {
	if !bytes.HasPrefix(file, []byte(fileHead)) {
		return fault("file head", checkFile, "this is no replay file of version 1")
	}
	r := &reader{file[len(fileHead):]}
	_, data, head, damage := r.sized("header", maxEntry)
	if damage != nil {
		return damage
	}
	if !bytes.Equal(head, hash(0, data)) {
		return fault("header", checkFile, "its head is not that of its bytes")
	}
	if found := visit(part{"header", 0, data, head}); found != nil {
		return found
	}
	for index := 1; len(r.rest) > 0 && bits.OnesCount8(r.rest[0]) <= 1; index++ {
		name := fmt.Sprintf("entry %d", index)
		_, data, stored, damage := r.sized(name, maxEntry)
		if damage != nil {
			return damage
		}
		if head = hash(1, head, data); !bytes.Equal(head, stored) {
			return fault(name, checkFile, "its head does not follow from the one before and its bytes")
		}
		if found := visit(part{name, index, data, head}); found != nil {
			return found
		}
	}
	for _, section := range []struct {
		name string
		tag  byte
	}{{"seal", tagSeal}, {"reveal", tagReveal}} {
		if len(r.rest) == 0 {
			return nil
		}
		data, damage := r.section(section.name, section.tag)
		if damage != nil {
			return damage
		}
		if found := visit(part{name: section.name, data: data}); found != nil {
			return found
		}
	}
	if len(r.rest) > 0 {
		return fault("reveal", checkFile, "bytes follow it")
	}
	return nil
}

func (r *reader) section(name string, tag byte) ([]byte, *Fault) {
	first := r.take(1)
	if first == nil || first[0] != tag {
		return nil, fault(name, checkFile, "it begins with byte %x, not %x", first, tag)
	}
	length, data, digest, damage := r.sized(name, maxSection)
	if damage != nil {
		return nil, damage
	}
	if !bytes.Equal(digest, hash(3, first, length, data)) {
		return nil, fault(name, checkFile, "its digest is not that of its bytes")
	}
	return data, nil
}

// findReveal returns the reveal of a file, nil if it has none that can be reached over the lengths of what stands
// before it: the seed is needed before the first entry. What is wrong with it, readParts tells.
func findReveal(file []byte) []byte {
	r := &reader{file[min(len(fileHead), len(file)):]}
	for len(r.rest) > 0 && r.rest[0] == 0 {
		if _, _, _, damage := r.sized("", maxEntry); damage != nil {
			return nil
		}
	}
	if _, damage := r.section("seal", tagSeal); damage != nil {
		return nil
	}
	data, _ := r.section("reveal", tagReveal)
	return data
}
