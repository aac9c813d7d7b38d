package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files writes the vectors that the tests need to a folder and returns where they are.
func files(t *testing.T) func(string) string {
	t.Helper()
	folder := t.TempDir()
	for _, c := range cases[struct {
		Name             string
		File, Key, Index hexes
	}](t, "log/replays.json") {
		for suffix, data := range map[string][]byte{
			"": c.File, ".key": []byte(hex.EncodeToString(c.Key) + "\n"), ".index": c.Index,
		} {
			if err := os.WriteFile(filepath.Join(folder, c.Name+suffix), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return func(name string) string { return filepath.Join(folder, name) }
}

func TestExitCodesTellTheWorst(t *testing.T) {
	file := files(t)
	right, wrong, incomplete := file("whole"), file("outcome_altered"), file("not_over")
	signed, key := file("index_tells_the_same"), file("index_tells_the_same.key")
	digits, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments []string
		code      int
	}{
		{[]string{right}, 0},
		{[]string{wrong}, 1},
		{[]string{incomplete}, 3},
		{[]string{right, incomplete}, 3},
		{[]string{incomplete, wrong, right}, 1},
		{[]string{file("missing")}, 2},
		{[]string{file("missing"), incomplete}, 2},
		{[]string{file("missing"), wrong}, 1},
		{[]string{file("")}, 2},
		{nil, 2},
		{[]string{"--unknown", right}, 2},
		{[]string{"--help"}, 0},
		{[]string{"--key", key, signed}, 0},
		{[]string{"--key", strings.TrimSpace(string(digits)), "--index", file("index_tells_the_same.index"), signed}, 0},
		{[]string{"--key", key, right}, 1},
		{[]string{"--key", "abcd", signed}, 2},
		{[]string{"--key", right, signed}, 2},
		{[]string{"--index", file("missing"), signed}, 2},
		{[]string{"--index", file("index_says_void.index"), signed}, 1},
		{[]string{"--index", file("index_tells_the_same.index")}, 0},
		{[]string{"--index", file("index_tells_the_same.index"), "--key", key}, 0},
		{[]string{"--index", right}, 1},
	} {
		var out, complaints bytes.Buffer
		if code := run(c.arguments, &out, &complaints); code != c.code {
			t.Errorf("%v: exit code %d, must be %d; %s%s", c.arguments, code, c.code, &out, &complaints)
		}
	}
}

func TestTextNamesTheFirstWrongPart(t *testing.T) {
	file := files(t)
	var out, complaints bytes.Buffer
	run([]string{file("outcome_altered"), file("not_over"), file("whole")}, &out, &complaints)
	for _, text := range []string{
		`outcome_altered": WRONG at seal: it is not that of the last event (OUTCOME)`,
		`not_over": incomplete: the file has no seal`,
		`whole": ok`,
		"\n  not proven: signer unknown",
	} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("%q is not in %s", text, &out)
		}
	}
}

func TestTextSaysWhatAKeyDoesNotProve(t *testing.T) {
	file := files(t)
	var out, complaints bytes.Buffer
	run([]string{"--key", file("index_tells_the_same.key"), file("whole"), file("not_over")}, &out, &complaints)
	for _, text := range []string{"the result is not signed (SIGNATURE)", "\n  not proven: signer unknown"} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("%q is not in %s", text, &out)
		}
	}
}

func TestNameOfAFileCannotPassForAVerdict(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a: ok\n\x1b[2Kb")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, complaints bytes.Buffer
	run([]string{name}, &out, &complaints)
	if !strings.Contains(out.String(), `a: ok\n\x1b[2Kb": WRONG at file head`) {
		t.Errorf("%q", &out)
	}
}

func TestJSONIsALineAFile(t *testing.T) {
	file := files(t)
	var out, complaints bytes.Buffer
	run([]string{"--json", file("outcome_altered"), file("whole")}, &out, &complaints)
	var reports []map[string]any
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var report map[string]any
		if err := json.Unmarshal([]byte(line), &report); err != nil {
			t.Fatal(err)
		}
		reports = append(reports, report)
	}
	if len(reports) != 2 || reports[0]["part"] != "seal" || reports[1]["status"] != "ok" || reports[1]["part"] != nil {
		t.Errorf("%v", reports)
	}
}
