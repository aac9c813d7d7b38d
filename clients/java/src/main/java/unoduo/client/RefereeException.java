package unoduo.client;

import io.grpc.Status;
import java.time.Duration;
import unoduo.v1.Problem;

/** Reports what the referee could not handle, or that there is no referee. */
public final class RefereeException extends ClientException {
    private static final long serialVersionUID = 1;

    private final Status.Code code;
    private final String reason;
    private final String field;
    private final String sentence;
    private final boolean mayPass;
    private final Duration retryAfter;

    private RefereeException(
            Status.Code code, String reason, String field, String sentence, boolean mayPass, Duration retryAfter) {
        super(sentence + " (" + (reason.isEmpty() ? code : reason) + (field.isEmpty() ? "" : " in " + field) + ")");
        this.code = code;
        this.reason = reason;
        this.field = field;
        this.sentence = sentence;
        this.mayPass = mayPass;
        this.retryAfter = retryAfter;
    }

    /** Reports what the network says. */
    static RefereeException ofNetwork(Status.Code code, String sentence, boolean mayPass) {
        return new RefereeException(code, "", "", sentence, mayPass, Duration.ZERO);
    }

    /** Reports what the referee says when it ends a session. */
    static RefereeException ofReferee(Status.Code code, String reason, String field, String sentence, boolean mayPass) {
        return new RefereeException(code, reason, field, sentence, mayPass, Duration.ZERO);
    }

    /** Reports what the referee says of an item; it may pass if it says when to try again. */
    static RefereeException of(Problem problem) {
        Status.Code code = Status.fromCodeValue(problem.getCode()).getCode();
        Duration retryAfter = Duration.ofMillis(Integer.toUnsignedLong(problem.getRetryAfterMs()));
        boolean isPassing = code == Status.Code.UNAVAILABLE || code == Status.Code.RESOURCE_EXHAUSTED;
        return new RefereeException(
                code,
                problem.getReason(),
                problem.getField(),
                problem.getMessage(),
                isPassing && !retryAfter.isZero(),
                retryAfter);
    }

    /** Returns the same with a beginning before its sentence. */
    RefereeException after(String beginning) {
        return new RefereeException(code, reason, field, beginning + sentence, mayPass, retryAfter);
    }

    /** Returns the status code of gRPC. */
    public Status.Code code() {
        return code;
    }

    /** Returns one of the reasons of PROTOCOL.md, "Problems"; empty if the network speaks and not the referee. */
    public String reason() {
        return reason;
    }

    /** Returns what is wrong in what was sent; empty if nothing is. */
    public String field() {
        return field;
    }

    /** Returns a sentence for people. */
    public String sentence() {
        return sentence;
    }

    boolean mayPass() {
        return mayPass;
    }

    Duration retryAfter() {
        return retryAfter;
    }
}
