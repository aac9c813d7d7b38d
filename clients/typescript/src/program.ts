/** The main program of a bot: what its arguments say, and how it exits. */

import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

import { isToken, readToken, type Security } from "./channel.js";
import { ClientError, SessionLost, terminationName } from "./errors.js";
import { Seat } from "./gen/unoduo/v1/seat_pb.js";
import { Delivery, type Ended } from "./gen/unoduo/v1/session_pb.js";
import { defaultDirectory, newJournal } from "./journal.js";
import { type Bot, playSeat } from "./play.js";
import type { SeatSession } from "./seat.js";
import { connect, type Session } from "./session.js";

const SEAT_VARIABLE = "UNODUO_SEAT_TOKEN";
const BOT_VARIABLE = "UNODUO_BOT_TOKEN";
const SECRET_BYTES = 32;
const [FINISHED, FAILED, WRONG_USAGE] = [0, 1, 2];
const NAME = basename(process.argv[1] ?? "bot", ".js");

const HELP = `usage: ${NAME} --address HOST:PORT (--match ID --seat A|B | --assigned) [options]

Plays one seat of a match of UNO Duo, or all matches assigned to a bot.

  --address HOST:PORT   where the referee listens
  --match ID            the match, 32 hex digits
  --seat A|B            the seat
  --assigned            play every match that is assigned to the bot whose token this is
  --token-file FILE     a file that holds the token
  --tls-ca FILE         speak TLS and trust the certificates of this PEM file; without it plaintext is spoken on this
                        machine, and to any other TLS with the certificates that the system trusts
  --insecure            speak plaintext to any machine
  --patience SECONDS    how long to try to reach a referee that is not there, also at the beginning (default: not at the
                        beginning, 60 seconds later); 0: never again
  --journal FILE        keep what the seat sees and says in this new file; with --assigned, in files of this directory
                        (default: a new file for each match in unoduo/journals of XDG_STATE_HOME, that is
                        ~/.local/state)
  --no-journal          keep no journal, hence no evidence
  --secret-file FILE    the secret behind this bot's part in the deal, made if it is not there; keeps it over a restart
  --help                show this

The token is taken from the environment, that of a seat from ${SEAT_VARIABLE}, that of a bot (for --assigned) from
${BOT_VARIABLE}, or from --token-file.

exit codes: 0 the match has ended, 1 it could not be played to its end, 2 wrong usage
`;

/** Reports arguments that make no sense. */
class UsageError extends Error {}

/** Holds what the arguments say. */
interface Task {
  address: string;
  /** Undefined: whatever is assigned. */
  place: { matchId: Uint8Array; seat: Seat } | undefined;
  token: string;
  tls: Security;
  patience: number | undefined;
  /** The file or directory that was named. */
  journal: string | undefined;
  keepsJournal: boolean;
  secret: Uint8Array | undefined;
}

/**
 * Plays with a bot what the arguments of the process say, prints the results and exits.
 *
 * Exits with 0 when the match has ended, 1 when it could not be played to its end (one line on the error output says
 * why), 2 for wrong usage. An exception of the bot itself is not caught. With `--assigned` it plays all matches of a bot
 * until it is interrupted; one that fails costs a line and no other match.
 */
export async function run(bot: Bot): Promise<never> {
  process.noDeprecation = true; // gRPC names the server even if that is an address, and Node would say so on stderr
  process.once("SIGINT", () => {
    complain("interrupted");
    process.exit(FAILED);
  });
  try {
    const task = taskOf(process.argv.slice(2), process.env);
    await (task === undefined ? print(HELP) : perform(bot, task));
    return process.exit(FINISHED);
  } catch (error) {
    if (!(error instanceof UsageError) && !isExpected(error)) {
      throw error;
    }
    complain(error.message);
    return process.exit(error instanceof UsageError ? WRONG_USAGE : FAILED);
  }
}

/** Returns what arguments and environment say, undefined if help is asked for. Throws UsageError and what reading throws. */
export function taskOf(argv: string[], environment: NodeJS.ProcessEnv): Task | undefined {
  const given = parsed(argv);
  if (given.help) {
    return undefined;
  }
  demand(given.address !== undefined, "--address is missing");
  const isNamed = given.match !== undefined && given.seat !== undefined;
  demand(isNamed !== !!given.assigned, "give either --match and --seat or --assigned");
  demand(!given.assigned || (given.match ?? given.seat) === undefined, "give either --match and --seat or --assigned");
  demand(!(given["tls-ca"] && given.insecure), "give --tls-ca or --insecure, not both");
  demand(!(given.journal && given["no-journal"]), "give --journal or --no-journal, not both");
  const patience = given.patience === undefined ? undefined : Number(given.patience || "none");
  demand(patience === undefined || (patience >= 0 && patience < 1e9), "--patience: this is no number of seconds");
  const variable = given.assigned ? BOT_VARIABLE : SEAT_VARIABLE;
  const token = environment[variable];
  demand(token || given["token-file"], `no token: set ${variable} or give --token-file`);
  demand(!token || isToken(token), "the token has characters that no token has");
  return {
    address: given.address,
    place: given.assigned ? undefined : { matchId: matchId(given.match), seat: seatOf(given.seat) },
    token: token || readToken(given["token-file"] as string),
    tls: given.insecure ? false : given["tls-ca"] === undefined ? undefined : { ca: given["tls-ca"] },
    patience,
    journal: given.journal,
    keepsJournal: !given["no-journal"],
    secret: given["secret-file"] === undefined ? undefined : secretOf(given["secret-file"]),
  };
}

function parsed(argv: string[]) {
  const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
  try {
    return parseArgs({
      args: argv,
      options: {
        address: text,
        match: text,
        seat: text,
        assigned: flag,
        "token-file": text,
        "tls-ca": text,
        insecure: flag,
        patience: text,
        journal: text,
        "no-journal": flag,
        "secret-file": text,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function demand(condition: unknown, otherwise: string): asserts condition {
  if (!condition) {
    throw new UsageError(otherwise);
  }
}

function matchId(text: string | undefined): Uint8Array {
  demand(/^[0-9a-f]{32}$/i.test(text ?? ""), "--match: a match id has 32 hex digits");
  return Buffer.from(text as string, "hex");
}

function seatOf(text: string | undefined): Seat {
  demand(text === "A" || text === "B", "--seat: a seat is A or B");
  return Seat[text];
}

/** Plays and prints a line for each match that has ended. Throws ClientError, errors of the system and of the bot. */
async function perform(bot: Bot, task: Task): Promise<void> {
  const { token, tls, secret, patience } = task;
  const session = await connect(task.address, { token, tls, secret, patience });
  try {
    const journals = task.journal === undefined && task.keepsJournal ? journalsByDefault() : undefined;
    if (task.place === undefined) {
      await playAssigned(session, bot, task.journal ?? journals);
    } else {
      const { matchId, seat } = task.place;
      const journal = task.journal ?? (journals === undefined ? undefined : newJournal(journals, matchId, seat));
      await play(session, matchId, seat, bot, journal);
    }
  } finally {
    session.close();
  }
}

/** Returns where to keep journals that nobody asked for; a machine without such a place is told of and plays on. */
function journalsByDefault(): string | undefined {
  try {
    return defaultDirectory();
  } catch (error) {
    complain(`no journal is kept: ${(error as Error).message}`);
    return undefined;
  }
}

/** Plays every match that is assigned, at once, until the session is lost. Throws SessionLost. */
async function playAssigned(session: Session, bot: Bot, journals: string | undefined): Promise<void> {
  for await (const { matchId, seat } of session.assignments()) {
    const playing = async () => {
      const journal = journals === undefined ? undefined : newJournal(journals, matchId, seat);
      await play(session, matchId, seat, bot, journal);
    };
    void playing().catch((error: unknown) => {
      if (!isExpected(error)) {
        console.error(error);
      } else if (!(error instanceof SessionLost)) {
        // that is told once, for all matches
        complain(`match ${Buffer.from(matchId).toString("hex")}, seat ${Seat[seat]}: ${error.message}`);
      }
    });
  }
}

async function play(
  session: Session,
  matchId: Uint8Array,
  seat: Seat,
  bot: Bot,
  journal: string | undefined,
): Promise<void> {
  const held = await session.join(matchId, seat, { delivery: Delivery.ON_DECISION, journal });
  await print(`${result(held, await playSeat(held, bot))}\n`);
}

function result(held: SeatSession, { outcome }: Ended): string {
  const { winner, termination, totalA, totalB, rounds } = outcome ?? {};
  const verdict = winner === Seat.UNSPECIFIED ? "no winner" : winner === held.seat ? "won" : "lost";
  return (
    `match ${held.header.matchNumber}, seat ${Seat[held.seat]}: ${verdict} (${terminationName(termination)}),` +
    ` A ${totalA} : ${totalB} B after ${rounds} round${rounds === 1 ? "" : "s"}`
  );
}

/** Returns the secret kept in a file, and makes the file first if there is none. */
function secretOf(path: string): Uint8Array {
  try {
    writeFileSync(path, randomBytes(SECRET_BYTES), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
  }
  const secret = readFileSync(path);
  if (secret.length < SECRET_BYTES) {
    throw new ClientError(`${path} holds no secret of at least ${SECRET_BYTES} bytes`);
  }
  return secret;
}

/** Returns whether an error is worth a line: one of this library or of the system, not one of the bot. */
function isExpected(error: unknown): error is Error {
  return error instanceof ClientError || (error instanceof Error && "syscall" in error);
}

function complain(message: string): void {
  console.error(`${NAME}: ${message}`);
}

/** Prints, and waits for that: a process that exits would not. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}
