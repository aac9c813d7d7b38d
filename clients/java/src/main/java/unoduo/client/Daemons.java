package unoduo.client;

import java.util.concurrent.ThreadFactory;

/** Makes threads that keep no program from ending. */
final class Daemons {
    private static final System.Logger LOG = System.getLogger("unoduo.client");

    private Daemons() {}

    static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Returns a step whose bugs are told: a scheduled executor would keep them to itself. */
    static Runnable loud(Runnable step) {
        return () -> {
            try {
                step.run();
            } catch (RuntimeException | Error bug) {
                LOG.log(System.Logger.Level.ERROR, "a bug of the client", bug);
                throw bug;
            }
        };
    }
}
