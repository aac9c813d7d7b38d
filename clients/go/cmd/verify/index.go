package main

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"io"
	"slices"
	"strings"
)

const indexHead, tagCheckpoint = "UNODUOI\x01", 0xF6

const notSigned = "that the index is the referee's: no signature of it was checked"

// index is what a referee's index tells, up to the first thing that is wrong with it.
type index struct {
	*reader
	fault    *fault
	records  uint32
	head     []byte
	matches  map[uint32]*indexed // by number
	isSigned bool                // by the key that it was read with
}

// indexed is what the index tells of one match.
type indexed struct {
	before, h0 []byte
	end        *message // an IndexRecord, nil if the match has not ended
}

// readIndex reads the file of an index: its chain, its records and their numbers, and with a key its signature. An
// error is one of reading the file.
func readIndex(file io.Reader, key ed25519.PublicKey) (*index, error) {
	x := &index{reader: newReader(file), head: make([]byte, headSize), matches: map[uint32]*indexed{}}
	x.part = "index"
	x.fault = x.firstFault(func() {
		expect(string(x.take(len(indexHead))) == indexHead, "FILE", "this is no index of version 1")
		first, more := x.next()
		for ; more && first != tagCheckpoint; first, more = x.next() {
			x.add(x.record(maxSection))
		}
		if more {
			x.checkpoint(key)
		}
	})
	return x, x.err
}

// add takes a record: matches are created with numbers from 1 without gaps, and each ends at most once.
func (x *index) add(data, sum []byte) {
	before := x.head
	x.head = hash("\x02", before, data)
	x.records++
	expect(bytes.Equal(x.head, sum), "FILE", "record %d: its head does not follow from the one before", x.records)
	record := read("IndexRecord", data)
	number := record.number("match_number")
	match, due := x.matches[number], uint32(len(x.matches))+1
	if kind, content := record.kind(); kind == "created" {
		expect(number == due, "NUMBERS", "record %d creates match %d, must be %d", x.records, number, due)
		x.matches[number] = &indexed{before: before, h0: content.bytes("h0")}
	} else {
		expect(match != nil && match.end == nil, "NUMBERS", "record %d ends match %d, which is not open", x.records, number)
		match.end = record
	}
}

// checkpoint reads the signature behind the last record.
func (x *index) checkpoint(key ed25519.PublicKey) {
	signature := x.take(1 + ed25519.SignatureSize)[1:]
	_, more := x.next()
	expect(!more, "FILE", "bytes follow its checkpoint")
	if key != nil {
		signed := slices.Concat([]byte("unoduo/v1/index\x00"), u32(x.records), x.head)
		x.isSigned = ed25519.Verify(key, signed, signature)
		expect(x.isSigned, "SIGNATURE", "its checkpoint is not signed by the key given")
	}
}

// verify returns the verdict on an index alone: it is incomplete as long as a match that has begun has no end in it.
func (x *index) verify(name string) *report {
	var open []string
	for number := uint32(1); x.matches[number] != nil; number++ {
		if x.matches[number].end == nil {
			open = append(open, fmt.Sprint(number))
		}
	}
	if len(open) > 10 {
		open = append(open[:10], "...")
	}
	r := newReport(name)
	r.note(x.fault == nil && open != nil, "matches that have begun and not ended: "+strings.Join(open, ", "))
	r.judge(x.fault)
	r.note(!x.isSigned, notSigned)
	return r
}

// check holds a match whose file is right against the index.
func (x *index) check(a *audit) {
	a.part = "index"
	if x.fault != nil {
		panic(x.fault)
	}
	match := x.matches[a.header.number("match_number")]
	if match == nil {
		a.missing = "the index ends before this match"
		return
	}
	expect(bytes.Equal(match.h0, a.h0), "MATCH", "it tells of another header")
	expect(bytes.Equal(match.before, a.header.bytes("index_head")), "MATCH", "the match began at another head of it")
	if match.end == nil {
		a.missing = "the index ends before the end of this match"
	} else if a.seal != nil {
		checkEnd(match.end, a.seal)
	}
}

// checkEnd holds a seal that is right against the record of the end of its match.
func checkEnd(record, seal *message) {
	outcome := seal.message("outcome")
	if kind, end := record.kind(); kind == "sealed" {
		isSame := bytes.Equal(end.bytes("final_head"), seal.bytes("final_head"))
		expect(isSame, "MATCH", "it tells of another head at the end")
		expect(bytes.Equal(end.message("outcome").data, outcome.data), "MATCH", "it tells of another outcome")
	} else {
		isVoid := strings.HasPrefix(outcome.enumName("Termination", "termination"), "TERMINATION_VOID_")
		expect(isVoid, "MATCH", "it tells that the match is void")
	}
}
