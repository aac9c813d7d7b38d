package unoduo.client;

/** What a card shows apart from its color. */
public enum Symbol {
    ZERO('0', 0),
    ONE('1', 1),
    TWO('2', 2),
    THREE('3', 3),
    FOUR('4', 4),
    FIVE('5', 5),
    SIX('6', 6),
    SEVEN('7', 7),
    EIGHT('8', 8),
    NINE('9', 9),
    SKIP('S', 10),
    REVERSE('R', 10),
    DRAW_TWO('D', 10),
    WILD('W', 15),
    WILD_DRAW_FOUR('F', 20),
    /** That of what is no card. */
    NONE('?', 0);

    private static final Symbol[] ALL = values();

    private final char letter;
    private final int points;

    Symbol(char letter, int points) {
        this.letter = letter;
        this.points = points;
    }

    /** Returns the symbol at this place among the cards of a color. */
    static Symbol at(int place) {
        return ALL[place];
    }

    char letter() {
        return letter;
    }

    /** Returns what a card with this symbol costs its holder at the end of a round (RULES.md R1.7). */
    public int points() {
        return points;
    }
}
