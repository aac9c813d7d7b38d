package unoduo.client;

/** What a bot throws that gives up its match, which ends by that. */
public final class ResignException extends Exception {
    private static final long serialVersionUID = 1;

    public ResignException() {
        super("the bot resigns");
    }
}
