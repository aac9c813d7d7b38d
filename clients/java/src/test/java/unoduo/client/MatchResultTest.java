package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import unoduo.v1.Ended;
import unoduo.v1.Outcome;
import unoduo.v1.Seat;
import unoduo.v1.Termination;

class MatchResultTest {
    private static String line(Outcome.Builder outcome) {
        return new MatchResult(
                        7, Seat.SEAT_A, Ended.newBuilder().setOutcome(outcome).build())
                .toString();
    }

    @Test
    void isOneLine() {
        Outcome.Builder won = Outcome.newBuilder()
                .setWinner(Seat.SEAT_A)
                .setTermination(Termination.TERMINATION_TARGET)
                .setTotalA(145)
                .setTotalB(203)
                .setRounds(9);
        assertEquals("match 7, seat A: won (TARGET), A 145 : 203 B after 9 rounds", line(won));
        Outcome.Builder lost = Outcome.newBuilder()
                .setWinner(Seat.SEAT_B)
                .setTermination(Termination.TERMINATION_TIMEOUT)
                .setRounds(1);
        assertEquals("match 7, seat A: lost (TIMEOUT), A 0 : 0 B after 1 round", line(lost));
        Outcome.Builder unknown = Outcome.newBuilder().setTerminationValue(99);
        assertEquals("match 7, seat A: no winner (99), A 0 : 0 B after 0 rounds", line(unknown));
    }
}
