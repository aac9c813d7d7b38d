// Package vectors reads the cases of proto/vectors for tests.
package vectors

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Hex is bytes, hex digits in a case.
type Hex []byte

// UnmarshalJSON reads hex digits.
func (h *Hex) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	decoded, err := hex.DecodeString(text)
	*h = decoded
	return err
}

// Cards is a list of card numbers.
type Cards []byte

// UnmarshalJSON reads an array of numbers.
func (c *Cards) UnmarshalJSON(data []byte) error {
	var numbers []int
	if err := json.Unmarshal(data, &numbers); err != nil {
		return err
	}
	for _, number := range numbers {
		*c = append(*c, byte(number))
	}
	return nil
}

// Path returns the path of something in the repository.
func Path(parts ...string) string {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(file), "..", "..", "..", "..")
	return filepath.Join(append([]string{root}, parts...)...)
}

// Read reads a file below proto/vectors.
func Read(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(Path("proto", "vectors", filepath.FromSlash(name)))
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Cases returns the cases of a file below proto/vectors, at least one.
func Cases[Case any](t *testing.T, name string) []Case {
	t.Helper()
	var file struct{ Cases []Case }
	Read(t, name, &file)
	if len(file.Cases) == 0 {
		t.Fatalf("%s has no cases", name)
	}
	return file.Cases
}
