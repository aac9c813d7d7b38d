package unoduo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	pb "unoduo/clients/go/bot/unoduov1"
)

const oneSeat = "--address host:1 --match 000102030405060708090a0b0c0d0e0f --seat B "

func parseWords(line string, environment map[string]string) (*arguments, error) {
	return parse("bot", strings.Fields(line), func(name string) string { return environment[name] })
}

func TestArgumentsNameOneSeat(t *testing.T) {
	a, err := parseWords(oneSeat+"--tls-ca ca.pem --journal j --secret-file s",
		map[string]string{"UNODUO_SEAT_TOKEN": "T", "UNODUO_BOT_TOKEN": "other"})
	if err != nil {
		t.Fatal(err)
	}
	if a.address != "host:1" || a.token != "T" || a.seat.Seat != pb.Seat_SEAT_B || a.seat.MatchID[15] != 15 ||
		a.security.CA != "ca.pem" || a.journal != "j" || a.secretFile != "s" || a.patience != 0 || a.startPatience != 0 {
		t.Errorf("%+v", a)
	}
}

func TestArgumentsNameABot(t *testing.T) {
	a, err := parseWords("--address host:1 --assigned --insecure --no-journal",
		map[string]string{"UNODUO_SEAT_TOKEN": "other", "UNODUO_BOT_TOKEN": "T"})
	if err != nil || !a.isAssigned || a.token != "T" || !a.security.Insecure || !a.noJournal {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestPatienceHoldsAtTheBeginningToo(t *testing.T) {
	for text, due := range map[string]time.Duration{"2.5": 2500 * time.Millisecond, "0": -1} {
		a, err := parseWords(oneSeat+"--token-file t --patience "+text, nil)
		if err != nil || a.patience != due || a.startPatience != max(due, 0) {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
}

func TestWrongUsageIsNamed(t *testing.T) {
	const whole = oneSeat + "--token-file t "
	for line, due := range map[string]string{
		whole + "more":                          "more",
		whole + "--nothing":                     "nothing",
		whole + "--assigned":                    "--assigned",
		whole + "--tls-ca x --insecure":         "--insecure",
		whole + "--journal x --no-journal":      "--no-journal",
		whole + "--patience long":               "seconds",
		whole + "--patience -1":                 "seconds",
		whole + "--patience NaN":                "seconds",
		whole + "--seat C":                      "A or B",
		whole + "--match 00":                    "32 hex digits",
		oneSeat:                                 "UNODUO_SEAT_TOKEN",
		"--address host:1 --assigned":           "UNODUO_BOT_TOKEN",
		"--address host:1 --token-file t":       "--match",
		"--address h:1 --seat A --token-file t": "--match",
		"--assigned --token-file t":             "--address",
		"--address h:1 --seat A --assigned ":    "--seat",
	} {
		if a, err := parseWords(line, nil); err == nil || !strings.Contains(err.Error(), due) {
			t.Errorf("%s: %+v, %v", line, a, err)
		}
	}
	if _, err := parseWords(oneSeat, map[string]string{"UNODUO_SEAT_TOKEN": "a\nb"}); err == nil {
		t.Error("a token of two lines")
	}
}

func TestTokenFileHoldsOneToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	for content, right := range map[string]bool{" T\n": true, "": false, "a\nb": false, "\xff": false} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if token, err := readToken(path); (err == nil && token == "T") != right {
			t.Errorf("%q: %q, %v", content, token, err)
		}
	}
}

func TestSecretFileIsMadeOnceForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	first, err := readSecret(path)
	if err != nil || len(first) != secretBytes {
		t.Fatal(first, err)
	}
	if again, err := readSecret(path); err != nil || string(again) != string(first) {
		t.Error(again, err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if secret, err := readSecret(path); err == nil {
		t.Errorf("%q", secret)
	}
}
