package main

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReaderFindsWhatTheVectorsSay(t *testing.T) {
	type piece struct {
		Part  string
		Bytes hexes
	}
	for _, c := range cases[struct {
		Name  string
		File  hexes
		Parts []piece
		Fault string
	}](t, "log/files.json") {
		var parts []piece
		r := newReader(bytes.NewReader(c.File))
		found := r.firstFault(func() {
			var before []byte
			r.parts(func(name string, data, head []byte) {
				switch name {
				case "Header":
					expect(bytes.Equal(head, hash("\x00", data)), "FILE", "")
				case "Entry":
					expect(bytes.Equal(head, hash("\x01", before, data)), "FILE", "")
				}
				before = head
				parts = append(parts, piece{r.part, data})
			})
		})
		same := func(one, other piece) bool { return one.Part == other.Part && bytes.Equal(one.Bytes, other.Bytes) }
		if !slices.EqualFunc(parts, c.Parts, same) {
			t.Errorf("%s: read %v, must read %v", c.Name, parts, c.Parts)
		}
		if found == nil && c.Fault != "" || found != nil && found.part != c.Fault {
			t.Errorf("%s: blamed %v, must blame %q", c.Name, found, c.Fault)
		}
	}
}

func TestHeadsAreThoseOfTheVectors(t *testing.T) {
	for _, c := range cases[struct {
		Name       string
		Header, H0 hexes
		Entries    []struct{ Bytes, Head hexes }
		Not        map[string]map[string]hexes
	}](t, "log/heads.json") {
		head := hash("\x00", c.Header)
		checkBytes(t, c.Name, head, c.H0, c.Not["h0"])
		for i, entry := range c.Entries {
			head = hash("\x01", head, entry.Bytes)
			mistakes := c.Not["head_of_entry_1"]
			if i > 0 {
				mistakes = nil
			}
			checkBytes(t, c.Name, head, entry.Head, mistakes)
		}
	}
	for _, c := range cases[struct {
		Name    string
		Records []struct{ Previous, Bytes, Head hexes }
		Not     map[string]map[string]hexes
	}](t, "log/index.json") {
		for i, record := range c.Records {
			mistakes := c.Not["first_head"]
			if i > 0 {
				mistakes = nil
			}
			checkBytes(t, c.Name, hash("\x02", record.Previous, record.Bytes), record.Head, mistakes)
		}
	}
}

func TestResultIsWhatTheVectorsSign(t *testing.T) {
	type signed struct {
		Name      string
		Number    uint32
		H0        hexes
		FinalHead hexes `json:"final_head"`
		Outcome   hexes
	}
	for _, c := range cases[struct {
		signed
		SignedBytes hexes `json:"signed_bytes"`
	}](t, "log/result.json") {
		checkBytes(t, c.Name, result(c.Number, c.H0, c.FinalHead, c.Outcome), c.SignedBytes, nil)
	}
	for _, c := range cases[struct {
		signed
		SecretKey hexes `json:"secret_key"`
		PublicKey hexes `json:"public_key"`
		KeyID     hexes `json:"key_id"`
		Signature hexes
		Not       map[string]hexes
	}](t, "log/signatures.json") {
		key := ed25519.NewKeyFromSeed(c.SecretKey)
		public := key.Public().(ed25519.PublicKey)
		signed := result(c.Number, c.H0, c.FinalHead, c.Outcome)
		checkBytes(t, c.Name, public, c.PublicKey, nil)
		checkBytes(t, c.Name, hash("", public)[:16], c.KeyID, nil)
		checkBytes(t, c.Name, ed25519.Sign(key, signed), c.Signature, c.Not)
		for mistake, wrong := range c.Not {
			if ed25519.Verify(public, signed, wrong) {
				t.Errorf("%s: takes the signature of %s", c.Name, mistake)
			}
		}
	}
}

func TestVerdictsAreThoseOfTheVectors(t *testing.T) {
	for _, c := range cases[struct {
		Name, Status, Part, Check string
		File, Key, Index          hexes
	}](t, "log/replays.json") {
		var known *index
		if c.Index != nil {
			known = indexOf(t, c.Index, ed25519.PublicKey(c.Key))
		}
		r := verdictOn(t, c.Name, c.File, ed25519.PublicKey(c.Key), known)
		checkVerdict(t, r, c.Status, c.Part, c.Check)
		said := strings.Join(r.NotProven, "\n")
		if strings.Contains(said, "signer unknown") != (c.Key == nil) ||
			strings.Contains(said, "only an index tells") != (c.Index == nil) {
			t.Errorf("%s: what is not proven: %s", c.Name, said)
		}
		if onlyMaster := strings.Contains(said, "only a master file tells"); c.Name == "shared_deal" && !onlyMaster ||
			c.Name == "given_seed" && onlyMaster {
			t.Errorf("%s: what is not proven: %s", c.Name, said)
		}
	}
}

func checkVerdict(t *testing.T, r *report, status, part, check string) {
	t.Helper()
	text := func(value any) string {
		said, _ := value.(string)
		return said
	}
	if r.Status != status || text(r.Part) != part || text(r.Check) != check {
		t.Errorf("%s: is %s at %q for %q (%s), must be %s at %q for %q", r.File, r.Status, text(r.Part),
			text(r.Check), r.Message, status, part, check)
	}
}

func TestGoldenReplaysAreRight(t *testing.T) {
	names, err := filepath.Glob(inRepository("tests", "golden", "*.unoduo"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden replays: %v", err)
	}
	for _, name := range names {
		r := verdictOn(t, filepath.Base(name), contentOf(t, name), nil, nil)
		checkVerdict(t, r, "ok", "", "")
		if !r.DealChecked || r.Outcome == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestNoEditOfARightReplayCrashes(t *testing.T) {
	file := contentOf(t, inRepository("tests", "golden", "round-cap-drawn.unoduo"))
	for place := range file {
		if r := verdictOn(t, "cut", file[:place], nil, nil); r.Status == "ok" {
			t.Fatalf("cut at %d it is right", place)
		}
		flipped := bytes.Clone(file)
		flipped[place] ^= 1 << (place % 8)
		if r := verdictOn(t, "flipped", flipped, nil, nil); r.Status != "wrong" {
			t.Fatalf("flipped at %d it is %s", place, r.Status)
		}
	}
}

func FuzzVerify(f *testing.F) {
	names, _ := filepath.Glob(inRepository("tests", "golden", "*-at-once.unoduo"))
	for _, name := range names {
		if file, err := os.ReadFile(name); err == nil {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		known := indexOf(t, file, nil)
		verdictOn(t, "fuzzed", file, nil, known)
		known.verify("fuzzed")
	})
}

func verdictOn(t *testing.T, name string, file []byte, key ed25519.PublicKey, known *index) *report {
	t.Helper()
	r, err := verify(name, bytes.NewReader(file), key, known)
	if err != nil {
		t.Fatalf("%s: %s", name, err)
	}
	return r
}

func indexOf(t *testing.T, file []byte, key ed25519.PublicKey) *index {
	t.Helper()
	x, err := readIndex(bytes.NewReader(file), key)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// counter is a file that knows how far it was read.
type counter struct {
	*bytes.Reader
	read int
}

func (c *counter) Read(into []byte) (int, error) {
	size, err := c.Reader.Read(into)
	c.read += size
	return size, err
}

func TestPartsAreHandedOverAsTheyAreRead(t *testing.T) {
	const buffer = 4096
	data := contentOf(t, inRepository("tests", "golden", "duo-random-random.unoduo"))
	file, reached := &counter{Reader: bytes.NewReader(data)}, len(fileHead)
	r := newReader(file)
	found := r.firstFault(func() {
		r.parts(func(name string, data, head []byte) {
			reached += 4 + len(data) + headSize
			if head == nil {
				reached++ // its tag
			}
			if file.read > reached+buffer {
				t.Fatalf("%s ends at %d and %d bytes were read", name, reached, file.read)
			}
		})
	})
	if found != nil || reached != len(data) || reached < 10*buffer {
		t.Errorf("read %d of %d bytes: %v", reached, len(data), found)
	}
}

// failing is a file that cannot be read from some place on.
type failing struct {
	*bytes.Reader
	fails int64
}

var errBroken = errors.New("the disk is broken")

func (f *failing) Read(into []byte) (int, error) {
	place, _ := f.Seek(0, io.SeekCurrent)
	if place >= f.fails {
		return 0, errBroken
	}
	return f.Reader.Read(into[:min(int64(len(into)), f.fails-place)])
}

func TestFileThatCannotBeReadHasNoVerdict(t *testing.T) {
	data := contentOf(t, inRepository("tests", "golden", "round-cap-drawn.unoduo"))
	for _, fails := range []int64{0, 8, 100, int64(len(data)) - 1} {
		file := &failing{bytes.NewReader(data), fails}
		if _, err := verify("broken", file, nil, nil); !errors.Is(err, errBroken) {
			t.Errorf("broken at %d: %v", fails, err)
		}
		if _, err := readIndex(&failing{bytes.NewReader([]byte(indexHead)), min(fails, 8)}, nil); !errors.Is(err, errBroken) {
			t.Errorf("index broken at %d: %v", fails, err)
		}
	}
}

func TestFileThatChangesWhileItIsReadIsWrong(t *testing.T) {
	data := contentOf(t, inRepository("tests", "golden", "round-cap-drawn.unoduo"))
	// Read ahead for its reveal it has none yet.
	file := &growing{Reader: bytes.NewReader(data[:len(data)-1]), whole: data}
	r, err := verify("grown", file, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkVerdict(t, r, "wrong", "reveal", "FILE")
}

// growing is a file that is whole once it is read from its beginning again.
type growing struct {
	*bytes.Reader
	whole []byte
}

func (g *growing) Seek(int64, int) (int64, error) {
	g.Reader = bytes.NewReader(g.whole)
	return 0, nil
}
