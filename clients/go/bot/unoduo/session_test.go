package unoduo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "unoduo/clients/go/bot/unoduov1"
)

const guard = 30 * time.Second // against hanging

// peer is the referee's end of one session.
type peer struct {
	pb.RefereeService_PlayServer
	t        *testing.T
	pending  []*pb.RequestItem
	requests int
}

func (p *peer) receive() *pb.RequestItem {
	for len(p.pending) == 0 {
		request, err := p.Recv()
		if err != nil {
			return &pb.RequestItem{}
		}
		p.requests++
		p.pending = request.GetItems()
	}
	item := p.pending[0]
	p.pending = p.pending[1:]
	return item
}

func (p *peer) send(items ...*pb.ResponseItem) {
	if err := p.Send(&pb.PlayResponse{Items: items}); err != nil {
		p.t.Log(err)
	}
}

func (p *peer) greet(info *pb.SessionInfo) {
	if hello := p.receive().GetHello(); hello.GetProtocol() != 1 || hello.GetClient() == "" {
		p.t.Errorf("hello: %v", hello)
	}
	p.send(&pb.ResponseItem{Kind: &pb.ResponseItem_SessionInfo{SessionInfo: info}})
}

// seat lets a seat join and be ready, and returns its handle and join.
func (p *peer) seat() (uint32, *pb.Join) {
	item := p.receive()
	joined := &pb.Joined{Header: []byte{}, Lifecycle: pb.Lifecycle_LIFECYCLE_CREATED}
	p.send(&pb.ResponseItem{Handle: item.GetHandle(), Kind: &pb.ResponseItem_Joined{Joined: joined}})
	return item.GetHandle(), item.GetJoin()
}

func (p *peer) end(handle uint32) {
	p.send(&pb.ResponseItem{Handle: handle, Kind: &pb.ResponseItem_Ended{Ended: &pb.Ended{}}})
}

func (p *peer) waitForTheEnd() error {
	<-p.Context().Done()
	return nil
}

// scripted is a referee that serves each session with the next script, and further ones with the last.
type scripted struct {
	pb.UnimplementedRefereeServiceServer
	t       *testing.T
	scripts chan func(*peer) error
	last    func(*peer) error
}

func (s *scripted) Play(stream pb.RefereeService_PlayServer) error {
	select {
	case script := <-s.scripts:
		return script(&peer{RefereeService_PlayServer: stream, t: s.t})
	default:
		return s.last(&peer{RefereeService_PlayServer: stream, t: s.t})
	}
}

// serve returns the address of a referee with these scripts and what stops it.
func serve(t *testing.T, scripts ...func(*peer) error) (string, func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	referee := &scripted{t: t, scripts: make(chan func(*peer) error, len(scripts)), last: scripts[len(scripts)-1]}
	for _, script := range scripts {
		referee.scripts <- script
	}
	server := grpc.NewServer()
	pb.RegisterRefereeServiceServer(server, referee)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String(), server.Stop
}

func connected(t *testing.T, address string, options Options) *Session {
	t.Helper()
	options.Log = silent
	session, err := Connect(t.Context(), address, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	return session
}

func guarded(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	t.Cleanup(cancel)
	return ctx
}

var someSeat = Seat{MatchID: make([]byte, 16), Seat: pb.Seat_SEAT_A, Token: "SEAT"}

func undecided(*pb.Observation) (*pb.Action, error) { return nil, nil }

func TestSessionNamesItsCallerAndPlaysASeat(t *testing.T) {
	address, _ := serve(t, func(p *peer) error {
		p.greet(&pb.SessionInfo{Protocol: 1})
		incoming, _ := metadata.FromIncomingContext(p.Context())
		if token := incoming.Get("authorization"); len(token) != 1 || token[0] != "Bearer TOKEN" {
			t.Errorf("authorization: %q", token)
		}
		handle, join := p.seat()
		if join.GetSeatToken() != "SEAT" || join.GetDelivery() != pb.Delivery_DELIVERY_ON_DECISION ||
			join.AfterSequence != nil || join.GetSeat() != pb.Seat_SEAT_A {
			t.Errorf("join: %v", join)
		}
		p.end(handle)
		return p.waitForTheEnd()
	})
	session := connected(t, address, Options{Token: "TOKEN"})
	session.assign(&pb.Assigned{MatchId: someSeat.MatchID, Seat: someSeat.Seat})
	if result, err := session.Play(guarded(t), someSeat, undecided); err != nil || result.Ended == nil {
		t.Error(result, err)
	}
	if len(session.conversations) != 0 || len(session.known) != 0 {
		t.Error("what is over is remembered")
	}
}

func TestLostConnectionIsReplacedAndTheSeatTakenAgain(t *testing.T) {
	address, _ := serve(t,
		func(p *peer) error {
			p.greet(&pb.SessionInfo{})
			p.seat()
			return status.Error(codes.Unavailable, "draining")
		},
		func(p *peer) error { return nil },
		func(p *peer) error {
			p.greet(&pb.SessionInfo{})
			handle, join := p.seat()
			if join.AfterSequence == nil {
				t.Errorf("the seat is not resumed: %v", join)
			}
			p.end(handle)
			return p.waitForTheEnd()
		})
	session := connected(t, address, Options{})
	if result, err := session.Play(guarded(t), someSeat, undecided); err != nil {
		t.Error(result, err)
	}
}

func TestSessionWithoutARefereeIsGivenUpWhenThePatienceIsOver(t *testing.T) {
	playing := make(chan struct{})
	address, stop := serve(t, func(p *peer) error {
		p.greet(&pb.SessionInfo{})
		p.seat()
		close(playing)
		return p.waitForTheEnd()
	})
	session := connected(t, address, Options{Patience: 300 * time.Millisecond})
	go func() {
		<-playing
		stop()
	}()
	_, err := session.Play(guarded(t), someSeat, undecided)
	var lost *RefereeError
	if !errors.As(err, &lost) || !strings.Contains(lost.Message, "no session with the referee for 0.3 seconds") {
		t.Error(err)
	}
	if _, again := session.Play(guarded(t), someSeat, undecided); again != err {
		t.Error(again)
	}
	if _, assigned := session.NextAssigned(guarded(t)); assigned != err {
		t.Error(assigned)
	}
}

func TestConnectionsThatBringNothingDoNotRenewThePatience(t *testing.T) {
	address, _ := serve(t, func(p *peer) error {
		p.greet(&pb.SessionInfo{})
		return nil
	})
	session := connected(t, address, Options{Patience: 300 * time.Millisecond})
	var lost *RefereeError
	if _, err := session.NextAssigned(guarded(t)); !errors.As(err, &lost) {
		t.Error(err)
	}
}

func TestRefereeThatIsMissingAtTheBeginningIsWaitedForOnlyIfToldSo(t *testing.T) {
	refuse := func(p *peer) error { return status.Error(codes.Unavailable, "not yet") }
	serveLate := func(p *peer) error {
		p.greet(&pb.SessionInfo{})
		return p.waitForTheEnd()
	}
	address, _ := serve(t, refuse, serveLate)
	if session, err := Connect(t.Context(), address, Options{}); err == nil {
		session.Close()
		t.Error("it was waited for")
	}
	address, _ = serve(t, refuse, refuse, serveLate)
	connected(t, address, Options{StartPatience: guard})
}

func TestWhatDoesNotPassIsNotTriedAgain(t *testing.T) {
	refused := func(p *peer) error { return refusal(t, codes.Unauthenticated, "TOKEN_UNKNOWN", domain) }
	unsupported := func(p *peer) error {
		p.receive()
		problem := &pb.Problem{Code: 9, Reason: "PROTOCOL_UNSUPPORTED"}
		p.send(&pb.ResponseItem{Kind: &pb.ResponseItem_Problem{Problem: problem}})
		return p.waitForTheEnd()
	}
	for reason, script := range map[string]func(*peer) error{
		"TOKEN_UNKNOWN": refused, "PROTOCOL_UNSUPPORTED": unsupported,
	} {
		address, _ := serve(t, script)
		session, err := Connect(guarded(t), address, Options{StartPatience: guard})
		var lost *RefereeError
		if !errors.As(err, &lost) || lost.Reason != reason {
			t.Errorf("%s: %v, %v", reason, session, err)
		}
	}
}

func TestRefereeThatDoesNotAnswerIsGivenUp(t *testing.T) {
	address, _ := serve(t, func(p *peer) error { return p.waitForTheEnd() })
	open, err := channelTo(address, Security{})
	if err != nil {
		t.Fatal(err)
	}
	d := &dialer{address: address, open: open, client: "test", log: silent}
	if line, lost := d.dial(guarded(t), 50*time.Millisecond); lost == nil || lost.Code != codes.DeadlineExceeded || !lost.mayPass {
		t.Error(line, lost)
	}
}

func TestAssignmentsAreToldOnceOverAllConnections(t *testing.T) {
	assigned := func(number byte) *pb.ResponseItem {
		seat := &pb.Assigned{MatchId: []byte{number}, Seat: pb.Seat_SEAT_A}
		return &pb.ResponseItem{Kind: &pb.ResponseItem_Assigned{Assigned: seat}}
	}
	address, _ := serve(t,
		func(p *peer) error {
			p.greet(&pb.SessionInfo{})
			p.send(assigned(1), assigned(2))
			return nil
		},
		func(p *peer) error {
			p.greet(&pb.SessionInfo{})
			p.send(assigned(1), assigned(2), assigned(3))
			return p.waitForTheEnd()
		})
	session := connected(t, address, Options{Token: "BOT"})
	for _, due := range []byte{1, 2, 3} {
		if next, err := session.NextAssigned(guarded(t)); err != nil || next.GetMatchId()[0] != due {
			t.Fatal(next, err)
		}
	}
}

func TestRequestsKeepTheLimitsOfTheSession(t *testing.T) {
	seen := make(chan int, 1)
	address, _ := serve(t, func(p *peer) error {
		p.greet(&pb.SessionInfo{MaxItems: 2, MaxMessageBytes: 1000})
		before := p.requests
		for range 5 {
			if p.receive().GetJoin() == nil {
				t.Error("no join")
			}
			if len(p.pending) > 1 {
				t.Errorf("%d items in a request", 1+len(p.pending))
			}
		}
		seen <- p.requests - before
		return p.waitForTheEnd()
	})
	session := connected(t, address, Options{})
	join := &pb.RequestItem{Handle: 1, Kind: &pb.RequestItem_Join{Join: &pb.Join{SeatToken: strings.Repeat("x", 900)}}}
	for range 5 {
		if err := session.line.put(join); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case requests := <-seen:
		if requests != 5 {
			t.Errorf("%d requests for items of which no two fit into one", requests)
		}
	case <-time.After(guard):
		t.Fatal("items were not sent")
	}
	join.GetJoin().SeatToken = strings.Repeat("x", 1000)
	if err := session.line.put(join); err == nil {
		t.Error("an item that no request can hold was taken")
	}
}

func TestWhatIsReadyGoesOutTogether(t *testing.T) {
	c := &connection{maxItems: 3, maxBytes: 1000, wake: make(chan struct{}, 1)}
	for range 4 {
		if err := c.put(&pb.RequestItem{Handle: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if first, second := c.next(), c.next(); len(first.GetItems()) != 3 || len(second.GetItems()) != 1 || c.next() != nil {
		t.Error(first, second)
	}
}

func TestClosedSessionEndsItsSeats(t *testing.T) {
	playing := make(chan struct{})
	address, _ := serve(t, func(p *peer) error {
		p.greet(&pb.SessionInfo{})
		p.seat()
		close(playing)
		return p.waitForTheEnd()
	})
	session := connected(t, address, Options{})
	go func() {
		<-playing
		session.Close()
	}()
	if _, err := session.Play(guarded(t), someSeat, undecided); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestSecurityIsPlaintextOnThisMachineOnlyUnlessToldOtherwise(t *testing.T) {
	for _, c := range []struct {
		address  string
		security Security
		due      string
	}{
		{"127.0.0.1:1", Security{}, "insecure"},
		{"[::1]:1", Security{}, "insecure"},
		{"localhost:1", Security{}, "insecure"},
		{"192.0.2.1:1", Security{}, "tls"},
		{"referee.example:1", Security{}, "tls"},
		{"referee.example:1", Security{Insecure: true}, "insecure"},
	} {
		credentials, err := c.security.credentials(c.address)
		if err != nil || credentials.Info().SecurityProtocol != c.due {
			t.Errorf("%s, %+v: %v", c.address, c.security, err)
		}
	}
	if _, err := channelTo("nowhere", Security{}); err == nil {
		t.Error("an address without a port")
	}
	if _, err := channelTo("host:1", Security{CA: "session_test.go"}); err == nil {
		t.Error("a file without a certificate")
	}
}

func TestTokensAndSecretsAreNotShown(t *testing.T) {
	options := Options{Token: "caller", Secret: []byte("secret"), Client: "bot"}
	seat := Seat{MatchID: []byte{0xab}, Seat: pb.Seat_SEAT_B, Token: "of the seat", Journal: "kept"}
	shown := fmt.Sprintf("%v %+v; %v %+v", options, &options, seat, &seat)
	of := `client "bot", patience 0s, 0s at the beginning`
	at := `match ab, seat B, journal "kept"`
	if due := of + " " + of + "; " + at + " " + at; shown != due {
		t.Errorf("shown: %s", shown)
	}
}
