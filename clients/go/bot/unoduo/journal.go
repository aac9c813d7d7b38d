package unoduo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/proto"

	pb "unoduo/clients/go/bot/unoduov1"
)

const journalHead = "UNODUOJ\x02"

// journal keeps what a seat saw and said, as evidence (PROTOCOL.md, "The journal"). Each record is one unbuffered
// write, so that a killed client leaves at most a torn last record. Its owner alone can read it: it shows the hand of
// the seat.
type journal struct {
	file *os.File
}

// createJournal makes the file; it never overwrites evidence.
func createJournal(path string) (*journal, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err := file.WriteString(journalHead); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &journal{file}, nil
}

func (j *journal) keep(record *pb.JournalRecord) error {
	data, err := proto.Marshal(record)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...))
	return err
}

func (j *journal) close() { _ = j.file.Close() }

// JournalDirectory returns where bots keep journals unless they are told where: unoduo/journals in XDG_STATE_HOME, by
// default ~/.local/state. It is made, for its owner alone.
func JournalDirectory() (string, error) {
	state := os.Getenv("XDG_STATE_HOME")
	if state == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		state = filepath.Join(home, ".local", "state")
	}
	if !filepath.IsAbs(state) {
		return "", fmt.Errorf("%s is no absolute path", state)
	}
	directory := filepath.Join(state, "unoduo", "journals")
	return directory, os.MkdirAll(directory, 0o700)
}

// NewJournal returns the path of a journal that is not there yet: a bot that was started again writes another one.
func NewJournal(directory string, matchID []byte, seat pb.Seat) (string, error) {
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return "", err
	}
	for number := 1; ; number++ {
		path := filepath.Join(directory, fmt.Sprintf("%x-%s-%d.journal", matchID, letter(seat), number))
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return path, nil
		} else if err != nil {
			return "", err
		}
	}
}
