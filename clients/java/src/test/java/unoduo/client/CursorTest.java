package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import unoduo.v1.Join;
import unoduo.v1.Observation;

class CursorTest {
    private final Cursor cursor = new Cursor();

    private Observation take(Observation.Builder observation) {
        return cursor.take(observation.build());
    }

    @Test
    void takesEachEventOnce() {
        assertEquals(3, take(Told.events(1, 3)).getEventsCount());
        assertNull(take(Told.events(1, 3)));
        assertNull(take(Told.events(1, 2)));
        Observation further = take(Told.events(2, 5));
        assertEquals(2, further.getEventsCount());
        assertEquals(4, further.getEvents(0).getSequence());
    }

    @Test
    void countsBeyondTheLargestSignedNumber() {
        Observation.Builder before = Observation.newBuilder().setSequence(Integer.MAX_VALUE);
        assertNotNull(take(before));
        assertNotNull(take(Observation.newBuilder().setSequence(Integer.MAX_VALUE + 1)));
        assertNull(take(before));
        assertEquals(2_147_483_648L, Integer.toUnsignedLong(resumed().getAfterSequence()));
    }

    @Test
    void takesTheViewBehindHistoryAndADecisionThatWasNotThere() {
        assertNotNull(take(Told.page(1, 3)));
        assertNotNull(take(Told.events(4, 3)));
        assertNull(take(Told.events(4, 3)));
        assertNotNull(take(Told.decision(3, 3)));
        assertNull(take(Told.decision(3, 3)));
    }

    @Test
    void asksForNoHistoryOfAMatchThatHadBegun() {
        assertFalse(resumed().hasAfterSequence());
    }

    @Test
    void asksForEverythingOfAMatchThatHadNot() {
        cursor.startsBeforeAllEvents();
        assertEquals(Join.newBuilder().setAfterSequence(0).build(), resumed());
    }

    @Test
    void resumesBehindTheLastEventAndItsHead() {
        take(Told.events(1, 3));
        ByteString head = ByteString.copyFrom(new byte[] {3});
        assertEquals(Join.newBuilder().setAfterSequence(3).setHead(head).build(), resumed());
    }

    private Join resumed() {
        Join.Builder join = Join.newBuilder();
        cursor.resume(join);
        return join.build();
    }
}
