package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.TlsChannelCredentials;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecurityTest {
    private static boolean isTls(Security security, String host) {
        return security.credentialsFor(host) instanceof TlsChannelCredentials;
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, false",
        "127.0.0.2, false",
        "[::1], false",
        "localhost, false",
        "192.0.2.1, true",
        "referee.example, true",
        "127.0.0.1.example, true",
        "localhost.example, true",
    })
    void plaintextIsSpokenOnThisMachineOnlyUnlessToldOtherwise(String host, boolean due) {
        assertEquals(due, isTls(Security.USUAL, host));
        assertEquals(false, isTls(Security.plaintext(), host));
    }

    @Test
    void fileWithoutACertificateIsRefused() {
        Security security = Security.trusting(Path.of("pom.xml"));
        ClientException error = assertThrows(ClientException.class, () -> security.credentialsFor("127.0.0.1"));
        assertEquals("pom.xml holds no certificate", error.getMessage());
    }
}
