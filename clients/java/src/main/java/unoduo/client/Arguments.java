package unoduo.client;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import unoduo.v1.Seat;

/** What the arguments of a program and its environment say. */
final class Arguments {
    private static final String HELP = """
            usage: %s --address HOST:PORT (--match ID --seat A|B | --assigned) [OPTION ...]

            Plays one seat of a match of UNO Duo, or all matches assigned to a bot.

              --address HOST:PORT  where the referee listens
              --match ID           the match, 32 hex digits
              --seat A|B           the seat
              --assigned           play every match that is assigned to the bot whose token this is
              --token-file FILE    a file that holds the token, if the environment does not
              --tls-ca FILE        speak TLS and trust the certificates of this PEM file; without it plaintext is spoken on
                                   this machine, and to any other TLS with the certificates that Java trusts
              --insecure           speak plaintext to any machine
              --patience SECONDS   for how long to try to reach a referee that is not there, also at the beginning; without
                                   it not at the beginning, and 60 seconds later; 0: never again
              --journal FILE       keep what the seat sees and says in this new file, with --assigned in files of this
                                   directory; without it in a new file of unoduo/journals of XDG_STATE_HOME (~/.local/state)
              --no-journal         keep no journal, hence no evidence
              --secret-file FILE   the secret behind the bot's part in the deal, made if it is not there; keeps it over a
                                   restart
              --help               show this

            The token is that of the seat in UNODUO_SEAT_TOKEN, or with --assigned that of the bot in UNODUO_BOT_TOKEN.

            exit codes: 0 the match has ended, 1 it could not be played to its end, 2 wrong usage
            """;

    private static final Set<String> FLAGS = Set.of("--assigned", "--insecure", "--no-journal", "--help");
    private static final Set<String> SETTINGS = Set.of(
            "--address", "--match", "--seat", "--token-file", "--tls-ca", "--patience", "--journal", "--secret-file");

    private final Map<String, String> given;
    private final String token; // "" if it is in the token file

    private Arguments(Map<String, String> given, Map<String, String> environment) throws UsageException {
        this.given = given;
        String variable = isAssigned() ? "UNODUO_BOT_TOKEN" : "UNODUO_SEAT_TOKEN";
        this.token = environment.getOrDefault(variable, "");
        if (isHelp()) {
            return;
        }
        demand(given.containsKey("--address"), "--address is missing");
        boolean isNamed = given.containsKey("--match") && given.containsKey("--seat");
        boolean isHalfNamed = given.containsKey("--match") || given.containsKey("--seat");
        demand(isAssigned() ? !isHalfNamed : isNamed, "give either --match and --seat or --assigned");
        demand(
                !(given.containsKey("--tls-ca") && given.containsKey("--insecure")),
                "give --tls-ca or --insecure, not both");
        demand(
                !(given.containsKey("--journal") && given.containsKey("--no-journal")),
                "give --journal or --no-journal, not both");
        demand(
                !token.isEmpty() || given.containsKey("--token-file"),
                "no token: set " + variable + " or give --token-file");
        demand(token.isEmpty() || isToken(token), "the token in " + variable + " has characters that no token has");
        demand(isAssigned() || given.get("--match").matches("[0-9a-fA-F]{32}"), "a match id has 32 hex digits");
        demand(isAssigned() || given.get("--seat").matches("[AB]"), "a seat is A or B");
        demand(
                given.getOrDefault("--patience", "0").matches("\\d{1,9}(\\.\\d*)?|\\.\\d+"),
                "--patience: this is no number of seconds");
    }

    /** Reads arguments and the environment. Throws UsageException. */
    static Arguments parse(List<String> words, Map<String, String> environment) throws UsageException {
        Map<String, String> given = new HashMap<>();
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String[] word = rest.next().split("=", 2);
            if (FLAGS.contains(word[0]) && word.length == 1) {
                given.put(word[0], "");
            } else if (SETTINGS.contains(word[0])) {
                demand(word.length == 2 || rest.hasNext(), word[0] + " needs a value");
                given.put(word[0], word.length == 2 ? word[1] : rest.next());
            } else {
                throw new UsageException("unknown argument \"" + String.join("=", word) + "\"");
            }
        }
        return new Arguments(given, environment);
    }

    private static void demand(boolean condition, String otherwise) throws UsageException {
        if (!condition) {
            throw new UsageException(otherwise);
        }
    }

    static String help(String program) {
        return HELP.formatted(program);
    }

    boolean isHelp() {
        return given.containsKey("--help");
    }

    boolean isAssigned() {
        return given.containsKey("--assigned");
    }

    String address() {
        return given.get("--address");
    }

    /** Returns the place that is named, with this journal. */
    Place place(Path journal) {
        return new Place(matchId(), seat(), "", journal);
    }

    ByteString matchId() {
        return ByteString.copyFrom(HexFormat.of().parseHex(given.get("--match")));
    }

    Seat seat() {
        return given.get("--seat").equals("A") ? Seat.SEAT_A : Seat.SEAT_B;
    }

    /** Returns the file or directory for journals that is named, null if none is. */
    Path journal() {
        return given.containsKey("--journal") ? Path.of(given.get("--journal")) : null;
    }

    boolean isWithoutJournal() {
        return given.containsKey("--no-journal");
    }

    /** Returns how to speak to the referee. Throws ClientException for files that do not hold what they must. */
    Options options() {
        Options options = new Options().token(token.isEmpty() ? readToken(Path.of(given.get("--token-file"))) : token);
        if (given.containsKey("--tls-ca")) {
            options.security(Security.trusting(Path.of(given.get("--tls-ca"))));
        } else if (given.containsKey("--insecure")) {
            options.security(Security.plaintext());
        }
        if (given.containsKey("--patience")) {
            Duration patience = Duration.ofNanos((long) (1e9 * Double.parseDouble(given.get("--patience"))));
            options.patience(patience).startPatience(patience);
        }
        if (given.containsKey("--secret-file")) {
            options.secret(readSecret(Path.of(given.get("--secret-file"))));
        }
        return options;
    }

    private static boolean isToken(String text) {
        return text.matches("[ -~]+");
    }

    static String readToken(Path path) {
        try {
            String token = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1).strip();
            if (!isToken(token)) {
                throw new ClientException(path + " holds no token");
            }
            return token;
        } catch (IOException error) {
            throw new ClientException(FileErrors.words(error), error);
        }
    }

    /** Returns the secret kept in a file, and makes the file first if there is none. */
    static ByteString readSecret(Path path) {
        try {
            makeSecret(path);
            ByteString secret = ByteString.copyFrom(Files.readAllBytes(path));
            if (secret.size() < Options.SECRET_BYTES) {
                throw new ClientException(path + " holds no secret of at least " + Options.SECRET_BYTES + " bytes");
            }
            return secret;
        } catch (IOException error) {
            throw new ClientException(FileErrors.words(error), error);
        }
    }

    private static void makeSecret(Path path) throws IOException {
        Set<StandardOpenOption> isNew = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var file = Files.newByteChannel(path, isNew, PrivateFiles.forFile())) {
            file.write(Options.newSecret().asReadOnlyByteBuffer());
        } catch (FileAlreadyExistsException isThere) {
            return; // that is the one to read
        }
    }
}
