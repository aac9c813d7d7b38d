package unoduo.client;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One thread, on which everything happens that belongs to a session: nothing there is locked, and nothing may wait. */
interface Loop extends Executor {
    /** Lets something happen after a time, unless the future is canceled before. */
    Future<?> after(Duration delay, Runnable step);

    /** Returns a loop whose thread is gone whenever nothing is left to do, so that nobody must end it. */
    static Loop start() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, Daemons.named("unoduo session"));
        executor.setKeepAliveTime(1, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        return new Loop() {
            @Override
            public void execute(Runnable step) {
                executor.execute(Daemons.loud(step));
            }

            @Override
            public Future<?> after(Duration delay, Runnable step) {
                return executor.schedule(Daemons.loud(step), delay.toNanos(), TimeUnit.NANOSECONDS);
            }
        };
    }
}
