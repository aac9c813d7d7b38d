package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.util.JsonFormat;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import unoduo.v1.Action;
import unoduo.v1.Card;
import unoduo.v1.Event;
import unoduo.v1.JournalRecord;
import unoduo.v1.Observation;
import unoduo.v1.Phase;
import unoduo.v1.ResponseItem;

/** What a later version of the protocol may say. */
class UnknownTest {
    private static final UnknownFieldSet LATER = UnknownFieldSet.newBuilder()
            .addField(
                    500,
                    UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFromUtf8("later"))
                            .build())
            .build();

    @TempDir
    private Path folder;

    /** Returns a decision in which everything is unknown that can be, as it comes over the wire. */
    private static Observation.Builder decision() throws InvalidProtocolBufferException {
        Observation.Builder observation = Told.decision(1, 1).setUnknownFields(LATER);
        observation
                .getEventsBuilder(0)
                .setEvent(Event.newBuilder().setUnknownFields(LATER))
                .addPrivateCardsValue(99);
        observation.getViewBuilder().setPhaseValue(99).setPendingKindValue(99).addHandValue(99);
        observation
                .getDecisionBuilder()
                .setPhaseValue(99)
                .addLegal(Action.newBuilder().setUnknownFields(LATER));
        return Observation.parseFrom(observation.build().toByteString()).toBuilder();
    }

    @Test
    void kindsAndNumbersAreSkippedInBytes() throws InvalidProtocolBufferException {
        Scene scene = Scene.ready(folder);
        scene.hears(ResponseItem.newBuilder().setUnknownFields(LATER));
        scene.observes(decision());
        scene.expectAction(1, "1");
        Observation seen = scene.seen.get(0);
        assertEquals(Event.KindCase.KIND_NOT_SET, seen.getEvents(0).getEvent().getKindCase());
        assertEquals(List.of(Card.UNRECOGNIZED), seen.getView().getHandList());
        assertEquals(99, seen.getView().getPhaseValue());
    }

    @Test
    void journalKeepsThem() throws InvalidProtocolBufferException {
        Scene scene = Scene.ready(folder);
        scene.observes(decision());
        List<JournalRecord> kept = scene.kept();
        assertEquals(decision().build(), kept.get(kept.size() - 1).getObservation());
        assertEquals(LATER, kept.get(kept.size() - 1).getObservation().getUnknownFields());
    }

    @Test
    void unknownActionCanBeSaid() throws InvalidProtocolBufferException {
        Scene scene = Scene.ready(folder);
        scene.bot = observation -> observation.getDecision().getLegal(1);
        scene.observes(decision());
        assertEquals(LATER, scene.sent().getAction().getAction().getUnknownFields());
    }

    @Test
    void kindsAndNamesAreSkippedInJson() {
        Observation observation = Positions.fromJson("""
                {"sequence": 4294967295, "later": {"a": [1]},
                 "events": [{"sequence": 5, "event": {"cardsBurnt": {"count": 2}},
                             "privateCards": ["CARD_PURPLE_5", "CARD_RED_5"]}],
                 "view": {"phase": "PHASE_AUCTION", "round": 2},
                 "decision": {"decisionId": 5, "legal": [{"bid": {}}, {"draw": {}}]}}
                """);
        assertEquals(
                Event.KindCase.KIND_NOT_SET, observation.getEvents(0).getEvent().getKindCase());
        assertEquals(4_294_967_295L, Integer.toUnsignedLong(observation.getSequence()));
        assertEquals(List.of(Card.CARD_RED_5), observation.getEvents(0).getPrivateCardsList());
        assertEquals(Phase.PHASE_UNSPECIFIED, observation.getView().getPhase());
        assertEquals(2, observation.getView().getRound());
        assertEquals(2, observation.getDecision().getLegalCount());
        assertTrue(observation.getDecision().getLegal(1).hasDraw());
    }

    @Test
    void whatIsNoObservationIsRefused() {
        assertThrows(ClientException.class, () -> Positions.fromJson("{\"sequence\": \"many\"}"));
        // What is strict refuses what is unknown, so the test before shows something.
        assertThrows(
                InvalidProtocolBufferException.class,
                () -> JsonFormat.parser()
                        .merge("{\"view\": {\"phase\": \"PHASE_AUCTION\"}}", Observation.newBuilder()));
    }
}
