package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void waitsLongerUpToABoundUntilItIsReset() {
        Backoff backoff = new Backoff();
        Duration bound = Backoff.FIRST;
        for (int count = 0; count < 20; count++) {
            assertEquals(bound, backoff.bound());
            assertTrue(backoff.next().compareTo(bound) < 0);
            bound = Duration.ofMillis(Math.min(2 * bound.toMillis(), Backoff.LONGEST.toMillis()));
        }
        assertEquals(Backoff.LONGEST, backoff.bound());
        backoff.reset();
        assertTrue(backoff.next().compareTo(Backoff.FIRST) < 0);
    }
}
