package unoduo

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "unoduo/clients/go/bot/unoduov1"
)

// kept returns the records of a journal.
func kept(t *testing.T, path string) []*pb.JournalRecord {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || string(data[:len(journalHead)]) != journalHead {
		t.Fatalf("%v, %q", err, data)
	}
	var records []*pb.JournalRecord
	for data = data[len(journalHead):]; len(data) > 0; {
		length := binary.BigEndian.Uint32(data)
		record := &pb.JournalRecord{}
		if err := proto.Unmarshal(data[4:4+length], record); err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
		data = data[4+length:]
	}
	return records
}

func TestJournalHoldsItsRecordsForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := createJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	record := &pb.JournalRecord{Kind: &pb.JournalRecord_Ready{Ready: &pb.Ready{H0: []byte("h0")}}}
	if err := errors.Join(j.keep(record), j.keep(&pb.JournalRecord{})); err != nil {
		t.Fatal(err)
	}
	j.close()
	data, _ := os.ReadFile(path)
	if due := "UNODUOJ\x02\x00\x00\x00\x06\x32\x04\x0a\x02h0\x00\x00\x00\x00"; string(data) != due {
		t.Errorf("%q", data)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
}

func TestJournalNeverOverwritesEvidence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	first, err := createJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	if _, err := createJournal(path); !errors.Is(err, os.ErrExist) {
		t.Error(err)
	}
}

func TestJournalsOfOneSeatAreNumbered(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	directory, err := JournalDirectory()
	if err != nil {
		t.Fatal(err)
	}
	for _, due := range []string{"0aff-B-1.journal", "0aff-B-2.journal"} {
		path, err := NewJournal(directory, []byte{0x0a, 0xff}, pb.Seat_SEAT_B)
		if err != nil || filepath.Base(path) != due || filepath.Dir(path) != directory {
			t.Fatal(path, err)
		}
		created, err := createJournal(path)
		if err != nil {
			t.Fatal(err)
		}
		created.close()
	}
}

func TestJournalDirectoryIsAbsolute(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "state")
	if directory, err := JournalDirectory(); err == nil {
		t.Error(directory)
	}
}
