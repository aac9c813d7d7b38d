// Command verify checks replay files without the rules of the game: that nothing was changed, that the deal is the one
// that was committed to, and that each card is that of the deal. It shares no code with `unoduo verify`.
package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

const usage = `usage: verify [options] FILE...
       verify [options] --index FILE

exit codes: 0 ok, 1 wrong, 2 could not be done, 3 incomplete; of several files the first of 1, 2, 3 and 0

`

// What may be told of a file, the worst last, and the exit codes of that.
var statuses, exitCodes = []string{"ok", "incomplete", "unreadable", "wrong"}, []int{0, 3, 2, 1}

const unreadable, exitUsage = 2, 2

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(arguments []string, out, complaints io.Writer) int {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.SetOutput(complaints)
	flags.Usage = func() { fmt.Fprint(complaints, usage); flags.PrintDefaults() }
	asJSON := flags.Bool("json", false, "an object for each file, on a line of its own, with the fields of unoduo verify")
	var key ed25519.PublicKey
	flags.Func("key", "the referee's public `KEY`, 64 hex digits or a file of them", func(text string) (err error) {
		key, err = readKey(text)
		return err
	})
	indexName := flags.String("index", "", "`FILE` of the referee's index, which must tell of the same matches")
	switch err := flags.Parse(arguments); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return exitUsage
	case flags.NArg() == 0 && *indexName == "":
		flags.Usage()
		return exitUsage
	}
	worst := 0
	verifyAll(flags.Args(), *indexName, key, func(r *report, err error) {
		if err == nil {
			worst = max(worst, slices.Index(statuses, r.Status))
			err = r.write(out, *asJSON)
		}
		if err != nil {
			worst = max(worst, unreadable)
			fmt.Fprintln(complaints, "verify:", err)
		}
	})
	return exitCodes[worst]
}

// verifyAll tells of each file, or of the index if there are none.
func verifyAll(names []string, indexName string, key ed25519.PublicKey, tell func(*report, error)) {
	var known *index
	var err error
	if indexName != "" {
		known, err = with(indexName, func(file *os.File) (*index, error) { return readIndex(file, key) })
	}
	switch {
	case err != nil:
		tell(nil, err)
		return
	case len(names) == 0:
		tell(known.verify(indexName), nil)
	}
	for _, name := range names {
		tell(with(name, func(file *os.File) (*report, error) { return verify(name, file, key, known) }))
	}
}

// readKey returns the key that a text, or the file of that name, has in hex digits.
func readKey(text string) (ed25519.PublicKey, error) {
	digits, err := os.ReadFile(text)
	if err != nil {
		digits = []byte(text)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(digits)))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("neither 64 hex digits nor a file that holds them")
	}
	return key, nil
}

// with returns what is made of a file.
func with[T any](name string, use func(*os.File) (T, error)) (made T, err error) {
	file, err := os.Open(name)
	if err != nil {
		return made, err
	}
	defer file.Close()
	return use(file)
}
