package unoduo.client;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tells how long to wait before each try: at random, so that the clients of a referee that went away do not come back
 * all at once, up to a bound that doubles with every try.
 */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(100);
    static final Duration LONGEST = Duration.ofSeconds(5);

    private Duration bound = FIRST;

    Duration next() {
        Duration delay = Duration.ofNanos(ThreadLocalRandom.current().nextLong(bound.toNanos()));
        bound = Collections.min(List.of(bound.multipliedBy(2), LONGEST));
        return delay;
    }

    /** Begins anew: a try has succeeded. */
    void reset() {
        bound = FIRST;
    }

    Duration bound() {
        return bound;
    }
}
