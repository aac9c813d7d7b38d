package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import unoduo.v1.Observation;
import unoduo.v1.Seat;

class DealTest {
    private static final ByteString MINE = ByteString.copyFromUtf8("mine");

    @Test
    void headerHeadsAreThoseOfTheVectors() throws IOException {
        JsonArray cases = Vectors.read("log/heads.json", "cases");
        assertTrue(cases.size() > 0);
        for (JsonElement element : cases) {
            JsonObject one = element.getAsJsonObject();
            byte[] header = HexFormat.of().parseHex(one.get("header").getAsString());
            ByteString h0 = Deal.headerHead(ByteString.copyFrom(header));
            assertEquals(one.get("h0").getAsString(), HexFormat.of().formatHex(h0.toByteArray()));
        }
    }

    @Test
    void entropyDependsOnSecretAndHeaderAlone() {
        ByteString once = entropy("secret", "h0");
        assertEquals(32, once.size());
        assertEquals(once, entropy("secret", "h0"));
        assertNotEquals(once, entropy("other", "h0"));
        assertNotEquals(once, entropy("secret", "h1"));
    }

    private static ByteString entropy(String secret, String h0) {
        return Deal.entropy(ByteString.copyFromUtf8(secret), ByteString.copyFromUtf8(h0));
    }

    @ParameterizedTest
    @CsvSource({
        "SEAT_A, mine, other, true",
        "SEAT_B, other, mine, true",
        "SEAT_B, mine, other, false",
        "SEAT_A, '', other, false"
    })
    void guardWantsItsOwnEntropyInTheDeal(Seat seat, String first, String second, boolean isRight) {
        Deal.Guard guard = new Deal.Guard(seat, MINE);
        Observation deal = Told.sealed(first, second).build();
        if (isRight) {
            guard.check(deal);
            assertDoesNotThrow(() -> guard.check(Told.sealed("", "").build()), "the first deal alone counts");
        } else {
            assertThrows(EntropyMissingException.class, () -> guard.check(deal));
        }
    }

    @Test
    void guardWantsADealBeforeADecision() {
        Deal.Guard guard = new Deal.Guard(Seat.SEAT_A, MINE);
        guard.check(Observation.getDefaultInstance());
        assertThrows(
                EntropyMissingException.class,
                () -> guard.check(Told.decision(1, 1).build()));
    }
}
