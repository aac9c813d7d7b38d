/** A session: any number of seats at one referee, over as many connections as that takes (PROTOCOL.md section 2). */

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { status } from "@grpc/grpc-js";

import { Backoff } from "./backoff.js";
import { opener, type Security } from "./channel.js";
import { Connection } from "./connection.js";
import { Conversation } from "./conversation.js";
import { MatchOver, SessionLost } from "./errors.js";
import type { Seat } from "./gen/unoduo/v1/seat_pb.js";
import { type Assigned, Delivery } from "./gen/unoduo/v1/session_pb.js";
import { JournalWriter } from "./journal.js";
import { Queue } from "./queue.js";
import { SeatSession } from "./seat.js";

const PATIENCE_S = 60;
const ANSWER_MS = 20_000;
const SECRET_BYTES = 32;

/** Says how to open a session. */
export interface SessionOptions {
  /** Names the caller; not needed if each join brings the token of its seat. */
  token?: string | undefined;
  /** By default plaintext on this machine and TLS to any other. */
  tls?: Security;
  /** Is what entropy is derived from; by default 32 random bytes. */
  secret?: Uint8Array | undefined;
  /**
   * For how many seconds to try to reach a referee that does not answer, also at the beginning. By default the beginning
   * must succeed at once, and what is lost later is tried again for 60 seconds. 0: never again.
   */
  patience?: number | undefined;
  /** Introduces the program, 1 to 64 characters. */
  client?: string;
}

/** Says how to take a seat. */
export interface JoinOptions {
  /** The token of the seat, if that of the session does not cover it. */
  token?: string | undefined;
  /** By default every entry; ON_DECISION sends observations only when the seat must decide. */
  delivery?: Delivery;
  /** A new file for what the seat sees and says. */
  journal?: string | undefined;
}

/**
 * Opens a session with the referee at `host:port`; close it at the end.
 *
 * A connection that is lost is replaced, and seats are resumed where they were, until that has failed for the patience
 * of the session. A match that stands still at a referee that answers is waited for without end.
 *
 * Throws SessionLost if there is no referee or it refuses the token or the client, or the error of the system if the
 * certificates cannot be read.
 */
export async function connect(address: string, options: SessionOptions = {}): Promise<Session> {
  const session = new Session(address, options);
  await session.open();
  return session;
}

/** Carries the conversations of any number of seats; `connect` makes it. */
export class Session {
  readonly #dial: (limitMs: number) => Promise<Connection>;
  readonly #secret: Uint8Array;
  readonly #firstPatienceMs: number;
  readonly #patienceMs: number;
  readonly #backoff = new Backoff();
  readonly #conversations = new Set<Conversation>();
  readonly #assignments = new Queue<Assigned>();
  readonly #assigned = new Set<string>();
  readonly #closing = new AbortController();
  #connection: Connection | undefined;
  #lost: SessionLost | undefined;

  constructor(address: string, options: SessionOptions) {
    const { token, tls, secret, patience, client = "unoduo-client typescript" } = options;
    const open = opener(address, tls);
    this.#dial = (limitMs) => {
      const connection = new Connection(address, open(), token, (assigned) => this.#assign(assigned));
      return greeted(connection, client, address, limitMs);
    };
    this.#secret = secret ?? randomBytes(SECRET_BYTES);
    this.#firstPatienceMs = 1_000 * (patience ?? 0);
    this.#patienceMs = 1_000 * (patience ?? PATIENCE_S);
  }

  /** Opens the first connection. Throws SessionLost. */
  async open(): Promise<void> {
    const deadline = performance.now() + this.#firstPatienceMs;
    let connection: Connection;
    try {
      connection = await this.#dial(ANSWER_MS);
    } catch (error) {
      connection = await this.#dialAgain(asLost(error), this.#firstPatienceMs, deadline);
    }
    this.#connection = connection;
    void this.#supervise(connection);
  }

  /**
   * Takes a seat of a match, whose id has 16 bytes.
   *
   * Throws ProblemError if the referee refuses, SessionLost, the error of the system if the journal cannot be created.
   */
  async join(matchId: Uint8Array, seat: Seat, options: JoinOptions = {}): Promise<SeatSession> {
    if (this.#lost !== undefined) {
      throw this.#lost;
    }
    const { token = "", delivery = Delivery.EVERY_ENTRY, journal } = options;
    const writer = journal === undefined ? undefined : new JournalWriter(journal);
    const conversation = new Conversation({ matchId, seat, seatToken: token, delivery }, writer, () => {
      this.#conversations.delete(conversation);
      if (conversation.closed instanceof MatchOver) {
        // An assignment to a match that is over is not told again.
        this.#assigned.delete(seatKey(matchId, seat));
      }
    });
    this.#conversations.add(conversation);
    if (this.#connection !== undefined) {
      conversation.attach(this.#connection);
    }
    return new SeatSession(conversation, await conversation.joined, this.#secret);
  }

  /**
   * Returns each seat that the bot of this session's token has in an unfinished match, and each new one, once; one
   * reader may iterate over it. Throws SessionLost when the session has ended.
   *
   * An assignment has `matchId`, `seat` and `botSeed`, a seed for the bot's own dice, and is joined without a token.
   */
  assignments(): AsyncIterable<Assigned> {
    return this.#assignments;
  }

  /** Ends the session: every seat on it is left, and no match ends by that. */
  close(): void {
    this.#lose(SessionLost.because(status.CANCELLED, "the session was closed"));
  }

  /** Replaces lost connections until one cannot be replaced. */
  async #supervise(first: Connection): Promise<void> {
    let connection = first;
    let deadline: number | undefined;
    try {
      for (;;) {
        const lost = await connection.lost;
        this.#connection = undefined;
        for (const conversation of [...this.#conversations]) {
          conversation.detach();
        }
        connection.close();
        if (deadline === undefined || connection.wasFruitful()) {
          this.#backoff.reset();
          deadline = performance.now() + this.#patienceMs;
        }
        connection = await this.#dialAgain(lost, this.#patienceMs, deadline);
        if (this.#lost !== undefined) {
          connection.close();
          return;
        }
        this.#connection = connection;
        for (const conversation of [...this.#conversations]) {
          conversation.attach(connection);
        }
      }
    } catch (error) {
      this.#lose(asLost(error));
    }
  }

  /**
   * Returns a connection in place of one that was lost, or never came about.
   *
   * Tries until `deadline`, by which the patience will have been lost. Throws SessionLost then, or at once for what does
   * not pass.
   */
  async #dialAgain(first: SessionLost, patienceMs: number, deadline: number): Promise<Connection> {
    let lost = first;
    const leftMs = () => deadline - performance.now();
    while (lost.refusal.mayPass && leftMs() > 0) {
      await sleep(Math.min(this.#backoff.nextDelayMs(), leftMs()), undefined, { signal: this.#closing.signal });
      try {
        return await this.#dial(Math.min(ANSWER_MS, leftMs()));
      } catch (error) {
        if (leftMs() > 0) {
          lost = asLost(error); // else it says no more than that the time is over
        }
      }
    }
    if (lost.refusal.mayPass && patienceMs > 0) {
      const text = `no session with the referee for ${patienceMs / 1_000} seconds: ${lost.refusal.text}`;
      throw new SessionLost({ ...lost.refusal, text });
    }
    throw lost;
  }

  /** Takes an assignment; on each connection the referee tells them all again. */
  #assign(assigned: Assigned): void {
    const key = seatKey(assigned.matchId, assigned.seat);
    if (!this.#assigned.has(key)) {
      this.#assigned.add(key);
      this.#assignments.put(assigned);
    }
  }

  #lose(lost: SessionLost): void {
    if (this.#lost !== undefined) {
      return;
    }
    this.#lost = lost;
    this.#closing.abort();
    for (const conversation of [...this.#conversations]) {
      conversation.close(lost);
    }
    this.#assignments.end(lost);
    this.#connection?.close();
  }
}

/** Returns the connection when the referee has answered on it; one that does not answer is given up. */
async function greeted(connection: Connection, client: string, address: string, limitMs: number): Promise<Connection> {
  const silence = SessionLost.because(status.DEADLINE_EXCEEDED, `the referee at ${address} does not answer`, true);
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(silence), limitMs);
  });
  try {
    await Promise.race([connection.greet(client), tooLong]);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function seatKey(matchId: Uint8Array, seat: Seat): string {
  return `${Buffer.from(matchId).toString("hex")} ${seat}`;
}

/** Returns the error of a lost session; any other is one of this client, and nobody may wait for ever because of it. */
function asLost(error: unknown): SessionLost {
  if (error instanceof SessionLost) {
    return error;
  }
  const lost = SessionLost.because(status.INTERNAL, `the client failed: ${error}`);
  lost.cause = error;
  return lost;
}
