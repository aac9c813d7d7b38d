package unoduo.examples;

import com.google.protobuf.ByteString;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import unoduo.client.MatchResult;
import unoduo.client.Options;
import unoduo.client.Place;
import unoduo.client.Session;
import unoduo.v1.Action;
import unoduo.v1.Observation;
import unoduo.v1.Seat;

/** Plays several seats over one session: {@code Many ADDRESS MATCH-ID TOKEN-OF-SEAT-A TOKEN-OF-SEAT-B}. */
public final class Many {
    public static void main(String[] words) throws InterruptedException {
        ByteString matchId = ByteString.copyFrom(HexFormat.of().parseHex(words[1]));
        try (Session session = Session.connect(words[0], new Options())) {
            Place one = new Place(matchId, Seat.SEAT_A, words[2], null);
            Place other = new Place(matchId, Seat.SEAT_B, words[3], null);
            CompletableFuture<MatchResult> first = session.play(one, Many::decide);
            CompletableFuture<MatchResult> second = session.play(other, Many::decide);
            System.out.println(first.join());
            System.out.println(second.join());
        }
    }

    /** Takes the first legal action. */
    private static Action decide(Observation observation) {
        return observation.getDecision().getLegal(0);
    }
}
