package unoduo.client;

/** Says why something is not played: what this package throws is this or a class derived from it. */
public class ClientException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClientException(String message) {
        super(message);
    }

    ClientException(String message, Throwable cause) {
        super(message, cause);
    }
}
