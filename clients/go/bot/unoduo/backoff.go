package unoduo

import (
	"math/rand/v2"
	"time"
)

const (
	firstBound   = 100 * time.Millisecond
	longestBound = 5 * time.Second
)

// backoff tells how long to wait before each try: at random, so that the clients of a referee that went away do not
// come back all at once, up to a bound that doubles with every try.
type backoff struct {
	bound time.Duration
}

func (b *backoff) next() time.Duration {
	b.bound = max(b.bound, firstBound)
	delay := rand.N(b.bound)
	b.bound = min(2*b.bound, longestBound)
	return delay
}

// reset begins anew: a try has succeeded.
func (b *backoff) reset() { b.bound = firstBound }
