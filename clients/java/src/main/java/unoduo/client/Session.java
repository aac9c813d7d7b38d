package unoduo.client;

import com.google.protobuf.ByteString;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import unoduo.v1.Assigned;
import unoduo.v1.Delivery;
import unoduo.v1.Join;
import unoduo.v1.Seat;

/**
 * Plays any number of seats at one referee, over as many connections as that takes. It lasts until it is closed, or
 * until a lost connection could not be replaced within the patience. All threads may use it.
 */
public final class Session implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(20); // a connection not greeted by then is given up

    private final String address;
    private final Options options;
    private final ByteString secret;
    private final Loop loop = Loop.start();
    private final ExecutorService thinkers = Executors.newCachedThreadPool(Daemons.named("unoduo bot"));
    private final CompletableFuture<Session> opened = new CompletableFuture<>();
    private final CompletableFuture<ClientException> ended = new CompletableFuture<>();
    private final BlockingQueue<Optional<Assigned>> assignments = new LinkedBlockingQueue<>(); // none at the end

    // What follows belongs to the loop.
    private final Backoff backoff = new Backoff();
    private final Set<Conversation> conversations = new LinkedHashSet<>();
    private final Set<Assignment> known = new HashSet<>();
    private Connection connection; // also while it is not greeted, null while there is none
    private Future<?> pause; // until the next try, null if there was none yet
    private Duration patience;
    private long deadline; // by which the patience is over, of System.nanoTime
    private boolean isLosing; // since the last connection that was worth having

    private record Assignment(ByteString matchId, Seat seat) {}

    private Session(String address, Options options) {
        this.address = address;
        this.options = options;
        this.secret = options.secret();
        this.patience = options.startPatience();
    }

    /**
     * Opens a session with the referee at {@code host:port}. Throws RefereeException if there is none or it refuses the
     * token or the client, and ClientException for options that make no sense.
     */
    public static Session connect(String address, Options options) throws InterruptedException {
        Session session = new Session(address, options);
        session.loop.execute(session::start);
        try {
            return session.opened.get();
        } catch (ExecutionException error) {
            throw (ClientException) error.getCause();
        } catch (InterruptedException error) {
            session.close();
            throw error;
        }
    }

    /** Ends the session: every seat on it is left, and no match ends by that. */
    @Override
    public void close() {
        loop.execute(() -> end(new ClientException("the session was closed")));
        ended.join();
    }

    /** Returns why the session has ended, nothing while it has not. */
    public Optional<ClientException> error() {
        return Optional.ofNullable(ended.getNow(null));
    }

    /**
     * Takes a seat and plays its match to the end with a bot. Any number of seats may be played at once.
     *
     * <p>It goes on over lost connections and restarts of the referee, and waits as long as a match stands still. The
     * result completes when the match has ended, or with a ClientException, and then the match goes on without the
     * seat; who cancels it leaves the seat. A bot may still be thinking then, in vain. Throws JournalException if the
     * journal cannot be made.
     */
    public CompletableFuture<MatchResult> play(Place place, Bot bot) {
        Journal journal = place.journal() == null ? null : Journal.create(place.journal());
        Join join = Join.newBuilder()
                .setMatchId(place.matchId())
                .setSeat(place.seat())
                .setSeatToken(place.token())
                .setDelivery(Delivery.DELIVERY_ON_DECISION)
                .build();
        Conversation conversation = new Conversation(join, bot, secret, journal, loop, thinkers);
        loop.execute(() -> enter(conversation));
        CompletableFuture<MatchResult> result = conversation.result();
        result.whenComplete((match, error) -> loop.execute(() -> leave(conversation, place, error == null)));
        return result;
    }

    /**
     * Waits for a seat that the bot of the session's token has in an unfinished match, and returns it: each of them
     * once, also those of new matches. It is played without a token of its own. Throws what has ended the session.
     */
    public Assigned nextAssigned() throws InterruptedException {
        Optional<Assigned> next = assignments.take();
        if (next.isEmpty()) {
            assignments.add(next); // for others that wait
        }
        return next.orElseThrow(ended::join);
    }

    private void enter(Conversation conversation) {
        if (ended.isDone()) {
            conversation.fail(ended.join());
            return;
        }
        conversations.add(conversation);
        if (connection != null && connection.isGreeted()) {
            conversation.attach(connection);
        }
    }

    private void leave(Conversation conversation, Place place, boolean isEnded) {
        conversations.remove(conversation);
        if (isEnded) {
            // An assignment to a match that is over is not told again.
            known.remove(new Assignment(place.matchId(), place.seat()));
        }
    }

    private void start() {
        deadline = System.nanoTime() + patience.toNanos();
        isLosing = true;
        dial(ANSWER);
    }

    private void dial(Duration within) {
        try {
            connection = new Connection(address, options, within, loop, new Supervisor());
        } catch (ClientException error) {
            end(error);
        }
    }

    /** Replaces lost connections until one cannot be replaced. */
    private final class Supervisor implements Connection.Listener {
        @Override
        public void greeted(Connection greeted) {
            if (!opened.isDone()) {
                isLosing = false;
                patience = options.patience();
                opened.complete(Session.this);
            }
            conversations.forEach(seat -> seat.attach(greeted));
        }

        @Override
        public void lost(Connection lost, RefereeException why) {
            connection = null;
            conversations.forEach(Conversation::detach);
            if (lost.isGreeted() && (lost.wasFruitful() || !isLosing)) {
                backoff.reset();
                deadline = System.nanoTime() + patience.toNanos();
                isLosing = true;
            }
            tryAgain(why);
        }

        @Override
        public void assigned(Assigned seat) {
            // On each connection the referee tells them all again.
            if (known.add(new Assignment(seat.getMatchId(), seat.getSeat()))) {
                assignments.add(Optional.of(seat));
            }
        }
    }

    private void tryAgain(RefereeException lost) {
        if (!lost.mayPass() || left().isNegative() || left().isZero()) {
            giveUp(lost);
            return;
        }
        pause = loop.after(Collections.min(List.of(backoff.next(), left())), () -> {
            Duration left = left();
            if (left.isNegative() || left.isZero()) {
                giveUp(lost);
            } else {
                dial(Collections.min(List.of(left, ANSWER)));
            }
        });
    }

    private Duration left() {
        return Duration.ofNanos(deadline - System.nanoTime());
    }

    private void giveUp(RefereeException lost) {
        boolean wasTried = lost.mayPass() && !patience.isZero();
        String seconds =
                BigDecimal.valueOf(patience.toMillis(), 3).stripTrailingZeros().toPlainString();
        end(wasTried ? lost.after("no session with the referee for " + seconds + " seconds: ") : lost);
    }

    private void end(ClientException why) {
        if (ended.isDone()) {
            return;
        }
        ended.complete(why);
        assignments.add(Optional.empty());
        opened.completeExceptionally(why);
        List.copyOf(conversations).forEach(seat -> seat.fail(why));
        if (pause != null) {
            pause.cancel(false);
        }
        if (connection != null) {
            connection.close();
        }
    }
}
