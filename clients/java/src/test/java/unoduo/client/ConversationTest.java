package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import unoduo.v1.DealMode;
import unoduo.v1.DetachReason;
import unoduo.v1.Detached;
import unoduo.v1.Ended;
import unoduo.v1.Join;
import unoduo.v1.JournalRecord;
import unoduo.v1.JournalRecord.KindCase;
import unoduo.v1.Lifecycle;
import unoduo.v1.Ready;
import unoduo.v1.ResponseItem;

class ConversationTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"DEAL_MODE_FRESH", "DEAL_MODE_SHARED", "DEAL_MODE_GIVEN"})
    void readyGivesEntropyOfSecretAndHeaderToAFreshDealOnly(DealMode mode) {
        Scene scene = Scene.joined(folder, mode, Lifecycle.LIFECYCLE_CREATED);
        ByteString h0 = Deal.headerHead(Scene.header(mode));
        Ready.Builder due = Ready.newBuilder().setH0(h0);
        if (mode == DealMode.DEAL_MODE_FRESH) {
            due.setEntropy(Deal.entropy(Scene.SECRET, h0));
        }
        assertEquals(due.build(), scene.sentReady());
        assertEquals(List.of(KindCase.JOINED, KindCase.READY), kinds(scene));
    }

    private static List<KindCase> kinds(Scene scene) {
        return scene.kept().stream().map(JournalRecord::getKindCase).toList();
    }

    @Test
    void seatIsResumedBehindTheLastEventAndItsActionSentAgain() {
        Scene scene = Scene.asked(folder);
        Join join = scene.reconnects();
        assertEquals(1, join.getAfterSequence());
        assertEquals(ByteString.copyFrom(new byte[] {1}), join.getHead());
        scene.expectNothing();
        scene.joinedAgain();
        scene.expectAction(1, "1");
        scene.judges(Told.accepted(1, "1"));
        assertEquals(
                List.of(
                        KindCase.JOINED,
                        KindCase.READY,
                        KindCase.READY_ACCEPTED,
                        KindCase.OBSERVATION,
                        KindCase.ACTION,
                        KindCase.ACTION_RESULT),
                kinds(scene));
    }

    @Test
    void whatTheRefereeCannotTakeNowIsSaidAgainWhenItSays() {
        Scene scene = Scene.asked(folder);
        for (var problem : List.of(Told.frozen(1), Told.problem(8, "INBOX_FULL").setRetryAfterMs(1))) {
            scene.meets(problem);
            scene.expectNothing();
            scene.elapse();
            scene.expectAction(1, "1");
        }
    }

    @Test
    void newsCutAWaitShort() {
        Scene scene = Scene.asked(folder);
        scene.meets(Told.frozen(3_600_000));
        scene.expectNothing();
        scene.observes(Told.events(2, 2));
        scene.expectAction(1, "1");
        assertFalse(scene.isWaiting());
    }

    @Test
    void waitEndsWithItsQuestionOrItsConnection() {
        Scene scene = Scene.asked(folder);
        scene.meets(Told.frozen(1));
        scene.judges(Told.accepted(1, "1"));
        assertFalse(scene.isWaiting());
        scene = Scene.asked(folder);
        scene.meets(Told.frozen(1));
        scene.reconnects();
        assertFalse(scene.isWaiting());
    }

    @Test
    void whatARefereeThatGoesDownTurnsAwayIsSaidAgainOnTheNextConnection() {
        Scene scene = Scene.asked(folder);
        scene.meets(Told.problem(14, "DRAINING"));
        scene.expectNothing();
        assertFalse(scene.isWaiting());
        scene.reconnects();
        scene.joinedAgain();
        scene.expectAction(1, "1");
    }

    @Test
    void problemThatDoesNotSayWhenToTryAgainIsNotWaitedFor() {
        Scene scene = Scene.asked(folder);
        scene.meets(Told.problem(14, "MATCH_FROZEN"));
        scene.expectError(RefereeException.class);
    }

    @Test
    void seatOfAFrozenMatchIsTakenAgain() {
        Scene scene = Scene.asked(folder);
        scene.isLetGo(DetachReason.DETACH_REASON_MATCH_FROZEN);
        scene.conversation.deliver(ResponseItem.newBuilder()
                .setHandle(1)
                .setProblem(Told.problem(9, "HANDLE_ENDED")) // the action was on its way
                .build());
        scene.expectNothing();
        scene.elapse();
        scene.sentJoin();
        scene.meets(Told.frozen(1));
        scene.elapse();
        scene.sentJoin();
        assertEquals(3, scene.handle);
        assertEquals(2, scene.dropped);
        scene.joinedAgain();
        scene.expectAction(1, "1");
    }

    @Test
    void itemsOfAnEarlierHandleAreNobodys() {
        Scene scene = Scene.asked(folder);
        scene.conversation.deliver(ResponseItem.newBuilder()
                .setHandle(99)
                .setEnded(Ended.getDefaultInstance())
                .build());
        assertFalse(scene.isOver());
    }

    @ParameterizedTest
    @EnumSource(names = {"DETACH_REASON_REPLACED", "DETACH_REASON_TOKEN_REVOKED"})
    void seatTakenOrRevokedStaysAway(DetachReason reason) {
        Scene scene = Scene.asked(folder);
        scene.isLetGo(reason);
        assertEquals(reason, scene.expectError(DetachedException.class).reason());
        scene.expectNothing();
        assertFalse(scene.isWaiting());
    }

    @Test
    void seatLetGoForAReasonOfALaterVersionStaysAway() {
        Scene scene = Scene.asked(folder);
        scene.hears(ResponseItem.newBuilder().setDetached(Detached.newBuilder().setReasonValue(99)));
        assertTrue(scene.expectError(DetachedException.class).getMessage().contains("99"));
    }

    @Test
    void forkedLogIsRefused() {
        Scene scene = Scene.asked(folder);
        scene.reconnects();
        scene.meets(Told.problem(15, "FORKED"));
        String words = scene.expectError(ForkedException.class).getMessage();
        assertTrue(words.contains("up to event 1; the proof is in " + folder), words);
        scene.expectNothing();
    }

    @Test
    void anotherHeaderIsAFork() {
        Scene scene = Scene.asked(folder);
        scene.reconnects();
        scene.joined(Scene.header(DealMode.DEAL_MODE_SHARED), Lifecycle.LIFECYCLE_PLAYING);
        scene.expectLeave();
        scene.expectError(ForkedException.class);
    }

    @Test
    void headerThatCannotBeReadEndsThePlay() {
        Scene scene = Scene.unjoined(folder);
        scene.joined(ByteString.copyFromUtf8("no header"), Lifecycle.LIFECYCLE_CREATED);
        scene.expectLeave();
        scene.expectError(ClientException.class);
    }

    @Test
    void dealWithoutItsEntropyIsRefused() {
        Scene scene = Scene.joined(folder, DealMode.DEAL_MODE_FRESH, Lifecycle.LIFECYCLE_CREATED);
        scene.sentReady();
        scene.observes(Told.sealed("", ""));
        scene.expectLeave();
        scene.expectError(EntropyMissingException.class);
    }

    @Test
    void dealOfAMatchThatHadBegunIsPassedOver() {
        Scene scene = Scene.joined(folder, DealMode.DEAL_MODE_FRESH, Lifecycle.LIFECYCLE_PLAYING);
        scene.sentReady();
        scene.observes(Told.decision(5, 5));
        scene.expectNothing(); // the bot is not asked before its seat is ready
        scene.readied();
        scene.expectAction(5, "1");
    }

    @Test
    void problemEndsThePlayOfTheSeat() {
        Scene scene = Scene.asked(folder);
        scene.meets(Told.problem(3, "FIELD_INVALID").setField("action.action").setMessage("bad"));
        scene.expectLeave();
        assertEquals(
                "bad (FIELD_INVALID in action.action)",
                scene.expectError(RefereeException.class).getMessage());
    }

    @Test
    void matchThatEndsUnderAnActionHasAResult() {
        Scene scene = Scene.asked(folder);
        scene.meets(Told.problem(9, "MATCH_ENDED"));
        assertFalse(scene.isOver());
        scene.ends();
        MatchResult result = scene.expectResult();
        assertEquals(7, result.number());
        assertEquals(9, result.ended().getSequence());
        List<KindCase> kinds = kinds(scene);
        assertEquals(KindCase.ENDED, kinds.get(kinds.size() - 1));
        scene.expectNothing();
    }

    @Test
    void seatOfAMatchThatHasEndedAsksNothing() {
        Scene scene = Scene.joined(folder, DealMode.DEAL_MODE_GIVEN, Lifecycle.LIFECYCLE_ENDED);
        scene.expectNothing();
        scene.ends();
        scene.expectResult();
    }

    @Test
    void seatWithoutAJournalThatCanBeWrittenStops() {
        Scene scene = Scene.ready(folder);
        scene.breakJournal();
        scene.observes(Told.decision(1, 1));
        scene.expectLeave();
        scene.expectError(JournalException.class);
    }

    @Test
    void whoCancelsTheResultLeavesTheSeat() {
        Scene scene = Scene.asked(folder);
        scene.conversation.result().cancel(false);
        scene.expectLeave();
        scene.observes(Told.decision(2, 2));
        scene.expectNothing();
    }
}
