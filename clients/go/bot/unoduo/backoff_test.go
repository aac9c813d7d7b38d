package unoduo

import "testing"

func TestBackoffWaitsLongerUpToABoundUntilItIsReset(t *testing.T) {
	var b backoff
	bound := firstBound
	for range 20 {
		if delay := b.next(); delay < 0 || delay >= bound {
			t.Fatalf("%v is not below %v", delay, bound)
		}
		bound = min(2*bound, longestBound)
	}
	if b.bound != longestBound {
		t.Errorf("the bound is %v", b.bound)
	}
	b.reset()
	if delay := b.next(); delay >= firstBound {
		t.Errorf("%v after a reset", delay)
	}
}
