package unoduo.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import unoduo.v1.Action;
import unoduo.v1.ActionResult;
import unoduo.v1.Observation;
import unoduo.v1.ObservedEvent;
import unoduo.v1.Rejected;
import unoduo.v1.RejectionReason;
import unoduo.v1.RequestItem;
import unoduo.v1.Resign;
import unoduo.v1.SubmittedAction;

/** What a conversation asks its bot, one decision at a time. */
final class Decisions {
    private static final System.Logger LOG = System.getLogger("unoduo.client");

    private final Bot bot;
    private final Loop loop;
    private final Executor thinkers;
    private final Consumer<RequestItem.Builder> ask;
    private final Consumer<ClientException> fail;

    private Observation last; // that the bot has not dealt with, null if there is none
    private final List<ObservedEvent> events = new ArrayList<>(); // that the bot was not told
    private Observation asking; // that the bot is thinking about or whose answer is under way, null if there is none
    private int closed; // the last decision that was answered
    private int tries; // actions for this decision, which are their ids

    Decisions(
            Bot bot, Loop loop, Executor thinkers, Consumer<RequestItem.Builder> ask, Consumer<ClientException> fail) {
        this.bot = bot;
        this.loop = loop;
        this.thinkers = thinkers;
        this.ask = ask;
        this.fail = fail;
    }

    /** Learns what the seat is told. */
    void observe(Observation observation) {
        last = observation;
        events.addAll(observation.getEventsList());
    }

    /**
     * Asks the bot for its decision, if it is not thinking. Only the last observation can have one that is open: a slow
     * bot is not asked what was decided without it. After a restart of the referee a decision is told again, perhaps
     * while its answer is on the way.
     */
    void consult() {
        if (asking != null || last == null) {
            return;
        }
        Observation next = last;
        last = null;
        if (next.hasDecision() && next.getDecision().getDecisionId() != closed) {
            tries = 0;
            think(next.toBuilder().clearEvents().addAllEvents(events).build());
            events.clear();
        }
    }

    private void think(Observation observation) {
        asking = observation;
        thinkers.execute(() -> {
            try {
                Action action = bot.decide(observation);
                loop.execute(() -> decided(action));
            } catch (ResignException enough) {
                loop.execute(() -> ask.accept(RequestItem.newBuilder().setResign(Resign.getDefaultInstance())));
            } catch (Throwable thrown) { // whatever it is, other seats play on
                LOG.log(System.Logger.Level.ERROR, "the bot threw", thrown);
                loop.execute(() -> fail.accept(new BotException(thrown)));
            }
        });
    }

    private void decided(Action action) {
        if (action == null) {
            fail.accept(new BotException("it returned none"));
            return;
        }
        tries++;
        ask.accept(RequestItem.newBuilder()
                .setAction(SubmittedAction.newBuilder()
                        .setDecisionId(asking.getDecision().getDecisionId())
                        .setActionId(Integer.toString(tries))
                        .setAction(action)));
    }

    /** Learns how the action was judged that was submitted last. Throws BotException if no tries are left. */
    void judged(ActionResult result) {
        if (!result.hasRejected()) { // accepted, or stale: it goes on with the next decision
            closed = result.getDecisionId();
            asking = null;
            consult();
            return;
        }
        Rejected rejected = result.getRejected();
        String refusal = nameOf(rejected) + " (" + rejected.getClause() + "): " + rejected.getMessage();
        if (rejected.getTriesLeft() == 0) {
            throw new BotException("no tries are left: " + refusal);
        }
        LOG.log(System.Logger.Level.WARNING, "the referee refuses an action: " + refusal);
        Observation.Builder again = asking.toBuilder();
        again.getDecisionBuilder().setTriesLeft(rejected.getTriesLeft());
        think(again.build());
    }

    private static String nameOf(Rejected rejected) {
        RejectionReason reason = rejected.getReason();
        return reason == RejectionReason.UNRECOGNIZED ? String.valueOf(rejected.getReasonValue()) : reason.name();
    }
}
