// Command verify checks replay files without the rules of the game: that nothing was changed, that the deal is the one
// that was committed to, and that each card is that of the deal. It shares no code with `unoduo verify`.
package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"unoduo/clients/go/audit"
)

// The exit codes; that of several files is the first of 1, 2, 3 and 0 that one of them has.
const (
	exitOK         = 0
	exitWrong      = 1
	exitUsage      = 2
	exitIncomplete = 3
)

// The longest master file.
const maxFile = 1 << 26

var exitCodes = map[string]int{audit.OK: exitOK, audit.Wrong: exitWrong, audit.Incomplete: exitIncomplete}

const usage = `usage: verify [--json] [--key KEY] [--index FILE] [--master FILE] FILE...
       verify [--json] [--key KEY] --index FILE

  --json         an object for each file, on a line of its own, with the fields of unoduo verify
  --key KEY      the referee's public key, 64 hex digits or a file that holds them
  --index FILE   the referee's index, which must tell of the same match; alone it is the index that is verified
  --master FILE  the master file of a tournament, which must give the deals of its matches

exit codes: 0 ok, 1 wrong, 2 could not be done, 3 incomplete
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(arguments []string, out, complaints io.Writer) int {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.SetOutput(complaints)
	flags.Usage = func() { fmt.Fprint(complaints, usage) }
	asJSON := flags.Bool("json", false, "")
	key := flags.String("key", "", "")
	index := flags.String("index", "", "")
	master := flags.String("master", "", "")
	if err := flags.Parse(arguments); errors.Is(err, flag.ErrHelp) {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if flags.NArg() == 0 && (*index == "" || *master != "") {
		flags.Usage()
		return exitUsage
	}
	evidence, err := readEvidence(*key, *index, *master)
	if err != nil {
		fmt.Fprintln(complaints, "verify:", err)
		return exitUsage
	}
	codes := map[int]bool{}
	tell := func(report audit.Report, err error) {
		if err == nil {
			codes[exitCodes[report.Status]] = true
			err = write(out, report, *asJSON)
		}
		if err != nil {
			fmt.Fprintln(complaints, "verify:", err)
			codes[exitUsage] = true
		}
	}
	if flags.NArg() == 0 {
		tell(audit.VerifyIndex(*index, evidence.Index), nil)
	}
	for _, name := range flags.Args() {
		tell(verify(name, evidence))
	}
	for _, code := range []int{exitWrong, exitUsage, exitIncomplete} {
		if codes[code] {
			return code
		}
	}
	return exitOK
}

func readEvidence(key, index, master string) (audit.Evidence, error) {
	var evidence audit.Evidence
	if key != "" {
		public, err := readKey(key)
		if err != nil {
			return evidence, err
		}
		evidence.Key = public
	}
	if index != "" {
		file, err := open(index)
		if err != nil {
			return evidence, err
		}
		defer file.Close()
		if evidence.Index, err = audit.ReadIndex(file, evidence.Key); err != nil {
			return evidence, err
		}
	}
	if master != "" {
		file, err := readFile(master)
		if err != nil {
			return evidence, err
		}
		if evidence.Master, err = audit.ReadMaster(file); err != nil {
			return evidence, fmt.Errorf("%s is no master file: %w", master, err)
		}
	}
	return evidence, nil
}

func readKey(text string) (ed25519.PublicKey, error) {
	digits := text
	if key, err := hex.DecodeString(digits); err == nil && len(key) == ed25519.PublicKeySize {
		return key, nil
	}
	file, err := readFile(text)
	if err != nil {
		return nil, fmt.Errorf("a key is 64 hex digits or a file that holds them: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(file)))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("%s does not hold a key of 64 hex digits", text)
	}
	return key, nil
}

func verify(name string, evidence audit.Evidence) (audit.Report, error) {
	file, err := open(name)
	if err != nil {
		return audit.Report{}, err
	}
	defer file.Close()
	return audit.Verify(name, file, evidence)
}

func open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return os.Open(name)
}

// readFile returns what is in a file of at most maxFile bytes.
func readFile(name string) ([]byte, error) {
	file, err := open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s has more than %d bytes", name, maxFile)
	}
	return data, err
}

// printable returns the name of a file without what could steer a terminal or pass for another line.
func printable(name string) string {
	return strings.Map(func(character rune) rune {
		if unicode.IsPrint(character) {
			return character
		}
		return '?'
	}, name)
}

func write(out io.Writer, report audit.Report, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(report)
	}
	verdict := report.Status
	switch report.Status {
	case audit.Wrong:
		verdict = fmt.Sprintf("WRONG at %s: %s (%s)", *report.Part, report.Message, *report.Check)
	case audit.Incomplete:
		verdict += ": " + report.Message
	}
	lines := fmt.Sprintf("%s: %s\n", printable(report.File), verdict)
	if report.Number != nil {
		lines += fmt.Sprintf("  %d events and %d actions in %d entries\n", report.Sequence, report.Actions, report.Entries)
	}
	if report.MasterCommitment != nil {
		lines += "  commitment to the master seed: " + *report.MasterCommitment + " (as published before?)\n"
	}
	if report.Status != audit.Wrong {
		for _, text := range report.NotProven {
			lines += "  not proven: " + text + "\n"
		}
	}
	_, err := io.WriteString(out, lines)
	return err
}
