package unoduo.client;

import com.google.protobuf.ByteString;
import java.security.SecureRandom;
import java.time.Duration;

/** Says how to speak to a referee. As they are made they are right for a referee on this machine. */
public final class Options {
    static final int SECRET_BYTES = 32;

    private String token = "";
    private Security security = Security.USUAL;
    private ByteString secret;
    private Duration patience = Duration.ofSeconds(60);
    private Duration startPatience = Duration.ZERO;
    private String client = "unoduo-client java";

    /** The token names the caller; it is not needed if each seat brings its own. */
    public Options token(String given) {
        token = given;
        return this;
    }

    /** By default {@link Security#USUAL}. */
    public Options security(Security given) {
        security = given;
        return this;
    }

    /**
     * The secret is what the part of each seat in its deal is derived from; by default 32 random bytes. A bot that may
     * be restarted before its match begins must keep it: the first entropy of a seat counts.
     */
    public Options secret(ByteString given) {
        secret = given;
        return this;
    }

    /** How long a lost connection is tried again, by default a minute; zero: never. */
    public Options patience(Duration given) {
        patience = given;
        return this;
    }

    /** How long the referee may be missing at the beginning; by default it must be there. */
    public Options startPatience(Duration given) {
        startPatience = given;
        return this;
    }

    /** Introduces the program, 1 to 64 characters; by default with the name of this package. */
    public Options client(String given) {
        client = given;
        return this;
    }

    String token() {
        return token;
    }

    Security security() {
        return security;
    }

    /** Returns the secret that was given, or a new one. */
    ByteString secret() {
        return secret == null ? newSecret() : secret;
    }

    Duration patience() {
        return patience;
    }

    Duration startPatience() {
        return startPatience;
    }

    String client() {
        return client;
    }

    static ByteString newSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }
}
