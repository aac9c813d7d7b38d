package unoduo.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import unoduo.v1.ActionResult;
import unoduo.v1.DealMode;
import unoduo.v1.DetachReason;
import unoduo.v1.Detached;
import unoduo.v1.Ended;
import unoduo.v1.Header;
import unoduo.v1.Join;
import unoduo.v1.Joined;
import unoduo.v1.JournalRecord;
import unoduo.v1.Leave;
import unoduo.v1.Lifecycle;
import unoduo.v1.Observation;
import unoduo.v1.Ready;
import unoduo.v1.ReadyAccepted;
import unoduo.v1.RequestItem;
import unoduo.v1.ResponseItem;
import unoduo.v1.SubmittedAction;

/**
 * All that is said and heard about one seat, over as many connections as that takes. On each connection the seat is
 * taken behind the last event that was told, and what was not answered is asked again.
 *
 * <p>Everything happens on the loop of the session. One question is open at a time, because a problem names only the
 * handle and not the item that it is about.
 */
final class Conversation {
    private final Join join;
    private final ByteString secret;
    private final Journal journal; // null if none is kept
    private final Loop loop;
    private final Executor thinkers;
    private final Decisions decisions;
    private final CompletableFuture<MatchResult> result = new CompletableFuture<>();

    // The connection.
    private Line line; // null while there is none
    private int handle;
    private boolean isJoined; // under this handle
    private Future<?> waiting; // null while nothing is waited for
    private final Backoff backoff = new Backoff();

    // What the referee told.
    private ByteString header; // of the first join that was answered
    private int number;
    private final Cursor cursor = new Cursor();
    private Deal.Guard guard; // of a fresh deal

    // What is said to the referee.
    private RequestItem question; // that waits for its answer, under whatever handle
    private boolean isKept; // the question, in the journal

    private boolean isOver;

    /** Bots think on threads of the thinkers, and whoever waits for the result learns it there. */
    Conversation(Join join, Bot bot, ByteString secret, Journal journal, Loop loop, Executor thinkers) {
        this.join = join;
        this.secret = secret;
        this.journal = journal;
        this.loop = loop;
        this.thinkers = thinkers;
        this.decisions = new Decisions(bot, loop, thinkers, item -> guarded(() -> say(item)), this::fail);
        // Who cancels the result leaves the seat.
        result.whenComplete((ended, error) -> loop.execute(this::leave));
    }

    /** Completes when the match has ended, or with a ClientException when the seat cannot be played on. */
    CompletableFuture<MatchResult> result() {
        return result;
    }

    /** Does a step, unless the conversation is over; what goes wrong in it ends the conversation. */
    private void guarded(Runnable step) {
        if (!isOver) {
            try {
                step.run();
            } catch (ClientException error) {
                fail(error);
            }
        }
    }

    /** Takes the seat over a connection. */
    void attach(Line to) {
        guarded(() -> take(to));
    }

    private void take(Line to) {
        line = to;
        isJoined = false;
        handle = to.open(this::deliver);
        Join.Builder resumed = join.toBuilder();
        cursor.resume(resumed);
        put(RequestItem.newBuilder().setJoin(resumed));
    }

    /** Learns that the connection is lost. */
    void detach() {
        line = null;
        isJoined = false;
        stopWaiting();
    }

    /** Takes an item that came under a handle; a kind that it does not know is skipped. */
    void deliver(ResponseItem item) {
        if (line != null && item.getHandle() == handle) {
            guarded(() -> hear(item));
        }
    }

    private void hear(ResponseItem item) {
        switch (item.getKindCase()) {
            case JOINED -> admit(item.getJoined());
            case READY_ACCEPTED -> readied(item.getReadyAccepted());
            case OBSERVATION -> observe(item.getObservation());
            case ACTION_RESULT -> judged(item.getActionResult());
            case PROBLEM -> refused(RefereeException.of(item.getProblem()));
            case DETACHED -> letGo(item.getDetached());
            case ENDED -> end(item.getEnded());
            case SESSION_INFO, ASSIGNED, KIND_NOT_SET -> {}
        }
    }

    private void admit(Joined joined) {
        isJoined = true;
        if (header == null) {
            begin(joined);
        } else if (!header.equals(joined.getHeader())) {
            throw fork();
        }
        // Of a match that has ended nothing is left to be asked: Ended comes.
        if (joined.getLifecycle() != Lifecycle.LIFECYCLE_ENDED) {
            say();
        }
    }

    /** Records the header, before anything is sent about it, and makes the seat ready. */
    private void begin(Joined joined) {
        Header read;
        try {
            read = Header.parseFrom(joined.getHeader());
        } catch (InvalidProtocolBufferException error) {
            throw new ClientException("the header of the match cannot be read: " + error.getMessage(), error);
        }
        keep(JournalRecord.newBuilder().setJoined(joined));
        header = joined.getHeader();
        number = read.getMatchNumber();
        if (joined.getLifecycle() == Lifecycle.LIFECYCLE_CREATED) {
            cursor.startsBeforeAllEvents();
        }
        Ready.Builder ready = Ready.newBuilder().setH0(Deal.headerHead(header));
        if (read.getDealMode() == DealMode.DEAL_MODE_FRESH) {
            ready.setEntropy(Deal.entropy(secret, ready.getH0()));
            guard = cursor.isFromStart() ? new Deal.Guard(join.getSeat(), ready.getEntropy()) : null;
        }
        question = RequestItem.newBuilder().setReady(ready).build();
    }

    private void readied(ReadyAccepted accepted) {
        if (question != null && question.hasReady()) {
            keep(JournalRecord.newBuilder().setReadyAccepted(accepted));
            answered();
            consult();
        }
    }

    private void observe(Observation observation) {
        Observation news = cursor.take(observation);
        if (news == null) {
            return;
        }
        keep(JournalRecord.newBuilder().setObservation(news));
        line.progress();
        backoff.reset();
        if (guard != null) {
            guard.check(news);
        }
        decisions.observe(news);
        if (isJoined && waiting != null) {
            // The match goes on; the decision of an action that waits may be closed by now.
            again();
        }
        consult();
    }

    private void judged(ActionResult judgment) {
        if (question == null || !question.hasAction()) {
            return;
        }
        SubmittedAction asked = question.getAction();
        if (asked.getDecisionId() == judgment.getDecisionId()
                && asked.getActionId().equals(judgment.getActionId())) {
            keep(JournalRecord.newBuilder().setActionResult(judgment));
            answered();
            decisions.judged(judgment);
        }
    }

    /** Takes a problem: with the join, as long as that is not answered, else with the open question. */
    private void refused(RefereeException problem) {
        double jitter = 1 + ThreadLocalRandom.current().nextDouble() / 4; // not all clients at once
        Duration delay = Duration.ofNanos((long) (problem.retryAfter().toNanos() * jitter));
        boolean isEnded = isJoined && problem.reason().equals("MATCH_ENDED");
        if (isEnded || problem.reason().equals("DRAINING")) {
            return; // Ended comes; or the session is about to end, and what was said is said again in the next one
        }
        if (problem.mayPass() && !isJoined) {
            waitFor(delay, this::rejoin);
        } else if (problem.mayPass() && question != null) {
            waitFor(delay, this::again);
        } else {
            throw problem.reason().equals("FORKED") ? fork() : problem;
        }
    }

    private void letGo(Detached detached) {
        dropHandle();
        if (detached.getReason() != DetachReason.DETACH_REASON_MATCH_FROZEN) {
            throw new DetachedException(detached);
        }
        waitFor(backoff.next(), this::rejoin);
    }

    private void end(Ended ended) {
        keep(JournalRecord.newBuilder().setEnded(ended));
        line.progress();
        dropHandle();
        isOver = true;
        thinkers.execute(() -> result.complete(new MatchResult(number, join.getSeat(), ended)));
    }

    private ForkedException fork() {
        String proof = journal == null ? "no journal was kept" : "the proof is in " + journal.path();
        return new ForkedException("up to event " + cursor.sequence() + "; " + proof);
    }

    private void consult() {
        if (question == null) {
            decisions.consult();
        }
    }

    /** Has something answered, now or when the seat is taken again. */
    private void say(RequestItem.Builder item) {
        question = item.build();
        isKept = false;
        say();
    }

    /** Says what waits for an answer, if the seat is held; the first time it is kept before. */
    private void say() {
        if (question == null || !isJoined) {
            return;
        }
        if (!isKept) {
            keepQuestion();
            isKept = true;
        }
        put(question.toBuilder());
    }

    private void keepQuestion() {
        JournalRecord.Builder record = JournalRecord.newBuilder();
        switch (question.getKindCase()) {
            case READY -> record.setReady(question.getReady());
            case ACTION -> record.setAction(question.getAction());
            case RESIGN -> record.setResign(question.getResign());
            default -> throw new AssertionError(question);
        }
        keep(record);
    }

    private void put(RequestItem.Builder item) {
        line.put(item.setHandle(handle).build());
    }

    private void answered() {
        question = null;
        stopWaiting();
    }

    private void again() {
        stopWaiting();
        say();
    }

    private void rejoin() {
        stopWaiting();
        dropHandle();
        take(line);
    }

    private void dropHandle() {
        line.drop(handle);
        isJoined = false;
        handle = 0;
    }

    /** Lets something happen after a time, unless the connection is lost before. */
    private void waitFor(Duration delay, Runnable then) {
        stopWaiting();
        waiting = loop.after(delay, () -> guarded(then));
    }

    private void stopWaiting() {
        if (waiting != null) {
            waiting.cancel(false);
            waiting = null;
        }
    }

    private void keep(JournalRecord.Builder record) {
        if (journal != null) {
            journal.keep(record.build());
        }
    }

    /** Ends the conversation while its match goes on. */
    void fail(ClientException error) {
        if (!isOver) {
            leave();
            thinkers.execute(() -> result.completeExceptionally(error));
        }
    }

    /** Leaves a seat that is held, and closes the journal. */
    private void leave() {
        isOver = true;
        stopWaiting();
        if (isJoined) {
            put(RequestItem.newBuilder().setLeave(Leave.getDefaultInstance()));
        }
        if (line != null) {
            dropHandle();
        }
        if (journal != null) {
            journal.close();
        }
    }
}
