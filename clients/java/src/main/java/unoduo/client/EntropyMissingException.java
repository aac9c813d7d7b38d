package unoduo.client;

/** The deal does not contain what this seat gave to it. */
public final class EntropyMissingException extends ClientException {
    private static final long serialVersionUID = 1;

    EntropyMissingException(String message) {
        super("the deal is not to be trusted: " + message);
    }
}
