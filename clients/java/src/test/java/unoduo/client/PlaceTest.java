package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import unoduo.v1.Seat;

class PlaceTest {
    @Test
    void showsNoToken() {
        Place place = new Place(ByteString.copyFromUtf8("ab"), Seat.SEAT_B, "TOKEN", Path.of("kept"));
        assertEquals("match 6162, seat B, journal kept", place.toString());
    }
}
