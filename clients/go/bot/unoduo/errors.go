package unoduo

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/codes"

	pb "unoduo/clients/go/bot/unoduov1"
)

// What may end the play of a seat, beside RefereeError, DetachedError and the error of a bot or context.
var (
	// ErrForked: the log of the referee is not the one that it told this seat. The journal is the proof.
	ErrForked = errors.New("the referee's log is not what it told this seat")
	// ErrEntropyMissing: the deal does not contain what this seat gave to it.
	ErrEntropyMissing = errors.New("the deal is not to be trusted")
	// ErrBot: the bot gave no action, or its tries for a decision are used up.
	ErrBot = errors.New("the bot gave no legal action")
	// ErrJournal: a seat without evidence does not play on.
	ErrJournal = errors.New("the journal cannot be written")
	// ErrClosed: the session was closed.
	ErrClosed = errors.New("the session was closed")
)

// ErrResign is what a bot returns that gives up its match, which ends by that.
var ErrResign = errors.New("the bot resigns")

// RefereeError reports what the referee could not handle, or that there is no referee.
type RefereeError struct {
	// Code is the status code of gRPC.
	Code codes.Code
	// Reason is one of PROTOCOL.md, "Problems"; empty if the network speaks and not the referee.
	Reason string
	// Field names what is wrong in what was sent; empty if nothing is.
	Field string
	// Message is a sentence for people.
	Message string

	mayPass    bool
	retryAfter time.Duration
}

// Error returns the message with reason and field.
func (e *RefereeError) Error() string {
	why := e.Reason
	if why == "" {
		why = code.Code(e.Code).String()
	}
	if e.Field != "" {
		why += " in " + e.Field
	}
	return fmt.Sprintf("%s (%s)", e.Message, why)
}

func problemError(problem *pb.Problem) *RefereeError {
	number := codes.Code(problem.GetCode())
	return &RefereeError{
		Code:       number,
		Reason:     problem.GetReason(),
		Field:      problem.GetField(),
		Message:    problem.GetMessage(),
		mayPass:    problem.GetRetryAfterMs() > 0 && (number == codes.Unavailable || number == codes.ResourceExhausted),
		retryAfter: time.Duration(problem.GetRetryAfterMs()) * time.Millisecond,
	}
}

// DetachedError reports that the seat is no longer this client's: another session took it, or its token was revoked. Do
// not join again by yourself.
type DetachedError struct {
	Reason pb.DetachReason
}

// Error returns why delivery ended.
func (e *DetachedError) Error() string {
	name := strings.TrimPrefix(e.Reason.String(), "DETACH_REASON_")
	switch e.Reason {
	case pb.DetachReason_DETACH_REASON_REPLACED:
		return fmt.Sprintf("another session took the seat (%s)", name)
	case pb.DetachReason_DETACH_REASON_TOKEN_REVOKED:
		return fmt.Sprintf("the token of the seat was replaced (%s)", name)
	default:
		return fmt.Sprintf("the referee let go of the seat (%s)", name)
	}
}
