package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import unoduo.client.ScriptedReferee.Script;
import unoduo.v1.Assigned;
import unoduo.v1.Delivery;
import unoduo.v1.Join;
import unoduo.v1.ResponseItem;
import unoduo.v1.Seat;
import unoduo.v1.SessionInfo;

@Timeout(2 * ScriptedReferee.GUARD_S)
class SessionTest {
    private static final Place PLACE = new Place(ByteString.copyFrom(new byte[16]), Seat.SEAT_A, "SEAT", null);
    private static final Bot UNDECIDED = observation -> null;
    private static final SessionInfo INFO = SessionInfo.getDefaultInstance();
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Script SERVE = peer -> {
        peer.greet(INFO);
        peer.waitForTheEnd();
    };
    private static final Script REFUSE = peer -> {
        throw Status.UNAVAILABLE.withDescription("not yet").asRuntimeException();
    };

    private static <T> T soon(CompletableFuture<T> result) throws Exception {
        return result.get(ScriptedReferee.GUARD_S, TimeUnit.SECONDS);
    }

    private static ClientException failure(CompletableFuture<?> result) {
        Throwable error = assertThrows(ExecutionException.class, () -> soon(result));
        return assertInstanceOf(ClientException.class, error.getCause());
    }

    @Test
    void namesItsCallerAndPlaysASeat() throws Exception {
        BlockingQueue<Join> joins = new LinkedBlockingQueue<>();
        Script script = peer -> {
            assertEquals("Bearer TOKEN", peer.caller);
            peer.greet(INFO);
            joins.add(peer.seat());
            peer.end();
            peer.waitForTheEnd();
        };
        try (ScriptedReferee referee = new ScriptedReferee(script);
                Session session = Session.connect(referee.address(), new Options().token("TOKEN"))) {
            MatchResult result = soon(session.play(PLACE, UNDECIDED));
            assertEquals(Seat.SEAT_A, result.seat());
            Join due = Join.newBuilder()
                    .setMatchId(PLACE.matchId())
                    .setSeat(Seat.SEAT_A)
                    .setSeatToken("SEAT")
                    .setDelivery(Delivery.DELIVERY_ON_DECISION)
                    .build();
            assertEquals(due, joins.take());
        }
    }

    @Test
    void withoutATokenItNamesNobody() throws Exception {
        Script script = peer -> {
            assertNull(peer.caller);
            SERVE.play(peer);
        };
        try (ScriptedReferee referee = new ScriptedReferee(script)) {
            Session.connect(referee.address(), new Options()).close();
        }
    }

    @Test
    void lostConnectionIsReplacedAndTheSeatTakenAgain() throws Exception {
        Script cut = peer -> {
            peer.greet(INFO);
            peer.seat();
            throw Status.UNAVAILABLE.withDescription("draining").asRuntimeException();
        };
        Script end = peer -> {
            peer.greet(INFO);
            assertTrue(peer.seat().hasAfterSequence());
            peer.end();
            peer.waitForTheEnd();
        };
        try (ScriptedReferee referee = new ScriptedReferee(cut, peer -> {}, end);
                Session session = Session.connect(referee.address(), new Options())) {
            soon(session.play(PLACE, UNDECIDED));
        }
    }

    @Test
    void sessionWithoutARefereeIsGivenUpWhenThePatienceIsOver() throws Exception {
        CountDownLatch playing = new CountDownLatch(1);
        Script script = peer -> {
            peer.greet(INFO);
            peer.seat();
            playing.countDown();
            peer.waitForTheEnd();
        };
        try (ScriptedReferee referee = new ScriptedReferee(script);
                Session session = Session.connect(referee.address(), new Options().patience(SHORT))) {
            CompletableFuture<MatchResult> result = session.play(PLACE, UNDECIDED);
            playing.await();
            assertTrue(session.error().isEmpty());
            referee.stop();
            ClientException error = failure(result);
            String due = "no session with the referee for 0.3 seconds: ";
            assertTrue(error.getMessage().startsWith(due), error.getMessage());
            assertSame(error, session.error().orElseThrow());
            assertSame(error, failure(session.play(PLACE, UNDECIDED)));
            assertSame(error, assertThrows(ClientException.class, session::nextAssigned));
            assertSame(error, assertThrows(ClientException.class, session::nextAssigned));
        }
    }

    @Test
    void connectionsThatBringNothingDoNotRenewThePatience() throws Exception {
        try (ScriptedReferee referee = new ScriptedReferee(peer -> peer.greet(INFO));
                Session session = Session.connect(referee.address(), new Options().patience(SHORT))) {
            assertThrows(RefereeException.class, session::nextAssigned);
        }
    }

    @Test
    void refereeThatIsMissingAtTheBeginningIsNotWaitedFor() throws Exception {
        try (ScriptedReferee referee = new ScriptedReferee(REFUSE, SERVE)) {
            assertThrows(RefereeException.class, () -> Session.connect(referee.address(), new Options()));
        }
    }

    @Test
    void refereeThatIsMissingAtTheBeginningIsWaitedForIfToldSo() throws Exception {
        Options patient = new Options().startPatience(Duration.ofSeconds(ScriptedReferee.GUARD_S));
        try (ScriptedReferee referee = new ScriptedReferee(REFUSE, REFUSE, SERVE)) {
            Session.connect(referee.address(), patient).close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TOKEN_UNKNOWN", "PROTOCOL_UNSUPPORTED"})
    void whatDoesNotPassIsNotTriedAgain(String reason) throws Exception {
        Script status = peer -> {
            throw StatusesTest.refusal(Status.Code.UNAUTHENTICATED, reason, "unoduo.v1");
        };
        Script problem = peer -> {
            peer.next();
            peer.send(ResponseItem.newBuilder().setProblem(Told.problem(9, reason)));
            peer.waitForTheEnd();
        };
        Options patient = new Options().startPatience(Duration.ofDays(1));
        try (ScriptedReferee referee = new ScriptedReferee(reason.startsWith("TOKEN") ? status : problem)) {
            RefereeException error =
                    assertThrows(RefereeException.class, () -> Session.connect(referee.address(), patient));
            assertEquals(reason, error.reason());
        }
    }

    @Test
    void assignmentsAreToldOnceOverAllConnections() throws Exception {
        Script first = peer -> {
            peer.greet(INFO);
            peer.send(assigned(1), assigned(2));
        };
        Script second = peer -> {
            peer.greet(INFO);
            peer.send(assigned(1), assigned(2), assigned(3));
            peer.waitForTheEnd();
        };
        try (ScriptedReferee referee = new ScriptedReferee(first, second);
                Session session = Session.connect(referee.address(), new Options().token("BOT"))) {
            for (int due : List.of(1, 2, 3)) {
                assertEquals(due, session.nextAssigned().getMatchId().byteAt(0));
            }
        }
    }

    private static ResponseItem.Builder assigned(int number) {
        ByteString match = ByteString.copyFrom(new byte[] {(byte) number});
        return ResponseItem.newBuilder()
                .setAssigned(Assigned.newBuilder().setMatchId(match).setSeat(Seat.SEAT_A));
    }

    @Test
    void closedSessionEndsItsSeats() throws Exception {
        CountDownLatch playing = new CountDownLatch(1);
        Script script = peer -> {
            peer.greet(INFO);
            peer.seat();
            playing.countDown();
            peer.waitForTheEnd();
        };
        try (ScriptedReferee referee = new ScriptedReferee(script)) {
            Session session = Session.connect(referee.address(), new Options());
            CompletableFuture<MatchResult> result = session.play(PLACE, UNDECIDED);
            playing.await();
            session.close();
            assertEquals("the session was closed", failure(result).getMessage());
            assertFalse(session.error().isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere", ":1", "host:", "host:port", "host:65536"})
    void addressHasAPort(String address) {
        ClientException error = assertThrows(ClientException.class, () -> Session.connect(address, new Options()));
        assertEquals("\"" + address + "\" is no HOST:PORT", error.getMessage());
    }
}
