package unoduo.client;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import unoduo.v1.Assigned;
import unoduo.v1.Seat;

/** The whole program around a bot. */
public final class Program {
    private static final int FINISHED = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private final String name;
    private final Function<ByteString, Bot> makeBot;
    private volatile boolean isExiting;

    private Program(String name, Function<ByteString, Bot> makeBot) {
        this.name = name;
        this.makeBot = makeBot;
    }

    /**
     * Plays what the arguments say, prints a line for each match that has ended, and exits with 0, with 1 if the match
     * could not be played to its end or the program was interrupted (a line on the error output says why), or with 2
     * for wrong usage. With {@code --assigned} it plays all matches of a bot until it is interrupted.
     *
     * @param makeBot makes the bot of a match; it is given 32 bytes as a seed for the dice of an assigned match, none
     *     for a match that the arguments name
     */
    public static void run(String name, String[] words, Function<ByteString, Bot> makeBot) {
        GRPC.setLevel(Level.OFF); // what matters is told by errors
        new Program(name, makeBot).run(words);
    }

    private void run(String[] words) {
        Runtime.getRuntime().addShutdownHook(new Thread(this::interrupted));
        int code = FAILED;
        try {
            perform(Arguments.parse(List.of(words), System.getenv()));
            code = FINISHED;
        } catch (UsageException error) {
            complain(error.getMessage() + "; see --help");
            code = MISUSED;
        } catch (ClientException error) {
            complain(error.getMessage());
        } catch (InterruptedException error) {
            complain("interrupted");
        }
        isExiting = true;
        System.exit(code);
    }

    /** Says at a signal what an interrupted program says, and how it exits. */
    private void interrupted() {
        if (!isExiting) {
            complain("interrupted");
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private void complain(String message) {
        System.err.println(name + ": " + message);
    }

    private void perform(Arguments arguments) throws InterruptedException {
        if (arguments.isHelp()) {
            System.out.print(Arguments.help(name));
            return;
        }
        try (Session session = Session.connect(arguments.address(), arguments.options())) {
            Path usual = usualJournals(arguments);
            if (arguments.isAssigned()) {
                playAssigned(session, usual == null ? arguments.journal() : usual);
            } else {
                playOne(session, arguments, usual);
            }
        }
    }

    private void playOne(Session session, Arguments arguments, Path usual) {
        Path journal = usual == null ? arguments.journal() : Journal.free(usual, arguments.matchId(), arguments.seat());
        try {
            System.out.println(session.play(arguments.place(journal), makeBot.apply(ByteString.EMPTY))
                    .join());
        } catch (CompletionException error) {
            throw (ClientException) error.getCause();
        }
    }

    /** Plays every match that is assigned, at once, until the session ends. */
    private void playAssigned(Session session, Path journals) throws InterruptedException {
        while (true) {
            Assigned assigned = session.nextAssigned();
            String match = HexFormat.of().formatHex(assigned.getMatchId().toByteArray());
            String where = "match " + match + ", seat " + MatchResult.letter(assigned.getSeat()) + ": ";
            try {
                play(session, assigned, journals).whenComplete((result, error) -> {
                    if (error == null) {
                        System.out.println(result);
                    } else if (session.error().isEmpty()) { // that is told once, for all matches
                        complain(where + error.getMessage());
                    }
                });
            } catch (JournalException error) {
                complain(where + error.getMessage());
            }
        }
    }

    private java.util.concurrent.CompletableFuture<MatchResult> play(
            Session session, Assigned assigned, Path journals) {
        ByteString match = assigned.getMatchId();
        Seat seat = assigned.getSeat();
        Path journal = journals == null ? null : Journal.free(journals, match, seat);
        return session.play(new Place(match, seat, "", journal), makeBot.apply(assigned.getBotSeed()));
    }

    /** Returns where to keep journals that nobody asked for, or null: a machine without such a place plays on. */
    private Path usualJournals(Arguments arguments) {
        if (arguments.isWithoutJournal() || arguments.journal() != null) {
            return null;
        }
        try {
            return Journal.usualDirectory(System.getenv("XDG_STATE_HOME"));
        } catch (IOException error) {
            complain("no journal is kept: " + FileErrors.words(error));
            return null;
        }
    }
}
