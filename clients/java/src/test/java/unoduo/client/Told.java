package unoduo.client;

import com.google.protobuf.ByteString;
import unoduo.v1.Accepted;
import unoduo.v1.Action;
import unoduo.v1.ActionResult;
import unoduo.v1.DealSealed;
import unoduo.v1.Decision;
import unoduo.v1.Draw;
import unoduo.v1.Event;
import unoduo.v1.Observation;
import unoduo.v1.ObservedEvent;
import unoduo.v1.Problem;
import unoduo.v1.Rejected;
import unoduo.v1.Stale;
import unoduo.v1.View;

/** What a referee may tell. */
final class Told {
    static final Action DRAW =
            Action.newBuilder().setDraw(Draw.getDefaultInstance()).build();

    private Told() {}

    /** Tells the events from first to last, and how it stands behind them. */
    static Observation.Builder events(int first, int last) {
        Observation.Builder observation = page(first, last).setCaughtUp(true).setView(View.getDefaultInstance());
        return observation.setHead(ByteString.copyFrom(new byte[] {(byte) last}));
    }

    /** Tells a page of history. */
    static Observation.Builder page(int first, int last) {
        Observation.Builder observation = Observation.newBuilder().setSequence(last);
        for (int sequence = first; sequence != last + 1; sequence++) { // unsigned
            observation.addEvents(ObservedEvent.newBuilder().setSequence(sequence));
        }
        return observation;
    }

    /** Tells one event, and a decision. */
    static Observation.Builder decision(int sequence, int id) {
        Decision decision = Decision.newBuilder()
                .setDecisionId(id)
                .setTriesLeft(10)
                .addLegal(DRAW)
                .build();
        return events(sequence, sequence).setDecision(decision);
    }

    static Observation.Builder sealed(String first, String second) {
        DealSealed deal = DealSealed.newBuilder()
                .setEntropy1(ByteString.copyFromUtf8(first))
                .setEntropy2(ByteString.copyFromUtf8(second))
                .build();
        return Observation.newBuilder()
                .setSequence(1)
                .setCaughtUp(true)
                .addEvents(ObservedEvent.newBuilder()
                        .setSequence(1)
                        .setEvent(Event.newBuilder().setDealSealed(deal)));
    }

    static ActionResult.Builder accepted(int decisionId, String actionId) {
        return result(decisionId, actionId).setAccepted(Accepted.getDefaultInstance());
    }

    static ActionResult.Builder rejected(int decisionId, String actionId, int triesLeft) {
        return result(decisionId, actionId)
                .setRejected(Rejected.newBuilder().setClause("R5.2").setTriesLeft(triesLeft));
    }

    static ActionResult.Builder stale(int decisionId, String actionId) {
        return result(decisionId, actionId).setStale(Stale.getDefaultInstance());
    }

    static ActionResult.Builder result(int decisionId, String actionId) {
        return ActionResult.newBuilder().setDecisionId(decisionId).setActionId(actionId);
    }

    static Problem.Builder frozen(int retryAfterMs) {
        return problem(14, "MATCH_FROZEN").setRetryAfterMs(retryAfterMs);
    }

    static Problem.Builder problem(int code, String reason) {
        return Problem.newBuilder().setCode(code).setReason(reason);
    }
}
