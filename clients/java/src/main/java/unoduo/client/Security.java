package unoduo.client;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;

/** Says whether TLS is spoken. */
public final class Security {
    /** Plaintext on this machine, and to any other TLS with the certificates that Java trusts. */
    public static final Security USUAL = new Security(null, false);

    private final Path authorities; // null: those that Java trusts
    private final boolean isPlaintext;

    private Security(Path authorities, boolean isPlaintext) {
        this.authorities = authorities;
        this.isPlaintext = isPlaintext;
    }

    /** TLS to any machine, with the certificates to trust in a PEM file. */
    public static Security trusting(Path authorities) {
        return new Security(authorities, false);
    }

    /** Plaintext to any machine. */
    public static Security plaintext() {
        return new Security(null, true);
    }

    /** Returns what to speak with a host. Throws ClientException for certificates that cannot be read. */
    ChannelCredentials credentialsFor(String host) {
        if (authorities != null) {
            return trustingOnly();
        }
        return isPlaintext || isLoopback(host) ? InsecureChannelCredentials.create() : TlsChannelCredentials.create();
    }

    private ChannelCredentials trustingOnly() {
        try (InputStream pem = Files.newInputStream(authorities)) {
            var trusted = CertificateFactory.getInstance("X.509").generateCertificates(pem);
            if (trusted.isEmpty()) {
                throw new ClientException(authorities + " holds no certificate");
            }
            return TlsChannelCredentials.newBuilder()
                    .trustManager(Authorities.of(trusted))
                    .build();
        } catch (GeneralSecurityException error) {
            throw new ClientException(authorities + " holds no certificate", error);
        } catch (IOException error) {
            throw new ClientException(FileErrors.words(error), error);
        }
    }

    /** Returns whether this names this machine; no other name is looked up. */
    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.matches("127(\\.\\d{1,3}){3}") || host.equals("[::1]");
    }
}
