/** The journal of a seat: what it saw and said, kept as evidence (PROTOCOL.md section 11). */

import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

import { create, toBinary } from "@bufbuild/protobuf";

import { ClientError } from "./errors.js";
import { type JournalRecord, JournalRecordSchema } from "./gen/unoduo/v1/journal_pb.js";
import { Seat } from "./gen/unoduo/v1/seat_pb.js";

const HEAD = Buffer.from("UNODUOJ\x02", "latin1");

/** Is what a record can hold, named as the items of a session are. */
export type Recorded = JournalRecord["kind"];

/**
 * Writes a new journal, each record in one write: a killed client leaves at most a torn last record.
 *
 * Its owner alone can read the file, for it holds the hand of the seat while the match is played.
 */
export class JournalWriter {
  readonly path: string;
  readonly #file: number;

  /** Creates the file. Throws the error of the system, EEXIST rather than to overwrite evidence. */
  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, "wx", 0o600);
    this.#write(HEAD);
  }

  /** Writes a record. Throws the error of the system. */
  record(kind: Recorded): void {
    const data = toBinary(JournalRecordSchema, create(JournalRecordSchema, { kind }));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    this.#write(Buffer.concat([length, data]));
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(bytes: Uint8Array): void {
    const written = writeSync(this.#file, bytes);
    if (written < bytes.length) {
      throw new Error(`only ${written} of ${bytes.length} bytes were written to ${this.path}`);
    }
  }
}

/**
 * Returns where programs keep journals unless they are told where: `unoduo/journals` in XDG_STATE_HOME, by default
 * `~/.local/state`. It is made, for its owner alone. Throws an error if that cannot be done.
 */
export function defaultDirectory(): string {
  const state = process.env.XDG_STATE_HOME || join(homedir(), ".local", "state");
  if (!isAbsolute(state)) {
    throw new ClientError(`${state} is no absolute path`);
  }
  const directory = join(state, "unoduo", "journals");
  mkdirSync(directory, { mode: 0o700, recursive: true });
  accessSync(directory, constants.W_OK | constants.X_OK);
  return directory;
}

/** Returns a file that is not there yet: a bot that was started again writes another one. */
export function newJournal(directory: string, matchId: Uint8Array, seat: Seat): string {
  mkdirSync(directory, { mode: 0o700, recursive: true });
  const start = join(directory, `${Buffer.from(matchId).toString("hex")}-${Seat[seat]}`);
  for (let number = 1; ; number++) {
    const path = `${start}-${number}.journal`;
    if (!existsSync(path)) {
      return path;
    }
  }
}
