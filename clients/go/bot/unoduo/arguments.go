package unoduo

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	pb "unoduo/clients/go/bot/unoduov1"
)

const (
	seatVariable = "UNODUO_SEAT_TOKEN"
	botVariable  = "UNODUO_BOT_TOKEN"
)

const usage = `usage: %s --address HOST:PORT (--match ID --seat A|B | --assigned) [OPTION ...]

Plays one seat of a match of UNO Duo, or all matches assigned to a bot.

`

const epilogue = `
The token is that of the seat in UNODUO_SEAT_TOKEN, or with --assigned that of the bot in UNODUO_BOT_TOKEN.

exit codes: 0 the match has ended, 1 it could not be played to its end, 2 wrong usage
`

// arguments are those of the program; token is "" if it is in tokenFile.
type arguments struct {
	program, address, token, tokenFile string
	security                           Security
	seat                               Seat
	isAssigned, noJournal              bool
	journal, secretFile                string
	patience, startPatience            time.Duration
}

func parse(program string, words []string, environment func(string) string) (*arguments, error) {
	a := &arguments{program: program}
	flags := flag.NewFlagSet(program, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&a.address, "address", "", "the `HOST:PORT` where the referee listens")
	flags.Func("match", "the `ID` of the match, 32 hex digits", a.setMatch)
	flags.Func("seat", "the seat, `A|B`", a.setSeat)
	flags.BoolVar(&a.isAssigned, "assigned", false, "play every match that is assigned to the bot whose token this is")
	flags.StringVar(&a.tokenFile, "token-file", "", "a `FILE` that holds the token, if the environment does not")
	flags.StringVar(&a.security.CA, "tls-ca", "", "speak TLS and trust the certificates of this PEM `FILE`; without it"+
		" plaintext is spoken on this machine, and to any other TLS with the certificates that the system trusts")
	flags.BoolVar(&a.security.Insecure, "insecure", false, "speak plaintext to any machine")
	flags.Func("patience", "for how many `SECONDS` to try to reach a referee that is not there, also at the beginning;"+
		" without it not at the beginning, and 60 seconds later; 0: never again", a.setPatience)
	flags.StringVar(&a.journal, "journal", "", "keep what the seat sees and says in this new `FILE`, with --assigned in"+
		" files of this directory; without it in a new file of unoduo/journals of XDG_STATE_HOME (~/.local/state)")
	flags.BoolVar(&a.noJournal, "no-journal", false, "keep no journal, hence no evidence")
	flags.StringVar(&a.secretFile, "secret-file", "", "a `FILE` with the secret behind the bot's part in the deal, made if"+
		" it is not there; keeps it over a restart")
	if err := flags.Parse(words); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Printf(usage, program)
			flags.SetOutput(os.Stdout)
			flags.PrintDefaults()
			fmt.Print(epilogue)
		}
		return nil, err
	}
	variable := seatVariable
	if a.isAssigned {
		variable = botVariable
	}
	a.token = environment(variable)
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("unknown argument %q", flags.Arg(0))
	case a.address == "":
		return nil, errors.New("--address is missing")
	case given["match"] == a.isAssigned || given["seat"] == a.isAssigned:
		return nil, errors.New("give either --match and --seat or --assigned")
	case given["tls-ca"] && a.security.Insecure:
		return nil, errors.New("give --tls-ca or --insecure, not both")
	case given["journal"] && a.noJournal:
		return nil, errors.New("give --journal or --no-journal, not both")
	case a.token == "" && a.tokenFile == "":
		return nil, fmt.Errorf("no token: set %s or give --token-file", variable)
	case a.token != "" && !isToken(a.token):
		return nil, fmt.Errorf("the token in %s has characters that no token has", variable)
	}
	return a, nil
}

func (a *arguments) setMatch(text string) error {
	id, err := hex.DecodeString(text)
	if err != nil || len(id) != 16 {
		return errors.New("a match id has 32 hex digits")
	}
	a.seat.MatchID = id
	return nil
}

func (a *arguments) setSeat(text string) error {
	switch text {
	case "A":
		a.seat.Seat = pb.Seat_SEAT_A
	case "B":
		a.seat.Seat = pb.Seat_SEAT_B
	default:
		return errors.New("a seat is A or B")
	}
	return nil
}

func (a *arguments) setPatience(text string) error {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(0 <= seconds && seconds < 1e9) {
		return errors.New("this is no number of seconds")
	}
	a.startPatience = time.Duration(seconds * float64(time.Second))
	a.patience = a.startPatience
	if seconds == 0 {
		a.patience = -1 // never
	}
	return nil
}

func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(char rune) bool { return char < ' ' || char > '~' })
}

func readToken(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if !isToken(token) {
		return "", fmt.Errorf("%s holds no token", path)
	}
	return token, nil
}

// readSecret returns the secret kept in a file, and makes the file first if there is none.
func readSecret(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		secret := make([]byte, secretBytes)
		_, _ = rand.Read(secret) // never fails
		_, err = file.Write(secret)
		err = errors.Join(err, file.Close())
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	secret, err := os.ReadFile(path)
	if err == nil && len(secret) < secretBytes {
		err = fmt.Errorf("%s holds no secret of at least %d bytes", path, secretBytes)
	}
	return secret, err
}
