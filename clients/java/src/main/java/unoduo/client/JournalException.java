package unoduo.client;

import java.io.IOException;

/** The journal cannot be written; a seat without evidence does not play on. */
public final class JournalException extends ClientException {
    private static final long serialVersionUID = 1;

    JournalException(IOException error) {
        super("the journal cannot be written: " + FileErrors.words(error), error);
    }
}
