package unoduo.client;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Set;
import unoduo.v1.JournalRecord;
import unoduo.v1.Seat;

/**
 * Keeps what a seat saw and said, as evidence (PROTOCOL.md, "The journal"). Each record is one unbuffered write, so
 * that a killed client leaves at most a torn last record. Its owner alone can read it: it shows the hand of the seat.
 */
final class Journal {
    private static final byte[] HEAD = "UNODUOJ\2".getBytes(StandardCharsets.US_ASCII);

    private final Path path;
    private final FileChannel file;

    private Journal(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /** Makes the file; it never overwrites evidence. */
    static Journal create(Path path) {
        try {
            FileChannel file = FileChannel.open(
                    path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PrivateFiles.forFile());
            Journal journal = new Journal(path, file);
            journal.write(ByteBuffer.wrap(HEAD));
            return journal;
        } catch (IOException error) {
            throw new JournalException(error);
        }
    }

    Path path() {
        return path;
    }

    /** Writes a record. Throws JournalException. */
    void keep(JournalRecord record) {
        byte[] data = record.toByteArray();
        ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + data.length);
        framed.putInt(data.length).put(data).flip();
        try {
            write(framed);
        } catch (IOException error) {
            throw new JournalException(error);
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    void close() {
        try {
            file.close();
        } catch (IOException ignored) {
            return; // each record was written when it was kept
        }
    }

    /**
     * Returns where bots keep journals unless they are told where: unoduo/journals in XDG_STATE_HOME, by default
     * ~/.local/state. It is made, for its owner alone.
     */
    static Path usualDirectory(String stateHome) throws IOException {
        boolean isGiven = stateHome != null && !stateHome.isEmpty();
        Path state = isGiven ? Path.of(stateHome) : Path.of(System.getProperty("user.home"), ".local", "state");
        if (!state.isAbsolute()) {
            throw new IOException(state + " is no absolute path");
        }
        return Files.createDirectories(state.resolve("unoduo").resolve("journals"), PrivateFiles.forDirectory());
    }

    /** Returns the path of a journal that is not there yet: a bot that was started again writes another one. */
    static Path free(Path directory, ByteString matchId, Seat seat) {
        try {
            Files.createDirectories(directory, PrivateFiles.forDirectory());
        } catch (IOException error) {
            throw new JournalException(error);
        }
        String name = HexFormat.of().formatHex(matchId.toByteArray()) + "-" + MatchResult.letter(seat) + "-";
        int number = 1;
        while (Files.exists(directory.resolve(name + number + ".journal"))) {
            number++;
        }
        return directory.resolve(name + number + ".journal");
    }
}
