package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import unoduo.v1.JournalRecord;
import unoduo.v1.Ready;
import unoduo.v1.Seat;

class JournalTest {
    private static final int HEAD_BYTES = 8;

    @TempDir
    private Path folder;

    /** Returns the records of a journal. */
    static List<JournalRecord> kept(Path path) {
        List<JournalRecord> records = new ArrayList<>();
        try {
            ByteBuffer data = ByteBuffer.wrap(Files.readAllBytes(path)).position(HEAD_BYTES);
            while (data.hasRemaining()) {
                byte[] record = new byte[data.getInt()];
                data.get(record);
                records.add(JournalRecord.parseFrom(record));
            }
        } catch (InvalidProtocolBufferException error) {
            throw new AssertionError(error);
        } catch (IOException error) {
            throw new AssertionError(error);
        }
        return records;
    }

    @Test
    void holdsItsRecordsForItsOwnerAlone() throws IOException {
        Path path = folder.resolve("journal");
        Journal journal = Journal.create(path);
        Ready ready = Ready.newBuilder().setH0(ByteString.copyFromUtf8("h0")).build();
        journal.keep(JournalRecord.newBuilder().setReady(ready).build());
        journal.keep(JournalRecord.getDefaultInstance());
        journal.close();
        String data = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
        assertEquals("UNODUOJ\2\0\0\0\6\62\4\n\2h0\0\0\0\0", data);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }

    @Test
    void neverOverwritesEvidence() {
        Path path = folder.resolve("journal");
        Journal.create(path).close();
        assertThrows(JournalException.class, () -> Journal.create(path));
    }

    @Test
    void journalsOfOneSeatAreNumbered() throws IOException {
        Path directory = Journal.usualDirectory(folder.toString());
        ByteString matchId = ByteString.copyFrom(new byte[] {0x0a, (byte) 0xff});
        for (String due : List.of("0aff-B-1.journal", "0aff-B-2.journal")) {
            Path path = Journal.free(directory, matchId, Seat.SEAT_B);
            assertEquals(directory.resolve(due), path);
            Journal.create(path).close();
        }
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
    }

    @Test
    void usualDirectoryIsAbsolute() {
        assertThrows(IOException.class, () -> Journal.usualDirectory("state"));
    }
}
