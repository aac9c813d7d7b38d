package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import unoduo.v1.Action;
import unoduo.v1.ActionResult;
import unoduo.v1.DealMode;
import unoduo.v1.DetachReason;
import unoduo.v1.Detached;
import unoduo.v1.Ended;
import unoduo.v1.Header;
import unoduo.v1.Join;
import unoduo.v1.Joined;
import unoduo.v1.JournalRecord;
import unoduo.v1.Lifecycle;
import unoduo.v1.Observation;
import unoduo.v1.Problem;
import unoduo.v1.Ready;
import unoduo.v1.ReadyAccepted;
import unoduo.v1.RequestItem;
import unoduo.v1.ResponseItem;
import unoduo.v1.Seat;
import unoduo.v1.SubmittedAction;

/**
 * Seat A in a conversation over a line that keeps what is sent, with a bot that answers at once and time that stands.
 */
final class Scene implements Line, Loop {
    static final ByteString SECRET = ByteString.copyFromUtf8("secret");

    final Conversation conversation;
    final List<Observation> seen = new ArrayList<>(); // by the bot
    Bot bot = observation -> Told.DRAW;
    int handle;
    int dropped;

    private final Path path;
    private final Journal journal;
    private final Queue<Runnable> steps = new ArrayDeque<>();
    private final List<RequestItem> sent = new ArrayList<>();
    private Runnable timer;
    private CompletableFuture<Void> waiting = new CompletableFuture<>();

    private Scene(Path folder) {
        path = folder.resolve("journal-" + System.nanoTime());
        journal = Journal.create(path);
        Join join = Join.newBuilder().setSeat(Seat.SEAT_A).build();
        conversation = new Conversation(join, this::decide, SECRET, journal, this, Runnable::run);
        conversation.attach(this);
    }

    /** Returns a scene in which the join is not answered yet. */
    static Scene unjoined(Path folder) {
        Scene scene = new Scene(folder);
        assertFalse(scene.sentJoin().hasAfterSequence());
        return scene;
    }

    /** Returns a scene in which the seat was joined, at a match with this mode of deal. */
    static Scene joined(Path folder, DealMode mode, Lifecycle lifecycle) {
        Scene scene = unjoined(folder);
        scene.joined(header(mode), lifecycle);
        return scene;
    }

    /** Returns a scene in which the seat takes part in a given deal. */
    static Scene ready(Path folder) {
        Scene scene = joined(folder, DealMode.DEAL_MODE_GIVEN, Lifecycle.LIFECYCLE_CREATED);
        assertEquals(ByteString.EMPTY, scene.sentReady().getEntropy());
        scene.readied();
        return scene;
    }

    /** Returns a scene in which the answer to decision 1 is on the way. */
    static Scene asked(Path folder) {
        Scene scene = ready(folder);
        scene.observes(Told.decision(1, 1));
        scene.expectAction(1, "1");
        return scene;
    }

    static ByteString header(DealMode mode) {
        return Header.newBuilder().setMatchNumber(7).setDealMode(mode).build().toByteString();
    }

    private Action decide(Observation observation) throws Exception {
        seen.add(observation);
        return bot.decide(observation);
    }

    // What the referee says.

    void hears(ResponseItem.Builder item) {
        conversation.deliver(item.setHandle(handle).build());
    }

    void joined(ByteString header, Lifecycle lifecycle) {
        Joined.Builder joined = Joined.newBuilder().setHeader(header).setLifecycle(lifecycle);
        hears(ResponseItem.newBuilder().setJoined(joined));
    }

    void joinedAgain() {
        joined(header(DealMode.DEAL_MODE_GIVEN), Lifecycle.LIFECYCLE_PLAYING);
    }

    void readied() {
        hears(ResponseItem.newBuilder().setReadyAccepted(ReadyAccepted.getDefaultInstance()));
    }

    void observes(Observation.Builder observation) {
        hears(ResponseItem.newBuilder().setObservation(observation));
    }

    void judges(ActionResult.Builder result) {
        hears(ResponseItem.newBuilder().setActionResult(result));
    }

    void meets(Problem.Builder problem) {
        hears(ResponseItem.newBuilder().setProblem(problem));
    }

    void isLetGo(DetachReason reason) {
        hears(ResponseItem.newBuilder().setDetached(Detached.newBuilder().setReason(reason)));
    }

    void ends() {
        hears(ResponseItem.newBuilder().setEnded(Ended.newBuilder().setSequence(9)));
    }

    /** Loses the connection, and takes the seat over another one. */
    Join reconnects() {
        conversation.detach();
        conversation.attach(this);
        return sentJoin();
    }

    // What the conversation does.

    @Override
    public int open(Consumer<ResponseItem> route) {
        handle++;
        return handle;
    }

    @Override
    public void drop(int old) {
        dropped = old;
    }

    @Override
    public void put(RequestItem item) {
        assertEquals(handle, item.getHandle());
        sent.add(item);
    }

    @Override
    public void progress() {}

    @Override
    public void execute(Runnable step) {
        steps.add(step);
    }

    @Override
    public Future<?> after(Duration delay, Runnable step) {
        timer = step;
        waiting = new CompletableFuture<>();
        return waiting;
    }

    /** Lets everything happen that is due now. */
    void settle() {
        while (!steps.isEmpty()) {
            steps.remove().run();
        }
    }

    boolean isWaiting() {
        return timer != null && !waiting.isDone();
    }

    /** Lets time pass until what is waited for happens. */
    void elapse() {
        assertTrue(isWaiting());
        waiting.complete(null);
        timer.run();
    }

    /** Returns the one item that was sent since it was asked last. */
    RequestItem sent() {
        settle();
        assertEquals(1, sent.size(), () -> "sent: " + sent);
        return sent.remove(0);
    }

    void expectNothing() {
        settle();
        assertEquals(List.of(), sent);
    }

    Join sentJoin() {
        RequestItem item = sent();
        assertTrue(item.hasJoin(), item::toString);
        return item.getJoin();
    }

    Ready sentReady() {
        RequestItem item = sent();
        assertTrue(item.hasReady(), item::toString);
        return item.getReady();
    }

    void expectAction(int decisionId, String actionId) {
        SubmittedAction due = SubmittedAction.newBuilder()
                .setDecisionId(decisionId)
                .setActionId(actionId)
                .setAction(Told.DRAW)
                .build();
        assertEquals(due, sent().getAction());
    }

    void expectLeave() {
        RequestItem item = sent();
        assertTrue(item.hasLeave(), item::toString);
    }

    boolean isOver() {
        settle();
        return conversation.result().isDone();
    }

    /** Expects that the seat is given up for this reason. */
    <E extends ClientException> E expectError(Class<E> due) {
        assertTrue(isOver());
        Throwable error = assertThrows(
                CompletionException.class, () -> conversation.result().join());
        return assertInstanceOf(due, error.getCause());
    }

    MatchResult expectResult() {
        assertTrue(isOver());
        assertFalse(conversation.result().isCompletedExceptionally());
        return conversation.result().join();
    }

    List<JournalRecord> kept() {
        return JournalTest.kept(path);
    }

    void breakJournal() {
        journal.close();
    }
}
