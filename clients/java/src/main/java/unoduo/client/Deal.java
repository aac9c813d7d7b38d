package unoduo.client;

import com.google.protobuf.ByteString;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import unoduo.v1.DealSealed;
import unoduo.v1.Observation;
import unoduo.v1.ObservedEvent;
import unoduo.v1.Seat;

/** The part of a seat in its deal (PROTOCOL.md, "The deal"). */
final class Deal {
    private static final String ENTROPY_DOMAIN = "unoduo/v1/client-entropy\0";

    private Deal() {}

    /** Returns h0, the head of a header as it was received (PROTOCOL.md, "The log"). */
    static ByteString headerHead(ByteString header) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((byte) 0);
            digest.update(header.asReadOnlyByteBuffer());
            return ByteString.copyFrom(digest.digest());
        } catch (GeneralSecurityException error) {
            throw new AssertionError("every Java has SHA-256", error);
        }
    }

    /** Returns the 32 bytes that a seat gives to its deal: the same whenever it is asked, no two headers alike. */
    static ByteString entropy(ByteString secret, ByteString h0) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.toByteArray(), "HmacSHA256"));
            mac.update(ByteString.copyFromUtf8(ENTROPY_DOMAIN).asReadOnlyByteBuffer());
            mac.update(h0.asReadOnlyByteBuffer());
            return ByteString.copyFrom(mac.doFinal());
        } catch (GeneralSecurityException error) {
            throw new AssertionError("every Java has HMAC", error);
        }
    }

    /**
     * Refuses a fresh deal in which the entropy of this seat is not as it was sent. Of a match that had begun before
     * the seat joined there is nothing to guard: its deal was shown to an earlier session.
     */
    static final class Guard {
        private final Seat seat;
        private final ByteString sent;
        private boolean isWatching = true;

        Guard(Seat seat, ByteString sent) {
            this.seat = seat;
            this.sent = sent;
        }

        /** Throws EntropyMissingException for a deal without the entropy, and for a decision before any deal. */
        void check(Observation observation) {
            if (!isWatching) {
                return;
            }
            for (ObservedEvent observed : observation.getEventsList()) {
                if (observed.getEvent().hasDealSealed()) {
                    check(observed.getEvent().getDealSealed());
                    isWatching = false;
                    return;
                }
            }
            if (observation.hasDecision()) {
                throw new EntropyMissingException("this seat sent " + hex(sent) + ", no deal was shown");
            }
        }

        private void check(DealSealed deal) {
            ByteString sealed = seat == Seat.SEAT_A ? deal.getEntropy1() : deal.getEntropy2();
            if (!sealed.equals(sent)) {
                throw new EntropyMissingException(
                        "this seat sent " + hex(sent) + ", the deal has \"" + hex(sealed) + "\"");
            }
        }
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }
}
