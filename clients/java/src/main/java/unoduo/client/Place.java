package unoduo.client;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.HexFormat;
import unoduo.v1.Seat;

/**
 * Says what to play.
 *
 * @param matchId 16 bytes
 * @param seat seat A or B
 * @param token that of the seat; empty if the token of the session covers it
 * @param journal a new file for what the seat sees and says; null if none is to be kept
 */
public record Place(ByteString matchId, Seat seat, String token, Path journal) {
    /** Returns all but the token. */
    @Override
    public String toString() {
        String match = HexFormat.of().formatHex(matchId.toByteArray());
        return "match " + match + ", seat " + MatchResult.letter(seat) + ", journal " + journal;
    }
}
