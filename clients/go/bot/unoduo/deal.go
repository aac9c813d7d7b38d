package unoduo

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"

	pb "unoduo/clients/go/bot/unoduov1"
)

const entropyDomain = "unoduo/v1/client-entropy\x00"

// HeaderHead returns h0, the head of a header as it was received (PROTOCOL.md, "The log").
func HeaderHead(header []byte) []byte {
	sum := sha256.Sum256(append([]byte{0}, header...))
	return sum[:]
}

// Entropy returns the 32 bytes that a seat gives to its deal: the same whenever it is asked, no two headers alike.
func Entropy(secret, h0 []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(entropyDomain))
	mac.Write(h0)
	return mac.Sum(nil)
}

// dealGuard refuses a fresh deal in which the entropy of this seat is not as it was sent. Other deals take none. A
// match that had begun before the seat joined is let pass: its deal was shown to an earlier session.
type dealGuard struct {
	watching bool
	seat     pb.Seat
	sent     []byte
}

// check returns ErrEntropyMissing for a deal without the entropy, and for a decision before any deal.
func (g *dealGuard) check(observation *pb.Observation) error {
	if !g.watching {
		return nil
	}
	for _, observed := range observation.GetEvents() {
		deal := observed.GetEvent().GetDealSealed()
		if deal == nil {
			continue
		}
		sealed := deal.GetEntropy_1()
		if g.seat == pb.Seat_SEAT_B {
			sealed = deal.GetEntropy_2()
		}
		if !bytes.Equal(sealed, g.sent) {
			return fmt.Errorf("%w: this seat sent %x, the deal has %q", ErrEntropyMissing, g.sent, fmt.Sprintf("%x", sealed))
		}
		g.watching = false
		return nil
	}
	if observation.GetDecision() != nil {
		return fmt.Errorf("%w: this seat sent %x, no deal was shown", ErrEntropyMissing, g.sent)
	}
	return nil
}
