package unoduo.client;

import java.util.Locale;
import unoduo.v1.Ended;
import unoduo.v1.Outcome;
import unoduo.v1.Seat;
import unoduo.v1.Termination;

/**
 * How a match ended for a seat.
 *
 * @param number that of the match at its referee, to be read as unsigned
 * @param seat the one that was played
 * @param ended what the referee said: outcome, final head, signature
 */
public record MatchResult(int number, Seat seat, Ended ended) {
    /** Returns the result as one line, as in {@code match 7, seat A: won (TARGET), A 145 : 203 B after 9 rounds}. */
    @Override
    public String toString() {
        Outcome outcome = ended.getOutcome();
        String verdict = outcome.getWinner() == seat ? "won" : "lost";
        if (outcome.getWinner() == Seat.SEAT_UNSPECIFIED) {
            verdict = "no winner";
        }
        return String.format(
                Locale.ROOT,
                "match %s, seat %s: %s (%s), A %d : %d B after %d %s",
                Integer.toUnsignedString(number),
                letter(seat),
                verdict,
                nameOfTermination(outcome),
                outcome.getTotalA(),
                outcome.getTotalB(),
                outcome.getRounds(),
                outcome.getRounds() == 1 ? "round" : "rounds");
    }

    private static String nameOfTermination(Outcome outcome) {
        Termination termination = outcome.getTermination();
        return termination == Termination.UNRECOGNIZED
                ? String.valueOf(outcome.getTerminationValue())
                : termination.name().substring("TERMINATION_".length());
    }

    static String letter(Seat seat) {
        return seat.name().substring("SEAT_".length());
    }
}
