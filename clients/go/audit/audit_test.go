package audit

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"unoduo/clients/go/internal/vectors"
)

func TestReaderFindsWhatTheVectorsSay(t *testing.T) {
	type piece struct {
		Part  string
		Bytes vectors.Hex
	}
	for _, c := range vectors.Cases[struct {
		Name  string
		File  vectors.Hex
		Parts []piece
		Fault string
	}](t, "log/files.json") {
		var parts []piece
		found := newReader(bytes.NewReader(c.File)).parts(func(p part) *Fault {
			parts = append(parts, piece{p.name, p.data})
			return nil
		})
		same := func(one, other piece) bool { return one.Part == other.Part && bytes.Equal(one.Bytes, other.Bytes) }
		if !slices.EqualFunc(parts, c.Parts, same) {
			t.Errorf("%s: read %v, must read %v", c.Name, parts, c.Parts)
		}
		if found == nil && c.Fault != "" || found != nil && found.Part != c.Fault {
			t.Errorf("%s: blamed %v, must blame %q", c.Name, found, c.Fault)
		}
		if reveal := newReader(bytes.NewReader(c.File)).reveal(); c.Name == "complete" && string(reveal) != "a reveal" {
			t.Errorf("%s: its reveal is %q", c.Name, reveal)
		}
	}
}

func TestHeadsAreThoseOfTheVectors(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		Name       string
		Header, H0 vectors.Hex
		Entries    []struct{ Bytes, Head vectors.Hex }
		Not        map[string]map[string]vectors.Hex
	}](t, "log/heads.json") {
		head := hash(0, c.Header)
		checkHash(t, c.Name, head, c.H0, c.Not["h0"])
		for i, entry := range c.Entries {
			head = hash(1, head, entry.Bytes)
			mistakes := c.Not["head_of_entry_1"]
			if i > 0 {
				mistakes = nil
			}
			checkHash(t, c.Name, head, entry.Head, mistakes)
		}
	}
	for _, c := range vectors.Cases[struct {
		Name    string
		Records []struct{ Previous, Bytes, Head vectors.Hex }
		Not     map[string]map[string]vectors.Hex
	}](t, "log/index.json") {
		for i, record := range c.Records {
			mistakes := c.Not["first_head"]
			if i > 0 {
				mistakes = nil
			}
			checkHash(t, c.Name, hash(2, record.Previous, record.Bytes), record.Head, mistakes)
		}
	}
}

func checkHash(t *testing.T, name string, found, due []byte, mistakes map[string]vectors.Hex) {
	t.Helper()
	if !bytes.Equal(found, due) {
		t.Errorf("%s: is %x, must be %x", name, found, due)
	}
	for mistake, wrong := range mistakes {
		if bytes.Equal(found, wrong) {
			t.Errorf("%s: is what %s gives", name, mistake)
		}
	}
}

func TestResultIsWhatTheVectorsSign(t *testing.T) {
	type signed struct {
		Name      string
		Number    uint32
		H0        vectors.Hex
		FinalHead vectors.Hex `json:"final_head"`
		Outcome   vectors.Hex
	}
	for _, c := range vectors.Cases[struct {
		signed
		SignedBytes vectors.Hex `json:"signed_bytes"`
	}](t, "log/result.json") {
		checkHash(t, c.Name, resultBytes(c.Number, c.H0, c.FinalHead, c.Outcome), c.SignedBytes, nil)
	}
	for _, c := range vectors.Cases[struct {
		signed
		SecretKey vectors.Hex `json:"secret_key"`
		PublicKey vectors.Hex `json:"public_key"`
		KeyID     vectors.Hex `json:"key_id"`
		Signature vectors.Hex
		Not       map[string]vectors.Hex
	}](t, "log/signatures.json") {
		key := ed25519.NewKeyFromSeed(c.SecretKey)
		public := key.Public().(ed25519.PublicKey)
		keyID := sha256.Sum256(public)
		result := resultBytes(c.Number, c.H0, c.FinalHead, c.Outcome)
		checkHash(t, c.Name, public, c.PublicKey, nil)
		checkHash(t, c.Name, keyID[:16], c.KeyID, nil)
		checkHash(t, c.Name, ed25519.Sign(key, result), c.Signature, c.Not)
		for mistake, wrong := range c.Not {
			if ed25519.Verify(public, result, wrong) {
				t.Errorf("%s: takes the signature of %s", c.Name, mistake)
			}
		}
	}
}

func TestVerdictsAreThoseOfTheVectors(t *testing.T) {
	for _, c := range vectors.Cases[struct {
		Name, Status, Part, Check string
		File, Key, Index          vectors.Hex
	}](t, "log/replays.json") {
		evidence := Evidence{Key: ed25519.PublicKey(c.Key)}
		if c.Index != nil {
			evidence.Index = indexOf(t, c.Index, evidence.Key)
		}
		report := verified(t, c.Name, c.File, evidence)
		checkVerdict(t, report, c.Status, c.Part, c.Check)
		for text, said := range map[string]bool{signerUnknown: c.Key == nil, noIndex: c.Index == nil} {
			if slices.Contains(report.NotProven, text) != said {
				t.Errorf("%s: what is not proven: %v", c.Name, report.NotProven)
			}
		}
	}
}

func checkVerdict(t *testing.T, report Report, status, part, check string) {
	t.Helper()
	text := func(text *string) string {
		if text == nil {
			return ""
		}
		return *text
	}
	if report.Status != status || text(report.Part) != part || text(report.Check) != check {
		t.Errorf("%s: is %s at %q for %q (%s), must be %s at %q for %q", report.File, report.Status, text(report.Part),
			text(report.Check), report.Message, status, part, check)
	}
}

func TestGoldenReplaysAreRight(t *testing.T) {
	names, err := filepath.Glob(vectors.Path("tests", "golden", "*.unoduo"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden replays: %v", err)
	}
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		report := verified(t, filepath.Base(name), file, Evidence{})
		checkVerdict(t, report, OK, "", "")
		if !report.DealChecked || report.Outcome == nil {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

func TestNoEditOfARightReplayCrashes(t *testing.T) {
	file, err := os.ReadFile(vectors.Path("tests", "golden", "round-cap-drawn.unoduo"))
	if err != nil {
		t.Fatal(err)
	}
	for place := range file {
		if report := verified(t, "cut", file[:place], Evidence{}); report.Status == OK {
			t.Fatalf("cut at %d it is right", place)
		}
		flipped := bytes.Clone(file)
		flipped[place] ^= 1 << (place % 8)
		if report := verified(t, "flipped", flipped, Evidence{}); report.Status != Wrong {
			t.Fatalf("flipped at %d it is %s", place, report.Status)
		}
	}
}

func FuzzVerify(f *testing.F) {
	names, _ := filepath.Glob(vectors.Path("tests", "golden", "*-at-once.unoduo"))
	for _, name := range names {
		if file, err := os.ReadFile(name); err == nil {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		index := indexOf(t, file, nil)
		verified(t, "fuzzed", file, Evidence{Index: index})
		VerifyIndex("fuzzed", index)
	})
}

func verified(t *testing.T, name string, file []byte, evidence Evidence) Report {
	t.Helper()
	report, err := Verify(name, bytes.NewReader(file), evidence)
	if err != nil {
		t.Fatalf("%s: %s", name, err)
	}
	return report
}

func indexOf(t *testing.T, file []byte, key ed25519.PublicKey) *Index {
	t.Helper()
	index, err := ReadIndex(bytes.NewReader(file), key)
	if err != nil {
		t.Fatal(err)
	}
	return index
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
	data, err := os.ReadFile(vectors.Path("tests", "golden", "duo-random-random.unoduo"))
	if err != nil {
		t.Fatal(err)
	}
	file, reached := &counter{Reader: bytes.NewReader(data)}, len(fileHead)
	found := newReader(file).parts(func(p part) *Fault {
		reached += 4 + len(p.data) + headSize
		if p.head == nil {
			reached++ // its tag
		}
		if file.read > reached+buffer {
			t.Fatalf("%s ends at %d and %d bytes were read", p.name, reached, file.read)
		}
		return nil
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
	data, err := os.ReadFile(vectors.Path("tests", "golden", "round-cap-drawn.unoduo"))
	if err != nil {
		t.Fatal(err)
	}
	for _, fails := range []int64{0, 8, 100, int64(len(data)) - 1} {
		file := &failing{bytes.NewReader(data), fails}
		if _, err := Verify("broken", file, Evidence{}); !errors.Is(err, errBroken) {
			t.Errorf("broken at %d: %v", fails, err)
		}
		if _, err := ReadIndex(&failing{bytes.NewReader([]byte(IndexHead)), min(fails, 8)}, nil); !errors.Is(err, errBroken) {
			t.Errorf("index broken at %d: %v", fails, err)
		}
	}
}

func TestFileThatChangesWhileItIsReadIsWrong(t *testing.T) {
	data, err := os.ReadFile(vectors.Path("tests", "golden", "round-cap-drawn.unoduo"))
	if err != nil {
		t.Fatal(err)
	}
	// Read ahead for its reveal it has none yet.
	file := &growing{Reader: bytes.NewReader(data[:len(data)-1]), whole: data}
	report, err := Verify("grown", file, Evidence{})
	if err != nil {
		t.Fatal(err)
	}
	checkVerdict(t, report, Wrong, "reveal", "FILE")
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
