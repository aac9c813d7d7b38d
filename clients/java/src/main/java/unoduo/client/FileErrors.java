package unoduo.client;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Says what an error with a file means: Java names some only by their class. */
final class FileErrors {
    private FileErrors() {}

    static String words(IOException error) {
        if (error instanceof NoSuchFileException) {
            return error.getMessage() + ": no such file or directory";
        }
        if (error instanceof FileAlreadyExistsException) {
            return error.getMessage() + ": it is there already";
        }
        if (error instanceof AccessDeniedException) {
            return error.getMessage() + ": permission denied";
        }
        return error.getMessage();
    }
}
