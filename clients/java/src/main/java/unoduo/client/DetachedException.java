package unoduo.client;

import unoduo.v1.DetachReason;
import unoduo.v1.Detached;

/**
 * The seat is no longer this client's: another session took it, or its token was revoked. Do not join again by
 * yourself.
 */
public final class DetachedException extends ClientException {
    private static final long serialVersionUID = 1;

    private final DetachReason reason;

    DetachedException(Detached detached) {
        super(words(detached));
        reason = detached.getReason();
    }

    /** Returns why. */
    public DetachReason reason() {
        return reason;
    }

    private static String words(Detached detached) {
        return switch (detached.getReason()) {
            case DETACH_REASON_REPLACED -> "another session took the seat (REPLACED)";
            case DETACH_REASON_TOKEN_REVOKED -> "the token of the seat was replaced (TOKEN_REVOKED)";
            default -> "the referee let go of the seat (" + detached.getReasonValue() + ")";
        };
    }
}
