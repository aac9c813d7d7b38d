package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import unoduo.v1.Seat;

class ArgumentsTest {
    private static final String ONE_SEAT = "--address host:1 --match 000102030405060708090a0b0c0d0e0f --seat B ";
    private static final Map<String, String> TOKENS = Map.of("UNODUO_SEAT_TOKEN", "S", "UNODUO_BOT_TOKEN", "B");

    @TempDir
    private Path folder;

    private static Arguments parse(String line, Map<String, String> environment) throws UsageException {
        return Arguments.parse(List.of(line.strip().split(" +")), environment);
    }

    @Test
    void nameOneSeat() throws UsageException {
        Arguments arguments = parse(ONE_SEAT + "--journal=j", TOKENS);
        Place place = arguments.place(arguments.journal());
        assertEquals("host:1", arguments.address());
        assertEquals(15, place.matchId().byteAt(15));
        assertEquals(Seat.SEAT_B, place.seat());
        assertEquals(Path.of("j"), place.journal());
        assertEquals("S", arguments.options().token());
        assertEquals(Duration.ofSeconds(60), arguments.options().patience());
        assertEquals(Duration.ZERO, arguments.options().startPatience());
    }

    @Test
    void nameABot() throws UsageException {
        Arguments arguments = parse("--address host:1 --assigned --insecure --no-journal", TOKENS);
        assertTrue(arguments.isAssigned());
        assertTrue(arguments.isWithoutJournal());
        assertNull(arguments.journal());
        assertEquals("B", arguments.options().token());
    }

    @ParameterizedTest
    @CsvSource({"2.5, 2500", "0, 0", ".5, 500", "30, 30000"})
    void patienceHoldsAtTheBeginningToo(String text, long ms) throws UsageException {
        Options options = parse(ONE_SEAT + "--patience " + text, TOKENS).options();
        assertEquals(Duration.ofMillis(ms), options.patience());
        assertEquals(Duration.ofMillis(ms), options.startPatience());
    }

    @ParameterizedTest
    @CsvSource({
        "more, more",
        "--nothing, --nothing",
        "--insecure=no, --insecure",
        "--journal, --journal needs",
        "--assigned, --assigned",
        "--tls-ca x --insecure, --insecure",
        "--journal x --no-journal, --no-journal",
        "--patience long, seconds",
        "--patience -1, seconds",
        "--patience NaN, seconds",
        "--seat C, A or B",
        "--match 00, 32 hex digits",
    })
    void wrongUsageIsNamed(String more, String due) {
        UsageException error = assertThrows(UsageException.class, () -> parse(ONE_SEAT + more, TOKENS));
        assertTrue(error.getMessage().contains(due), error.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "--address host:1 --seat A --match 000102030405060708090a0b0c0d0e0f, UNODUO_SEAT_TOKEN",
        "--address host:1 --assigned, UNODUO_BOT_TOKEN",
        "--address host:1 --token-file t, --match",
        "--address host:1 --seat A --token-file t, --match",
        "--address host:1 --seat A --assigned --token-file t, --seat",
        "--assigned --token-file t, --address",
    })
    void whatIsMissingIsNamed(String line, String due) {
        UsageException error = assertThrows(UsageException.class, () -> parse(line, Map.of()));
        assertTrue(error.getMessage().contains(due), error.getMessage());
    }

    @Test
    void tokenHasOneLine() {
        assertThrows(UsageException.class, () -> parse(ONE_SEAT, Map.of("UNODUO_SEAT_TOKEN", "a\nb")));
    }

    @Test
    void tokenFileHoldsOneToken() throws IOException {
        Path path = folder.resolve("token");
        Files.writeString(path, " T\n");
        assertEquals("T", Arguments.readToken(path));
        for (String content : List.of("", "a\nb", "\u00ff")) {
            Files.write(path, content.getBytes(StandardCharsets.ISO_8859_1));
            assertThrows(ClientException.class, () -> Arguments.readToken(path), content);
        }
    }

    @Test
    void secretFileIsMadeOnceForItsOwnerAlone() throws IOException {
        Path path = folder.resolve("secret");
        ByteString first = Arguments.readSecret(path);
        assertEquals(32, first.size());
        assertEquals(first, Arguments.readSecret(path));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        Files.writeString(path, "short");
        assertThrows(ClientException.class, () -> Arguments.readSecret(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--token-file", "--secret-file", "--tls-ca"})
    void fileThatCannotBeReadIsNamed(String option) throws UsageException {
        Map<String, String> environment = option.equals("--token-file") ? Map.of() : TOKENS;
        Arguments arguments = parse(ONE_SEAT + option + " absent/file", environment);
        ClientException error = assertThrows(
                ClientException.class, () -> arguments.options().security().credentialsFor("host"));
        assertEquals("absent/file: no such file or directory", error.getMessage());
    }
}
