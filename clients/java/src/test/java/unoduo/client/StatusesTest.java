package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusesTest {
    static StatusRuntimeException refusal(Status.Code code, String reason, String domain) {
        ErrorInfo info = ErrorInfo.newBuilder()
                .setReason(reason)
                .setDomain(domain)
                .putMetadata("field", "join.seat")
                .build();
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(code.value())
                .setMessage("refused")
                .addDetails(Any.pack(info))
                .build());
    }

    @ParameterizedTest
    @CsvSource({
        "UNAUTHENTICATED, TOKEN_UNKNOWN, false",
        "UNAVAILABLE, DRAINING, true",
        "RESOURCE_EXHAUSTED, SLOW_READER, true",
        "RESOURCE_EXHAUSTED, TOO_MANY_MALFORMED, false",
        "INTERNAL, INTERNAL, false",
    })
    void lostSessionSaysWhatTheRefereeSays(Status.Code code, String reason, boolean mayPass) {
        RefereeException lost = Statuses.sessionLost(refusal(code, reason, "unoduo.v1"), "host:1", true);
        assertEquals(code, lost.code());
        assertEquals(reason, lost.reason());
        assertEquals("join.seat", lost.field());
        assertEquals("refused (" + reason + " in join.seat)", lost.getMessage());
        assertEquals(mayPass, lost.mayPass());
    }

    @Test
    void reasonOfAnotherDomainIsNone() {
        StatusRuntimeException error = refusal(Status.Code.NOT_FOUND, "OTHER", "elsewhere");
        assertEquals(
                "refused (NOT_FOUND)",
                Statuses.sessionLost(error, "host:1", true).getMessage());
    }

    @Test
    void lostSessionSaysWhatIsWrongWithTheWay() {
        expect(
                handshake("No subject alternative names present"),
                false,
                "the certificate of the referee at host:1 is for another name: No subject alternative names present");
        expect(
                handshake("No name matching b found"),
                false,
                "the certificate of the referee at host:1 is for another name: No name matching b found");
        expect(handshake("expired"), false, "the certificate of the referee at host:1 is not trusted: expired");
        expect(new SSLException("not an SSL/TLS record: 00"), false, "the referee at host:1 does not speak TLS");
        expect(new ConnectException("Connection refused"), true, "nobody listens at host:1");
        expect(new RuntimeException(new UnknownHostException("host")), true, "the name in host:1 is not known");
        expect(new RuntimeException("reset"), true, "the connection to the referee at host:1 was lost");
    }

    @Test
    void connectionThatIsClosedAtOnceMayBeToOneThatSpeaksTls() {
        StatusRuntimeException closed = Status.UNAVAILABLE
                .withDescription("Network closed for unknown reason")
                .asRuntimeException();
        assertEquals(
                "no connection to host:1 comes about; perhaps the referee there speaks TLS",
                Statuses.sessionLost(closed, "host:1", false).sentence());
        assertEquals(
                "the connection to the referee at host:1 was lost",
                Statuses.sessionLost(closed, "host:1", true).sentence());
    }

    private static Exception handshake(String words) {
        Exception handshake = new SSLHandshakeException("handshake");
        handshake.initCause(new CertificateException(words));
        return handshake;
    }

    private static void expect(Throwable cause, boolean mayPass, String due) {
        StatusRuntimeException error = Status.UNAVAILABLE
                .withDescription("io exception")
                .withCause(cause)
                .asRuntimeException();
        RefereeException lost = Statuses.sessionLost(error, "host:1", false);
        assertEquals(due + " (UNAVAILABLE)", lost.getMessage());
        assertEquals(mayPass, lost.mayPass());
    }
}
