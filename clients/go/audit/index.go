package audit

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"unoduo/clients/go/wire"
)

// IndexHead begins a file of a referee's index: then come its records, each u32 length, bytes and i(n), and a signed
// checkpoint if there is one: u8 tag and signature.
const IndexHead = "UNODUOI\x01"

const (
	indexPart     = "index"
	checkpointTag = 0xF6
	mostNamed     = 10
)

// Index is what a referee's index tells, up to the first thing that is wrong with it.
type Index struct {
	matches map[uint32]*indexed
	damage  *Fault
	signed  bool // by the key that it was read with
}

// indexed is what the index tells of one match.
type indexed struct {
	before, h0 []byte
	end        *wire.Message // of kind sealed or voided
}

// ReadIndex reads the file of an index: its chain, its records and their numbers, and with a key its signature. An error
// is one of reading the file.
func ReadIndex(file io.Reader, key ed25519.PublicKey) (*Index, error) {
	index, r := &Index{matches: map[uint32]*indexed{}}, newReader(file)
	index.damage = index.read(r, key)
	return index, r.err
}

// VerifyIndex returns the verdict on an index alone: it is incomplete as long as a match that has begun has no end in it.
func VerifyIndex(name string, index *Index) Report {
	report := Report{File: name, Status: OK, NotProven: []string{}}
	if found := index.damage; found != nil {
		report.Status, report.Part, report.Check, report.Message = Wrong, &found.Part, &found.Check, found.Message
	} else if missing := index.withoutEnd(); missing != "" {
		report.Status, report.Message, report.NotProven = Incomplete, missing, []string{missing}
	}
	if !index.signed {
		report.NotProven = append(report.NotProven, notSigned)
	}
	return report
}

// withoutEnd says which matches have begun and not ended, nothing if all have.
func (x *Index) withoutEnd() string {
	var named []string
	for number := uint32(1); number <= uint32(len(x.matches)); number++ {
		if x.matches[number].end != nil {
			continue
		}
		if len(named) == mostNamed {
			named = append(named, "...")
			break
		}
		named = append(named, fmt.Sprint(number))
	}
	if named == nil {
		return ""
	}
	return "matches that have begun and not ended: " + strings.Join(named, ", ")
}

func (x *Index) read(r *reader, key ed25519.PublicKey) *Fault {
	if !bytes.Equal(r.take(len(IndexHead)), []byte(IndexHead)) {
		return fault(indexPart, checkFile, "this is no index of version 1")
	}
	head := make([]byte, headSize)
	place := 1
	for ; ; place++ {
		if first, more := r.next(); !more || first == checkpointTag {
			break
		}
		_, data, stored, damage := r.sized(indexPart, maxSection)
		if damage != nil {
			return damage
		}
		before := head
		if head = hash(2, before, data); !bytes.Equal(head, stored) {
			return fault(indexPart, checkFile, "record %d: its head does not follow from the one before and its bytes", place)
		}
		record, err := wire.Read(wire.IndexRecord, data)
		if err != nil {
			return fault(indexPart, checkEncoding, "record %d: %s", place, err)
		}
		if found := x.add(place, record, before); found != nil {
			return found
		}
	}
	return x.checkpoint(r, place-1, head, key)
}

// checkpoint reads the signature behind so many records, if there is one.
func (x *Index) checkpoint(r *reader, records int, head []byte, key ed25519.PublicKey) *Fault {
	if r.take(1) == nil {
		return nil
	}
	signature := r.take(ed25519.SignatureSize)
	if signature == nil {
		return fault(indexPart, checkFile, "the file is cut short")
	}
	if _, more := r.next(); more {
		return fault(indexPart, checkFile, "bytes follow its checkpoint")
	}
	if key == nil {
		return nil
	}
	tag := binary.BigEndian.AppendUint32([]byte("unoduo/v1/index\x00"), uint32(records))
	if x.signed = ed25519.Verify(key, slices.Concat(tag, head), signature); !x.signed {
		return fault(indexPart, checkSignature, "its checkpoint is not signed by the key given")
	}
	return nil
}

// add takes a record: matches are created with numbers from 1 without gaps, and each ends at most once.
func (x *Index) add(place int, record *wire.Message, before []byte) *Fault {
	number := record.Number("match_number")
	match := x.matches[number]
	kind, content := record.Kind()
	if kind == "created" {
		if due := uint32(len(x.matches)) + 1; number != due {
			return fault(indexPart, checkNumbers, "record %d creates match %d, must be %d", place, number, due)
		}
		x.matches[number] = &indexed{before: before, h0: content.Bytes("h0")}
		return nil
	}
	if match == nil || match.end != nil {
		return fault(indexPart, checkNumbers, "record %d ends match %d, which is not open", place, number)
	}
	match.end = record
	return nil
}

// checkIndex holds a match whose file is right against the index.
func (a *audit) checkIndex(x *Index) *Fault {
	if x.damage != nil {
		return x.damage
	}
	number := a.header.Number("match_number")
	match := x.matches[number]
	switch {
	case match == nil:
		a.notCovered = "the index ends before this match"
		return nil
	case !bytes.Equal(match.h0, a.h0):
		return fault(indexPart, checkMatch, "match %d began with another header", number)
	case !bytes.Equal(match.before, a.header.Bytes("index_head")):
		return fault(indexPart, checkMatch, "match %d follows another head of the index than its header says", number)
	case match.end == nil:
		a.notCovered = "the index ends before the end of this match"
		return nil
	case a.seal == nil:
		return nil
	}
	outcome := a.seal.Message("outcome")
	kind, sealed := match.end.Kind()
	if kind == "voided" {
		if by := outcome.Number("termination"); by != wire.VoidByOrganiser && by != wire.VoidByReferee {
			return fault(indexPart, checkMatch, "match %d was declared void", number)
		}
		return nil
	}
	if !bytes.Equal(sealed.Bytes("final_head"), a.head) {
		return fault(indexPart, checkMatch, "match %d was sealed with another head", number)
	}
	if !bytes.Equal(sealed.Message("outcome").Data(), outcome.Data()) {
		return fault(indexPart, checkMatch, "match %d was sealed with another outcome", number)
	}
	return nil
}
