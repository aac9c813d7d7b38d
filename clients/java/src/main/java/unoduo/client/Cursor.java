package unoduo.client;

import com.google.protobuf.ByteString;
import unoduo.v1.Join;
import unoduo.v1.Observation;
import unoduo.v1.ObservedEvent;

/** Keeps every event and every view from being told twice, and knows where the referee shall go on. */
final class Cursor {
    private int sequence; // of the last event that was told, unsigned; 0 if none was
    private ByteString head = ByteString.EMPTY; // of the log, there
    private boolean isFromStart;
    private boolean isCaughtUp;
    private boolean hasDecision;

    /** Learns that there was no event yet when the seat was taken for the first time. */
    void startsBeforeAllEvents() {
        isFromStart = true;
    }

    boolean isFromStart() {
        return isFromStart;
    }

    int sequence() {
        return sequence;
    }

    /** Says in a join where to go on; with nothing told and a beginning unseen it asks for no history. */
    void resume(Join.Builder join) {
        if (sequence != 0 || isFromStart) {
            join.setAfterSequence(sequence).setHead(head);
        }
    }

    /**
     * Returns what is new in an observation, which then counts as told: all but the events that were told before; null
     * if nothing is. At the same sequence only the view behind a page of history is new, or a decision where none was.
     */
    Observation take(Observation observation) {
        boolean isSame = observation.getSequence() == sequence;
        if (Integer.compareUnsigned(observation.getSequence(), sequence) < 0
                || (isSame && isCaughtUp && (hasDecision || !observation.hasDecision()))) {
            return null;
        }
        Observation news = without(observation, sequence);
        sequence = observation.getSequence();
        head = observation.getHead();
        isCaughtUp = observation.getCaughtUp();
        hasDecision = observation.hasDecision();
        return news;
    }

    /** Returns the observation without the events up to one. */
    private static Observation without(Observation observation, int last) {
        if (observation.getEventsCount() == 0
                || Integer.compareUnsigned(observation.getEvents(0).getSequence(), last) > 0) {
            return observation;
        }
        Observation.Builder rest = observation.toBuilder().clearEvents();
        for (ObservedEvent event : observation.getEventsList()) {
            if (Integer.compareUnsigned(event.getSequence(), last) > 0) {
                rest.addEvents(event);
            }
        }
        return rest.build();
    }
}
