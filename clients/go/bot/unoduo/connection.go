package unoduo

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "unoduo/clients/go/bot/unoduov1"
)

const (
	steady        = 10 * time.Second // a connection that held so long was worth having
	itemOverhead  = 5                // bytes: an item's own tag and length in the request
	usualMaxItems = 64
	usualMaxBytes = 64 * 1024
)

type route func(*pb.ResponseItem)

// dialer opens connections to one referee.
type dialer struct {
	address    string
	open       func() (*grpc.ClientConn, error)
	token      string
	client     string
	log        *slog.Logger
	onAssigned func(*pb.Assigned)
}

// connection carries items of any number of handles over one Play call; lost, it is not mended but replaced. When done
// is closed, lost says why it has ended.
type connection struct {
	done chan struct{}
	lost *RefereeError

	dialer  *dialer
	channel *grpc.ClientConn
	stream  grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse]
	cancel  context.CancelFunc
	opened  time.Time
	greeted chan struct{}
	refusal *RefereeError // of the greeting
	fruit   atomic.Bool

	wake chan struct{}

	mu         sync.Mutex // guards what follows
	routes     map[uint32]route
	lastHandle uint32
	queue      []*pb.RequestItem
	maxItems   int
	maxBytes   int
}

// dial returns a connection on which the referee has answered the greeting within a time.
func (d *dialer) dial(ctx context.Context, within time.Duration) (*connection, *RefereeError) {
	channel, err := d.open()
	if err != nil {
		return nil, &RefereeError{Code: codes.InvalidArgument, Message: err.Error()}
	}
	ctx, cancel := context.WithCancel(withToken(ctx, d.token))
	c := &connection{
		done: make(chan struct{}), dialer: d, channel: channel, cancel: cancel, opened: time.Now(),
		greeted: make(chan struct{}), wake: make(chan struct{}, 1), routes: map[uint32]route{},
		maxItems: usualMaxItems, maxBytes: usualMaxBytes,
	}
	timer := time.AfterFunc(within, cancel)
	lost := c.greet(ctx)
	if !timer.Stop() {
		message := fmt.Sprintf("the referee at %s does not answer", d.address)
		lost = &RefereeError{Code: codes.DeadlineExceeded, Message: message, mayPass: true}
	}
	if lost != nil {
		c.close()
		return nil, lost
	}
	return c, nil
}

func (c *connection) greet(ctx context.Context) *RefereeError {
	stream, err := pb.NewRefereeServiceClient(c.channel).Play(ctx)
	if err != nil {
		return sessionLost(err, c.dialer.address)
	}
	c.stream = stream
	go c.read()
	go c.write()
	hello := &pb.Hello{Client: c.dialer.client, Protocol: Protocol}
	if err := c.put(&pb.RequestItem{Kind: &pb.RequestItem_Hello{Hello: hello}}); err != nil {
		return &RefereeError{Code: codes.InvalidArgument, Message: err.Error()}
	}
	select {
	case <-c.greeted:
		return nil
	case <-c.done:
		return c.lost
	}
}

// open returns a new handle; what comes under it is given to the route.
func (c *connection) open(to route) uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastHandle++
	c.routes[c.lastHandle] = to
	return c.lastHandle
}

// drop forgets a handle: what still comes under it is nobody's.
func (c *connection) drop(handle uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.routes, handle)
}

// put sends an item as soon as possible. An item that no request can hold is an error: sent, it would end the session.
func (c *connection) put(item *pb.RequestItem) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if size := proto.Size(item) + itemOverhead; size > c.maxBytes {
		return fmt.Errorf("an item of %d bytes is larger than the %d bytes of a request", size, c.maxBytes)
	}
	c.queue = append(c.queue, item)
	select {
	case c.wake <- struct{}{}:
	default: // it is awake
	}
	return nil
}

// progress tells that the connection has brought something new.
func (c *connection) progress() { c.fruit.Store(true) }

// wasFruitful returns whether it was worth having.
func (c *connection) wasFruitful() bool { return c.fruit.Load() || time.Since(c.opened) > steady }

// close ends the connection, if it has not ended.
func (c *connection) close() {
	c.cancel()
	_ = c.channel.Close()
}

func (c *connection) write() {
	for {
		select {
		case <-c.wake:
		case <-c.done:
			return
		}
		for request := c.next(); request != nil; request = c.next() {
			if c.stream.Send(request) != nil {
				return // the reader learns why
			}
		}
	}
}

// next returns a request with all that is ready, within the limits of the session; nil if nothing is.
func (c *connection) next() *pb.PlayRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	count, room := 0, c.maxBytes
	for count < min(len(c.queue), c.maxItems) {
		room -= proto.Size(c.queue[count]) + itemOverhead
		if room < 0 {
			break
		}
		count++
	}
	if count == 0 {
		return nil
	}
	request := &pb.PlayRequest{Items: c.queue[:count:count]}
	c.queue = c.queue[count:]
	return request
}

func (c *connection) read() {
	for {
		response, err := c.stream.Recv()
		if err != nil {
			if c.lost = c.refusal; c.lost == nil {
				c.lost = sessionLost(err, c.dialer.address)
			}
			close(c.done)
			return
		}
		for _, item := range response.GetItems() {
			if item.GetHandle() == 0 {
				c.hear(item)
			} else if to := c.routeOf(item.GetHandle()); to != nil {
				to(item)
			}
		}
	}
}

func (c *connection) routeOf(handle uint32) route {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.routes[handle]
}

// hear takes an item about the session itself.
func (c *connection) hear(item *pb.ResponseItem) {
	switch kind := item.GetKind().(type) {
	case *pb.ResponseItem_Assigned:
		c.dialer.onAssigned(kind.Assigned)
	case *pb.ResponseItem_SessionInfo:
		if !c.isGreeted() {
			c.observe(kind.SessionInfo)
			close(c.greeted)
		}
	case *pb.ResponseItem_Problem:
		problem := problemError(kind.Problem)
		if c.isGreeted() {
			c.dialer.log.Warn("the referee reports a problem with the session", "problem", problem)
		} else if c.refusal == nil {
			c.refusal = problem
			c.cancel()
		}
	}
}

func (c *connection) isGreeted() bool {
	select {
	case <-c.greeted:
		return true
	default:
		return false
	}
}

// observe takes over the limits of the session, as far as they are told.
func (c *connection) observe(info *pb.SessionInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if items := int(info.GetMaxItems()); items > 0 {
		c.maxItems = items
	}
	if bytes := int(info.GetMaxMessageBytes()); bytes > 0 {
		c.maxBytes = bytes
	}
}
