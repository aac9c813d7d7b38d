package unoduo.client;

import unoduo.v1.Card;
import unoduo.v1.Color;

/**
 * Reads cards. A newer referee may name some that this version does not know: they are {@code UNRECOGNIZED}, and no
 * card.
 */
public final class Cards {
    private static final int SYMBOLS_PER_COLOR = 13;

    private Cards() {}

    /** Returns whether this is a card. */
    public static boolean isCard(Card card) {
        return card != Card.UNRECOGNIZED && card != Card.CARD_UNSPECIFIED;
    }

    /** Returns whether a card is a Wild or Wild Draw Four. */
    public static boolean isWild(Card card) {
        return card == Card.CARD_WILD || card == Card.CARD_WILD_DRAW_FOUR;
    }

    /** Returns the color of a card, {@code COLOR_UNSPECIFIED} for a wild and for what is no card. */
    public static Color colorOf(Card card) {
        if (!isCard(card) || isWild(card)) {
            return Color.COLOR_UNSPECIFIED;
        }
        return Color.forNumber(1 + (card.getNumber() - 1) / SYMBOLS_PER_COLOR);
    }

    /** Returns the symbol of a card, {@code NONE} for what is no card. */
    public static Symbol symbolOf(Card card) {
        if (!isCard(card)) {
            return Symbol.NONE;
        }
        return switch (card) {
            case CARD_WILD -> Symbol.WILD;
            case CARD_WILD_DRAW_FOUR -> Symbol.WILD_DRAW_FOUR;
            default -> Symbol.at((card.getNumber() - 1) % SYMBOLS_PER_COLOR);
        };
    }

    /** Returns what a card costs its holder at the end of a round (RULES.md R1.7), 0 for what is no card. */
    public static int pointsOf(Card card) {
        return symbolOf(card).points();
    }

    /**
     * Returns whether a card can be laid on the top card while a color is in force (RULES.md R5): a wild always, a
     * colored card by the color in force or by the symbol of the top card.
     */
    public static boolean matches(Card card, Card top, Color active) {
        return isCard(card) && (isWild(card) || colorOf(card) == active || symbolOf(card) == symbolOf(top));
    }

    /** Returns the short name of a card, as in R5, GS, BR, YD, WW, WF, or ?? for what is no card. */
    public static String nameOf(Card card) {
        Color color = colorOf(card);
        char letter = symbolOf(card).letter();
        if (color == Color.COLOR_UNSPECIFIED) {
            return (isWild(card) ? "W" : "?") + letter;
        }
        return "" + "RYGB".charAt(color.getNumber() - 1) + letter;
    }
}
