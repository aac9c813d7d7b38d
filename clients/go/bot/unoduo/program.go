package unoduo

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"

	"google.golang.org/grpc/grpclog"
)

const (
	finished = 0
	failed   = 1
	misused  = 2
)

// MakeBot makes the bot of a match. It is given the seed for the dice of an assigned match, nil for one that the
// arguments name.
type MakeBot func(seed []byte) Bot

// Run is the main program of a bot: it plays what the arguments of the process say, prints a line for each match that
// has ended, and exits with 0, with 1 if the match could not be played to its end (a line on stderr says why), or with
// 2 for wrong usage. With --assigned it plays all matches of a bot until it is interrupted.
func Run(makeBot MakeBot) {
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard)) // what matters is told by errors
	name := filepath.Base(os.Args[0])
	arguments, err := parse(name, os.Args[1:], os.Getenv)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(finished)
	case err != nil:
		fmt.Fprintf(os.Stderr, "%s: %v; see --help\n", name, err)
		os.Exit(misused)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err = arguments.perform(ctx, makeBot)
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(failed)
	}
}

func (a *arguments) perform(ctx context.Context, makeBot MakeBot) error {
	options := Options{Token: a.token, Security: a.security, Patience: a.patience, StartPatience: a.startPatience}
	var err error
	if a.token == "" {
		if options.Token, err = readToken(a.tokenFile); err != nil {
			return err
		}
	}
	if a.secretFile != "" {
		if options.Secret, err = readSecret(a.secretFile); err != nil {
			return err
		}
	}
	session, err := Connect(ctx, a.address, options)
	if err != nil {
		return err
	}
	defer session.Close()
	if a.isAssigned {
		return a.playAssigned(ctx, session, makeBot)
	}
	a.seat.Journal = a.journal
	if directory := a.usualJournals(); directory != "" {
		if a.seat.Journal, err = NewJournal(directory, a.seat.MatchID, a.seat.Seat); err != nil {
			return err
		}
	}
	return play(ctx, session, a.seat, makeBot(nil))
}

// usualJournals returns where to keep journals that nobody asked for, or "": a machine without such a place plays on.
func (a *arguments) usualJournals() string {
	if a.noJournal || a.journal != "" {
		return ""
	}
	directory, err := JournalDirectory()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: no journal is kept: %v\n", a.program, err)
		return ""
	}
	return directory
}

// playAssigned plays every match that is assigned, at once, until the session ends.
func (a *arguments) playAssigned(ctx context.Context, session *Session, makeBot MakeBot) error {
	journals := a.journal + a.usualJournals() // one of them at most
	var games sync.WaitGroup
	defer games.Wait()
	for {
		assigned, err := session.NextAssigned(ctx)
		if err != nil {
			return err
		}
		games.Go(func() {
			seat := Seat{MatchID: assigned.GetMatchId(), Seat: assigned.GetSeat()}
			err := playOne(ctx, session, seat, journals, makeBot(assigned.GetBotSeed()))
			if err != nil && session.Err() == nil && ctx.Err() == nil { // those are told once, for all matches
				fmt.Fprintf(os.Stderr, "%s: match %x, seat %s: %v\n", a.program, seat.MatchID, letter(seat.Seat), err)
			}
		})
	}
}

func playOne(ctx context.Context, session *Session, seat Seat, journals string, bot Bot) (err error) {
	if journals != "" {
		if seat.Journal, err = NewJournal(journals, seat.MatchID, seat.Seat); err != nil {
			return err
		}
	}
	return play(ctx, session, seat, bot)
}

func play(ctx context.Context, session *Session, seat Seat, bot Bot) error {
	result, err := session.Play(ctx, seat, bot)
	if err == nil {
		fmt.Println(result)
	}
	return err
}
