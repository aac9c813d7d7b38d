package unoduo.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Says what the end of a connection means. */
final class Statuses {
    private static final String DOMAIN = "unoduo.v1";

    /** Reasons that may pass, beside those of code UNAVAILABLE. */
    private static final Set<String> PASSING =
            Set.of("SLOW_READER", "TOO_MANY_CALLS", "INBOX_FULL", "TOO_MANY_MATCHES");

    /** Codes that gRPC sets by itself when the way to the referee fails. */
    private static final Set<Status.Code> OF_TRANSPORT = EnumSet.of(
            Status.Code.UNAVAILABLE,
            Status.Code.CANCELLED,
            Status.Code.INTERNAL,
            Status.Code.UNKNOWN,
            Status.Code.DEADLINE_EXCEEDED);

    private Statuses() {}

    /** Returns why a call to an address has ended: what the referee says, or else what is wrong with the way to it. */
    static RefereeException sessionLost(Throwable error, String address, boolean wasGreeted) {
        Status status = Status.fromThrowable(error);
        Status.Code code = status.getCode();
        String sentence = status.getDescription() == null ? "the referee gives no reason" : status.getDescription();
        ErrorInfo info = detailsOf(error);
        if (info.getDomain().equals(DOMAIN)) {
            boolean mayPass = code == Status.Code.UNAVAILABLE || PASSING.contains(info.getReason());
            String field = info.getMetadataOrDefault("field", "");
            return RefereeException.ofReferee(code, info.getReason(), field, sentence, mayPass);
        }
        return OF_TRANSPORT.contains(code)
                ? trouble(code, error, address, wasGreeted)
                : RefereeException.ofNetwork(code, sentence, false);
    }

    private static ErrorInfo detailsOf(Throwable error) {
        com.google.rpc.Status details = StatusProto.fromThrowable(error);
        try {
            for (Any detail : details == null ? List.<Any>of() : details.getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    return detail.unpack(ErrorInfo.class);
                }
            }
        } catch (InvalidProtocolBufferException unreadable) {
            return ErrorInfo.getDefaultInstance(); // what cannot be read says nothing
        }
        return ErrorInfo.getDefaultInstance();
    }

    /** Returns what the error of a transport, and those behind it, say of the way to an address. */
    private static RefereeException trouble(Status.Code code, Throwable error, String address, boolean wasGreeted) {
        String message = "the connection to the referee at " + address + " was lost";
        boolean mayPass = true;
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            String words = String.valueOf(cause.getMessage());
            if (cause instanceof GeneralSecurityException && cause.getCause() == null) {
                String verdict = isAboutName(words) ? "is for another name: " : "is not trusted: ";
                message = "the certificate of the referee at " + address + " " + verdict + words;
                mayPass = false;
            } else if (words.contains("not an SSL/TLS record")) {
                message = "the referee at " + address + " does not speak TLS";
                mayPass = false;
            } else if (cause instanceof ConnectException) {
                message = "nobody listens at " + address;
            } else if (cause instanceof UnknownHostException) {
                message = "the name in " + address + " is not known";
            } else if (!wasGreeted && words.contains("Network closed")) {
                message = "no connection to " + address + " comes about; perhaps the referee there speaks TLS";
            }
        }
        return RefereeException.ofNetwork(code, message, mayPass);
    }

    private static boolean isAboutName(String words) {
        return words.startsWith("No subject alternative") || words.startsWith("No name matching");
    }
}
