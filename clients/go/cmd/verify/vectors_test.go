package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// hexes is bytes, hex digits in a case.
type hexes []byte

func (h *hexes) UnmarshalText(digits []byte) (err error) {
	*h, err = hex.DecodeString(string(digits))
	return err
}

// inRepository returns the path of something in the repository.
func inRepository(parts ...string) string {
	return filepath.Join(append([]string{"..", "..", "..", ".."}, parts...)...)
}

// fromJSON reads a file below proto/vectors.
func fromJSON(t *testing.T, name string, into any) {
	t.Helper()
	if err := json.Unmarshal(contentOf(t, inRepository("proto", "vectors", filepath.FromSlash(name))), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// cases returns the cases of a file below proto/vectors, at least one.
func cases[Case any](t *testing.T, name string) []Case {
	t.Helper()
	var file struct{ Cases []Case }
	if fromJSON(t, name, &file); len(file.Cases) == 0 {
		t.Fatalf("%s has no cases", name)
	}
	return file.Cases
}

func contentOf(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func checkBytes(t *testing.T, name string, found, due []byte, mistakes map[string]hexes) {
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
