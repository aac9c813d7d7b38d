package unoduo.client;

import unoduo.v1.Action;
import unoduo.v1.Observation;

/** Decides. */
@FunctionalInterface
public interface Bot {
    /**
     * Returns the action of its choice, best one of the legal ones, which come ready to be sent back. It is given an
     * observation with a decision and a view.
     *
     * <p>It is called for one decision of its seat at a time, on a thread that is not that of other seats.
     * ResignException gives up the match; whatever else it throws ends the play of that seat alone.
     */
    Action decide(Observation observation) throws Exception;
}
