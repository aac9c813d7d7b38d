package unoduo

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	pb "unoduo/clients/go/bot/unoduov1"
)

// DefaultPatience is how long a lost connection is tried again.
const DefaultPatience = 60 * time.Second

const (
	answerTime   = 20 * time.Second // a connection that was not greeted by then is given up
	secretBytes  = 32
	clientByName = "unoduo-client go"
)

// Options say how to speak to a referee. The zero value is right for a referee on this machine.
type Options struct {
	// Token names the caller; it is not needed if each seat brings its own.
	Token string
	// Security says whether TLS is spoken.
	Security Security
	// Secret is what the part of each seat in its deal is derived from; by default 32 random bytes. A bot that may be
	// restarted before its match begins must keep it: the first entropy of a seat counts.
	Secret []byte
	// Patience is how long a lost connection is tried again; 0 means DefaultPatience, a negative one never.
	Patience time.Duration
	// StartPatience is how long the referee may be missing at the beginning; 0: it must be there.
	StartPatience time.Duration
	// Client introduces the program, 1 to 64 characters; by default the name of this package.
	Client string
	// Log is told what goes wrong and is mended; by default that of package slog.
	Log *slog.Logger
}

// Seat says what to play.
type Seat struct {
	// MatchID has 16 bytes.
	MatchID []byte
	// Seat is SEAT_A or SEAT_B.
	Seat pb.Seat
	// Token is that of the seat, if the token of the session does not cover it.
	Token string
	// Journal is a new file for what the seat sees and says, or empty. A path for it comes from NewJournal.
	Journal string
}

// String shows no token and no secret.
func (o Options) String() string {
	return fmt.Sprintf("client %q, patience %v, %v at the beginning", o.Client, o.Patience, o.StartPatience)
}

// String shows no token.
func (s Seat) String() string {
	return fmt.Sprintf("match %x, seat %s, journal %q", s.MatchID, letter(s.Seat), s.Journal)
}

// Session plays any number of seats at one referee, over as many connections as that takes.
type Session struct {
	dialer   *dialer
	secret   []byte
	patience time.Duration
	log      *slog.Logger
	backoff  backoff
	ctx      context.Context
	cancel   context.CancelFunc
	ended    chan struct{} // closed when err is set
	news     chan struct{}

	mu            sync.Mutex // guards what follows
	line          *connection
	conversations map[*conversation]struct{}
	err           error
	assigned      []*pb.Assigned
	known         map[string]bool
}

// Connect opens a session with the referee at host:port. It lasts until Close, the end of ctx, or until a lost
// connection could not be replaced within the patience.
func Connect(ctx context.Context, address string, options Options) (*Session, error) {
	open, err := channelTo(address, options.Security)
	if err != nil {
		return nil, err
	}
	s := &Session{
		secret: options.Secret, patience: options.Patience, log: options.Log,
		ended: make(chan struct{}), news: make(chan struct{}, 1),
		conversations: map[*conversation]struct{}{}, known: map[string]bool{},
	}
	if s.secret == nil {
		s.secret = make([]byte, secretBytes)
		_, _ = rand.Read(s.secret) // never fails
	}
	if s.patience == 0 {
		s.patience = DefaultPatience
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	s.dialer = &dialer{
		address: address, open: open, token: options.Token, client: options.Client, log: s.log, onAssigned: s.assign,
	}
	if s.dialer.client == "" {
		s.dialer.client = clientByName
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	deadline := time.Now().Add(options.StartPatience)
	line, lost := s.dialer.dial(s.ctx, answerTime)
	if lost != nil {
		if line, err = s.dialAgain(lost, options.StartPatience, deadline); err != nil {
			s.cancel()
			return nil, err
		}
	}
	s.line = line
	go s.supervise(line)
	return s, nil
}

// Close ends the session: every seat on it is left, and no match ends by that.
func (s *Session) Close() {
	s.cancel()
	<-s.ended
}

// Err returns why the session has ended, nil while it has not.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Play takes a seat, plays its match to the end with a bot, and returns how it ended. Any number of calls may run at
// once.
//
// It goes on over lost connections and restarts of the referee, and waits as long as a match stands still. If it
// returns an error, the match goes on without the seat. When it returns, the bot may still be thinking in vain.
func (s *Session) Play(ctx context.Context, seat Seat, bot Bot) (*Result, error) {
	var kept *journal
	if seat.Journal != "" {
		created, err := createJournal(seat.Journal)
		if err != nil {
			return nil, err
		}
		defer created.close()
		kept = created
	}
	c := newConversation(&pb.Join{
		MatchId: seat.MatchID, Seat: seat.Seat, SeatToken: seat.Token, Delivery: pb.Delivery_DELIVERY_ON_DECISION,
	}, bot, s.secret, kept, s.log)
	if err := s.enter(c); err != nil {
		return nil, err
	}
	result, err := c.run(ctx)
	s.leave(c)
	return result, err
}

// NextAssigned waits for a seat that the bot of the session's token has in an unfinished match, and returns it: each of
// them once, also those of new matches. It is played without a token of its own.
func (s *Session) NextAssigned(ctx context.Context) (*pb.Assigned, error) {
	for {
		s.mu.Lock()
		if len(s.assigned) > 0 {
			next := s.assigned[0]
			s.assigned = s.assigned[1:]
			s.mu.Unlock()
			return next, nil
		}
		s.mu.Unlock()
		select {
		case <-s.news:
		case <-s.ended:
			return nil, s.Err()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// assign takes an assignment; on each connection the referee tells them all again.
func (s *Session) assign(assigned *pb.Assigned) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := keyOf(assigned.GetMatchId(), assigned.GetSeat())
	if s.known[key] {
		return
	}
	s.known[key] = true
	s.assigned = append(s.assigned, assigned)
	select {
	case s.news <- struct{}{}:
	default: // whoever waits will look
	}
}

func keyOf(matchID []byte, seat pb.Seat) string { return fmt.Sprintf("%x-%d", matchID, seat) }

func (s *Session) enter(c *conversation) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.conversations[c] = struct{}{}
	if s.line != nil {
		c.attach(s.line)
	}
	return nil
}

func (s *Session) leave(c *conversation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conversations, c)
	if c.ended != nil {
		// An assignment to a match that is over is not told again.
		delete(s.known, keyOf(c.join.GetMatchId(), c.join.GetSeat()))
	}
}

// supervise replaces lost connections until one cannot be replaced.
func (s *Session) supervise(c *connection) {
	var deadline time.Time
	for {
		<-c.done
		s.tell(nil, nil, func(seat *conversation) { seat.detach() })
		c.close()
		if c.wasFruitful() || deadline.IsZero() {
			s.backoff.reset()
			deadline = time.Now().Add(s.patience)
		}
		next, err := s.dialAgain(c.lost, s.patience, deadline)
		if err != nil {
			s.tell(nil, err, func(seat *conversation) { seat.fail(err) })
			close(s.ended)
			return
		}
		s.tell(next, nil, func(seat *conversation) { seat.attach(next) })
		c = next
	}
}

// tell takes over a connection, or that there is none or will be none any more, and lets all seats know.
func (s *Session) tell(line *connection, err error, step func(*conversation)) {
	s.mu.Lock()
	s.line, s.err = line, err
	seats := slices.Collect(maps.Keys(s.conversations))
	s.mu.Unlock()
	for _, seat := range seats {
		seat.post(func() { step(seat) })
	}
}

// dialAgain returns a connection in place of one that was lost or never came about. It tries until the deadline, by
// which the patience will be over, or gives up at once for what does not pass.
func (s *Session) dialAgain(lost *RefereeError, patience time.Duration, deadline time.Time) (*connection, error) {
	for lost.mayPass && time.Now().Before(deadline) {
		select {
		case <-s.ctx.Done():
			return nil, ErrClosed
		case <-time.After(min(s.backoff.next(), time.Until(deadline))):
		}
		left := time.Until(deadline)
		if left <= 0 {
			break
		}
		next, again := s.dialer.dial(s.ctx, min(left, answerTime))
		if again == nil {
			return next, nil
		}
		lost = again
	}
	if s.ctx.Err() != nil {
		return nil, ErrClosed
	}
	if lost.mayPass && patience > 0 {
		lost.Message = fmt.Sprintf("no session with the referee for %g seconds: %s", patience.Seconds(), lost.Message)
	}
	return nil, lost
}
