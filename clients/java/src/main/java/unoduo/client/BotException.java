package unoduo.client;

/** The bot gave no action, or its tries for a decision are used up. What it threw is the cause. */
public final class BotException extends ClientException {
    private static final long serialVersionUID = 1;

    BotException(String message) {
        super("the bot gave no legal action: " + message);
    }

    BotException(Throwable thrown) {
        super("the bot gave no legal action: it threw " + thrown, thrown);
    }
}
