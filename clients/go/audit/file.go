package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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

// reader cuts a file into pieces, of which it holds none.
type reader struct {
	in  *bufio.Reader
	err error // why the file could not be read, which is not its end
}

func newReader(file io.Reader) *reader { return &reader{in: bufio.NewReader(file)} }

// take returns the next bytes, nil if the file ends before.
func (r *reader) take(size int) []byte {
	piece := make([]byte, size)
	if _, err := io.ReadFull(r.in, piece); err != nil {
		r.note(err)
		return nil
	}
	return piece
}

// next returns the next byte and leaves it there; false at the end.
func (r *reader) next() (byte, bool) {
	first, err := r.in.Peek(1)
	if err != nil {
		r.note(err)
		return 0, false
	}
	return first[0], true
}

func (r *reader) note(err error) {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		r.err = err
	}
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

// parts hands the parts of a file to `visit` as they are read, up to the first fault (PROTOCOL.md, "The replay file").
func (r *reader) parts(visit func(part) *Fault) *Fault {
	if !bytes.Equal(r.take(len(fileHead)), []byte(fileHead)) {
		return fault("file head", checkFile, "this is no replay file of version 1")
	}
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
	for index := 1; ; index++ {
		if first, more := r.next(); !more || bits.OnesCount8(first) > 1 {
			break
		}
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
		if _, more := r.next(); !more {
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
	if _, more := r.next(); more {
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

// reveal returns the reveal of a file, nil if it has none that can be reached over the lengths of what stands before it:
// the seed is needed before the first entry. What is wrong with it, parts tells.
func (r *reader) reveal() []byte {
	r.take(len(fileHead))
	for {
		if first, more := r.next(); !more || first != 0 {
			break
		}
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
