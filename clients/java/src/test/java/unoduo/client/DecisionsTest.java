package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import unoduo.v1.JournalRecord;
import unoduo.v1.JournalRecord.KindCase;

class DecisionsTest {
    @TempDir
    private Path folder;

    @Test
    void areAnsweredOneAfterTheOther() {
        Scene scene = Scene.asked(folder);
        scene.observes(Told.decision(9, 9));
        scene.expectNothing();
        scene.judges(Told.accepted(1, "1"));
        scene.expectAction(9, "1");
    }

    @Test
    void botIsToldTheEventsOfAllObservationsOnce() {
        Scene scene = Scene.ready(folder);
        scene.observes(Told.page(1, 3));
        scene.observes(Told.events(2, 4));
        scene.observes(Told.decision(5, 5));
        scene.expectAction(5, "1");
        assertEquals(1, scene.seen.size());
        assertEquals(5, scene.seen.get(0).getEventsCount());
        assertEquals(5, scene.seen.get(0).getEvents(4).getSequence());
    }

    @Test
    void slowBotIsNotAskedWhatWasDecidedWithoutIt() {
        Scene scene = Scene.asked(folder);
        scene.observes(Told.decision(2, 2));
        scene.observes(Told.decision(3, 3));
        scene.judges(Told.stale(1, "1"));
        scene.expectAction(3, "1");
        assertEquals(2, scene.seen.size());
        assertEquals(2, scene.seen.get(1).getEventsCount());
    }

    @Test
    void rejectedActionIsAskedForAgainUnderAnotherId() {
        Scene scene = Scene.asked(folder);
        scene.judges(Told.rejected(1, "1", 1));
        scene.expectAction(1, "2");
        assertEquals(10, scene.seen.get(0).getDecision().getTriesLeft());
        assertEquals(1, scene.seen.get(1).getDecision().getTriesLeft());
        scene.judges(Told.rejected(1, "2", 0));
        scene.expectLeave();
        scene.expectError(BotException.class);
    }

    @Test
    void staleActionIsPassedOver() {
        Scene scene = Scene.asked(folder);
        scene.judges(Told.stale(1, "1"));
        scene.observes(Told.decision(4, 4));
        scene.expectAction(4, "1");
    }

    @Test
    void verdictOfALaterVersionIsPassedOver() {
        Scene scene = Scene.asked(folder);
        scene.judges(Told.result(1, "1"));
        scene.observes(Told.decision(4, 4));
        scene.expectAction(4, "1");
    }

    @Test
    void resultOfAnotherActionIsNoAnswer() {
        Scene scene = Scene.asked(folder);
        scene.judges(Told.accepted(1, "2"));
        scene.judges(Told.accepted(2, "1"));
        scene.observes(Told.decision(4, 4));
        scene.expectNothing();
    }

    @Test
    void decisionToldAgainWhileItsAnswerIsOnTheWayIsNotAskedAgain() {
        Scene scene = Scene.asked(folder);
        scene.observes(Told.decision(2, 1));
        scene.judges(Told.accepted(1, "1"));
        scene.observes(Told.decision(3, 3));
        scene.expectAction(3, "1");
        assertEquals(2, scene.seen.size());
        assertEquals(2, scene.seen.get(1).getEventsCount());
    }

    @Test
    void botThatThinksThroughACutIsHeardAfterIt() {
        Scene scene = Scene.ready(folder);
        scene.observes(Told.decision(1, 1)); // its answer is not taken up yet
        scene.conversation.detach();
        scene.expectNothing();
        scene.conversation.attach(scene);
        scene.sentJoin();
        scene.joinedAgain();
        scene.expectAction(1, "1");
    }

    @Test
    void botGivesUpTheMatchAndTheJournalHasItOnce() {
        Scene scene = Scene.ready(folder);
        scene.bot = observation -> {
            throw new ResignException();
        };
        scene.observes(Told.decision(1, 1));
        assertTrue(scene.sent().hasResign());
        scene.reconnects(); // the first was lost
        scene.joinedAgain();
        assertTrue(scene.sent().hasResign());
        assertFalse(scene.isOver());
        scene.ends();
        scene.expectResult();
        List<KindCase> kinds =
                scene.kept().stream().map(JournalRecord::getKindCase).toList();
        assertEquals(List.of(KindCase.OBSERVATION, KindCase.RESIGN, KindCase.ENDED), kinds.subList(3, kinds.size()));
    }

    @Test
    void botWithoutAnActionEndsThePlayOfItsSeat() {
        Scene scene = Scene.ready(folder);
        scene.bot = observation -> null;
        scene.observes(Told.decision(1, 1));
        scene.expectLeave();
        scene.expectError(BotException.class);
    }

    @Test
    void whateverABotThrowsEndsThePlayOfItsSeat() {
        for (Throwable thrown : List.of(new IllegalStateException("out of cards"), new StackOverflowError())) {
            Scene scene = Scene.ready(folder);
            scene.bot = observation -> {
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (Exception) thrown;
            };
            scene.observes(Told.decision(1, 1));
            scene.expectLeave();
            assertEquals(thrown, scene.expectError(BotException.class).getCause());
        }
    }
}
