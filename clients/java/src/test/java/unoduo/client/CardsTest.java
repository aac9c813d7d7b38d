package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import unoduo.v1.Card;
import unoduo.v1.Color;

class CardsTest {
    @Test
    void facesAreThoseOfTheVectors() throws IOException {
        JsonArray faces = Vectors.read("cards/faces.json", "faces");
        assertEquals(54, faces.size());
        for (JsonElement element : faces) {
            JsonObject face = element.getAsJsonObject();
            Card card = Card.valueOf(face.get("card").getAsString());
            boolean isWild = face.get("color").isJsonNull();
            String color = isWild ? "COLOR_UNSPECIFIED" : face.get("color").getAsString();
            String symbol = face.get("symbol").getAsString();
            Symbol due = symbol.matches("\\d") ? Symbol.at(Integer.parseInt(symbol)) : Symbol.valueOf(symbol);
            assertEquals(face.get("number").getAsInt(), card.getNumber());
            assertEquals(face.get("name").getAsString(), Cards.nameOf(card));
            assertEquals(color, Cards.colorOf(card).name());
            assertEquals(due, Cards.symbolOf(card));
            assertEquals(face.get("points").getAsInt(), Cards.pointsOf(card));
            assertEquals(isWild, Cards.isWild(card));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CARD_RED_5, CARD_RED_9, COLOR_RED, true",
        "CARD_BLUE_9, CARD_RED_9, COLOR_RED, true",
        "CARD_BLUE_8, CARD_RED_9, COLOR_RED, false",
        "CARD_BLUE_0, CARD_RED_0, COLOR_RED, true",
        "CARD_BLUE_SKIP, CARD_RED_SKIP, COLOR_RED, true",
        "CARD_BLUE_SKIP, CARD_RED_REVERSE, COLOR_RED, false",
        "CARD_BLUE_1, CARD_WILD, COLOR_BLUE, true",
        "CARD_BLUE_1, CARD_WILD, COLOR_RED, false",
        "CARD_WILD, CARD_RED_9, COLOR_RED, true",
        "CARD_WILD_DRAW_FOUR, CARD_WILD, COLOR_RED, true",
        "UNRECOGNIZED, UNRECOGNIZED, COLOR_RED, false",
        "CARD_UNSPECIFIED, CARD_RED_9, COLOR_RED, false",
    })
    void matchesFollowColorAndSymbol(Card card, Card top, Color active, boolean due) {
        assertEquals(due, Cards.matches(card, top, active));
    }

    @ParameterizedTest
    @EnumSource(names = {"UNRECOGNIZED", "CARD_UNSPECIFIED"})
    void whatIsNoCardHasNothing(Card card) {
        assertFalse(Cards.isCard(card));
        assertFalse(Cards.isWild(card));
        assertEquals(Color.COLOR_UNSPECIFIED, Cards.colorOf(card));
        assertEquals(Symbol.NONE, Cards.symbolOf(card));
        assertEquals(0, Cards.pointsOf(card));
        assertEquals("??", Cards.nameOf(card));
    }
}
