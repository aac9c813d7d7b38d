package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"strings"
)

const fileHead, tagSeal, tagReveal = "UNODUO\x00\x01", 0xF5, 0xFA

// Sizes in bytes.
const headSize, maxEntry, maxSection = 32, 1 << 20, 1 << 16

// fault is what is wrong with a part: `file head`, `header`, `entry N`, `seal`, `reveal` or `index`. The check is named
// as `unoduo verify` names it.
type fault struct{ part, check, message string }

// expect throws a fault if something does not hold; firstFault catches it.
func expect(holds bool, check, format string, arguments ...any) {
	if !holds {
		panic(&fault{check: check, message: fmt.Sprintf(format, arguments...)})
	}
}

// reader cuts a file into pieces, of which it holds none. It seems to end where it cannot be read.
type reader struct {
	file io.Reader
	in   *bufio.Reader
	part string // that is looked at
	err  error  // why the file could not be read
}

func newReader(file io.Reader) *reader {
	r := &reader{file: file}
	r.in = bufio.NewReader(r)
	return r
}

// Read reads from the file.
func (r *reader) Read(into []byte) (int, error) {
	size, err := r.file.Read(into)
	if err != nil && err != io.EOF {
		r.err, err = err, io.EOF
	}
	return size, err
}

// firstFault returns the fault that is thrown while the reader is used, nil if there is none.
func (r *reader) firstFault(use func()) (found *fault) {
	defer func() {
		thrown := recover()
		if found, _ = thrown.(*fault); found != nil {
			found.part = r.part
		} else if thrown != nil {
			panic(thrown)
		}
	}()
	use()
	return nil
}

// take returns the next bytes.
func (r *reader) take(size int) []byte {
	piece := make([]byte, size)
	_, err := io.ReadFull(r.in, piece)
	expect(err == nil, "FILE", "the file is cut short")
	return piece
}

// next returns the next byte and leaves it there; false at the end.
func (r *reader) next() (byte, bool) {
	first, err := r.in.Peek(1)
	if err != nil {
		return 0, false
	}
	return first[0], true
}

// record returns what stands behind a length, and the hash behind that.
func (r *reader) record(limit uint32) (data, sum []byte) {
	size := binary.BigEndian.Uint32(r.take(4))
	expect(0 < size && size <= limit, "FILE", "a length of %d bytes is out of range (1 to %d)", size, limit)
	data = r.take(int(size) + headSize)
	return data[:size], data[size:]
}

// parts hands the parts of a file to `visit` as they are read (PROTOCOL.md, "The replay file"): the type of a message,
// its bytes, and the head behind a header or an entry, be it right or not.
func (r *reader) parts(visit func(name string, data, head []byte)) {
	r.part = "file head"
	expect(string(r.take(len(fileHead))) == fileHead, "FILE", "this is no replay file of version 1")
	r.part = "header"
	data, head := r.record(maxEntry)
	visit("Header", data, head)
	first, more := r.next()
	for index := 1; more && bits.OnesCount8(first) <= 1; index++ {
		r.part = fmt.Sprintf("entry %d", index)
		data, head := r.record(maxEntry)
		visit("Entry", data, head)
		first, more = r.next()
	}
	r.section("Seal", tagSeal, visit)
	r.section("Reveal", tagReveal, visit)
	_, more = r.next()
	expect(!more, "FILE", "bytes follow it")
}

func (r *reader) section(name string, tag byte, visit func(name string, data, head []byte)) {
	if _, more := r.next(); !more {
		return
	}
	r.part = strings.ToLower(name)
	first := r.take(1)
	expect(first[0] == tag, "FILE", "it begins with byte %x, not %x", first, tag)
	data, digest := r.record(maxSection)
	due := hash("\x03", first, u32(uint32(len(data))), data)
	expect(bytes.Equal(digest, due), "FILE", "its digest is not that of its bytes")
	visit(name, data, nil)
}
