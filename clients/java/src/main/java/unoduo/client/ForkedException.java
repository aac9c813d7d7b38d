package unoduo.client;

/** The log of the referee is not the one that it told this seat. The journal is the proof. */
public final class ForkedException extends ClientException {
    private static final long serialVersionUID = 1;

    ForkedException(String message) {
        super("the referee's log is not what it told this seat " + message);
    }
}
