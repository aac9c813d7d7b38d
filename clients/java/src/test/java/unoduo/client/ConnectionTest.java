package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import unoduo.client.ScriptedReferee.Peer;
import unoduo.client.ScriptedReferee.Script;
import unoduo.v1.Assigned;
import unoduo.v1.Join;
import unoduo.v1.RequestItem;
import unoduo.v1.SessionInfo;

@Timeout(2 * ScriptedReferee.GUARD_S)
class ConnectionTest {
    private static final Duration GUARD = Duration.ofSeconds(ScriptedReferee.GUARD_S);

    /** Keeps what a connection tells. */
    private static final class Listener implements Connection.Listener {
        final CompletableFuture<Connection> greeted = new CompletableFuture<>();
        final CompletableFuture<RefereeException> lost = new CompletableFuture<>();

        @Override
        public void greeted(Connection connection) {
            greeted.complete(connection);
        }

        @Override
        public void lost(Connection connection, RefereeException why) {
            lost.complete(why);
        }

        @Override
        public void assigned(Assigned seat) {
            throw new AssertionError("no seat was assigned");
        }
    }

    private final Loop loop = Loop.start();
    private final Listener told = new Listener();

    private void connect(ScriptedReferee referee, Duration within) {
        loop.execute(() -> new Connection(referee.address(), new Options(), within, loop, told));
    }

    /** Does something with the connection on its loop, once it is greeted. */
    private <T> T with(Function<Connection, T> step) throws Exception {
        Connection connection = told.greeted.get(ScriptedReferee.GUARD_S, TimeUnit.SECONDS);
        return CompletableFuture.supplyAsync(() -> step.apply(connection), loop)
                .get(ScriptedReferee.GUARD_S, TimeUnit.SECONDS);
    }

    private static RequestItem item(int size) {
        return RequestItem.newBuilder()
                .setHandle(1)
                .setJoin(Join.newBuilder().setSeatToken("x".repeat(size)))
                .build();
    }

    /** Returns how many items come together, until so many have come. */
    private static List<Integer> sizes(Peer peer, int count) throws InterruptedException {
        List<Integer> sizes = new ArrayList<>();
        while (sizes.stream().mapToInt(Integer::intValue).sum() < count) {
            sizes.add(peer.receive().size());
        }
        return sizes;
    }

    @Test
    void requestsHoldWhatIsReadyWithinTheLimitsOfTheSession() throws Exception {
        SessionInfo limits =
                SessionInfo.newBuilder().setMaxItems(3).setMaxMessageBytes(1000).build();
        CompletableFuture<List<Integer>> few = new CompletableFuture<>();
        CompletableFuture<List<Integer>> small = new CompletableFuture<>();
        Script script = peer -> {
            peer.greet(limits);
            few.complete(sizes(peer, 4));
            small.complete(sizes(peer, 3));
            peer.waitForTheEnd();
        };
        try (ScriptedReferee referee = new ScriptedReferee(script)) {
            connect(referee, GUARD);
            with(connection -> {
                IntStream.range(0, 4).forEach(count -> connection.put(item(1)));
                return null;
            });
            assertEquals(List.of(3, 1), few.get(ScriptedReferee.GUARD_S, TimeUnit.SECONDS));
            with(connection -> {
                IntStream.range(0, 3).forEach(count -> connection.put(item(400)));
                return null;
            });
            assertEquals(List.of(2, 1), small.get(ScriptedReferee.GUARD_S, TimeUnit.SECONDS));
            with(connection -> assertThrows(ClientException.class, () -> connection.put(item(1000))));
            with(connection -> {
                connection.close();
                return null;
            });
        }
        assertFalse(told.lost.isDone(), "who closes a connection knows");
    }

    @Test
    void refereeThatDoesNotAnswerIsGivenUp() throws Exception {
        try (ScriptedReferee referee = new ScriptedReferee(Peer::waitForTheEnd)) {
            connect(referee, Duration.ofMillis(50));
            RefereeException why = told.lost.get(ScriptedReferee.GUARD_S, TimeUnit.SECONDS);
            assertEquals(Status.Code.DEADLINE_EXCEEDED, why.code());
            assertTrue(why.mayPass());
        }
    }

    @Test
    void callThatEndsWellMayBeMadeAgain() throws Exception {
        try (ScriptedReferee referee = new ScriptedReferee(peer -> {})) {
            connect(referee, GUARD);
            RefereeException why = told.lost.get(ScriptedReferee.GUARD_S, TimeUnit.SECONDS);
            assertEquals(Status.Code.OK, why.code());
            assertTrue(why.mayPass());
        }
    }
}
