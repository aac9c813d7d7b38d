/** What is said and heard about one seat, over as many connections as that takes. */

import { create } from "@bufbuild/protobuf";

import { Backoff } from "./backoff.js";
import type { Route } from "./connection.js";
import { Cursor } from "./cursor.js";
import { ClientError, ForkedError, JournalError, MatchOver, ProblemError, SeatDetached } from "./errors.js";
import { Lifecycle } from "./gen/unoduo/v1/match_pb.js";
import type { Observation } from "./gen/unoduo/v1/observation_pb.js";
import type { Seat } from "./gen/unoduo/v1/seat_pb.js";
import {
  type Delivery,
  type Detached,
  DetachedSchema,
  DetachReason,
  type Joined,
  JoinSchema,
  type Problem,
  type RequestItem,
  RequestItemSchema,
  type ResponseItem,
} from "./gen/unoduo/v1/session_pb.js";
import type { JournalWriter, Recorded } from "./journal.js";
import { Queue } from "./queue.js";

const JITTER = 0.25;
const LONGEST_TIMER_MS = 2 ** 31 - 1; // a longer one would run at once

/** Is what a conversation knows of a connection. */
export interface Line {
  open(route: Route): number;
  drop(handle: number): void;
  put(item: RequestItem): void;
}

/** Says which seat to take, and how. */
export interface Place {
  readonly matchId: Uint8Array;
  readonly seat: Seat;
  readonly seatToken: string;
  readonly delivery: Delivery;
}

/** Is what can be asked; `join` and `hello` are not for a conversation to ask. */
export type Said = Extract<RequestItem["kind"], { case: "ready" | "action" | "resign" | "leave" }>;
/** Is what comes under a handle. */
export type Heard = ResponseItem["kind"];

/** Is what waits for its answer; `times` counts how often it was sent. */
interface Question {
  readonly said: Said;
  readonly resolve: (answer: Heard) => void;
  readonly reject: (error: Error) => void;
  times: number;
}

/**
 * Says things about one seat, one question at a time, and sorts what comes back into answers and observations.
 *
 * A problem names only the handle, not the item that it answers; with a single open question it is clear which.
 *
 * A connection may be lost at any time. On the next one the seat is taken again behind the last event that was told, and
 * the open question is asked again, so that whoever asks or listens notices nothing. A conversation is over when the
 * match has ended, the seat was detached for good, the referee's log has become another one or the session is given up;
 * `closed` says why, and `onClosed` is told.
 */
export class Conversation {
  /** Is the answer to the first join. Fails with what `closed` says if there is none. */
  readonly joined: Promise<Joined>;
  /** Fails with what `closed` says, once it says anything. */
  readonly over: Promise<never>;
  closed: ClientError | undefined;
  readonly #place: Place;
  readonly #journal: JournalWriter | undefined;
  readonly #onClosed: () => void;
  readonly #observations = new Queue<Observation>();
  readonly #cursor = new Cursor();
  readonly #backoff = new Backoff();
  #admit: (joined: Joined) => void = () => {};
  #turnAway: (error: ClientError) => void = () => {};
  #finish: (error: ClientError) => void = () => {};
  #header: Uint8Array | undefined;
  #line: Line | undefined;
  #handle = 0;
  #isJoined = false;
  #timer: NodeJS.Timeout | undefined;
  #question: Question | undefined;
  #lastAnswer: Promise<unknown> = Promise.resolve();

  constructor(place: Place, journal: JournalWriter | undefined = undefined, onClosed: () => void = () => {}) {
    this.#place = place;
    this.#journal = journal;
    this.#onClosed = onClosed;
    this.joined = new Promise((resolve, reject) => {
      this.#admit = resolve;
      this.#turnAway = reject;
    });
    this.over = new Promise((_, reject) => {
      this.#finish = reject;
    });
    for (const promise of [this.joined, this.over]) {
      promise.catch(() => {}); // may be nobody's business
    }
  }

  /**
   * Says something and returns the answer, which has the kind that it must have.
   *
   * Throws ProblemError if the referee could not handle it, what `closed` says once the conversation is over, and
   * RangeError for what is too large for any request.
   */
  ask(said: Said): Promise<Heard> {
    const before = this.#lastAnswer;
    const answer = before.then(() => this.#ask(said));
    this.#lastAnswer = answer.catch(() => {});
    return answer;
  }

  /** Says something that ends the conversation and returns what `closed` then says. Throws ProblemError. */
  async finish(said: Said): Promise<ClientError> {
    try {
      await this.ask(said);
    } catch (error) {
      if (error !== this.closed) {
        throw error;
      }
    }
    return this.closed as ClientError;
  }

  /** Whether an observation has come that nobody has read. */
  get hasNews(): boolean {
    return !this.#observations.isEmpty;
  }

  /** Returns what the seat is told until the match has ended. Throws what `closed` says if it ended otherwise. */
  observations(): AsyncIterable<Observation> {
    return this.#observations;
  }

  // The connection

  /** Takes the seat over a connection. */
  attach(line: Line): void {
    this.#line = line;
    this.#isJoined = false;
    this.#handle = line.open((item) => this.deliver(item));
    const value = create(JoinSchema, { ...this.#place, ...this.#cursor.position });
    try {
      line.put(create(RequestItemSchema, { handle: this.#handle, kind: { case: "join", value } }));
    } catch (error) {
      this.close(new ClientError((error as Error).message));
    }
  }

  /** Learns that the connection is lost; the next one is taken by `attach`. */
  detach(): void {
    this.#line = undefined;
    this.#isJoined = false;
    this.#stopWaiting();
    if (this.#question?.said.case === "leave") {
      // A seat whose session is gone is left.
      this.close(new SeatDetached(create(DetachedSchema, { reason: DetachReason.LEFT })));
    }
  }

  /** Ends the conversation for this reason, unless it has ended already. */
  close(error: ClientError): void {
    if (this.closed !== undefined) {
      return;
    }
    this.closed = error;
    this.#stopWaiting();
    this.#journal?.close();
    this.#dropHandle();
    this.#turnAway(error);
    this.#finish(error);
    this.#question?.reject(error);
    this.#question = undefined;
    this.#observations.end(error instanceof MatchOver ? undefined : error);
    this.#onClosed();
  }

  // What the referee says

  /** Takes what the referee sent under the handle, and returns whether it brought anything new. */
  deliver(item: ResponseItem): boolean {
    if (this.closed !== undefined) {
      return false;
    }
    try {
      return this.#take(item.kind);
    } catch (error) {
      if (error instanceof JournalError) {
        return false; // it has closed the conversation
      }
      throw error;
    }
  }

  #take(heard: Heard): boolean {
    switch (heard.case) {
      case "observation":
        return this.#observe(heard.value);
      case "joined":
        this.#sit(heard.value);
        return false;
      case "problem":
        return this.#refused(heard.value);
      case "detached":
        return this.#letGo(heard.value);
      case "ended":
        this.#keep(heard);
        this.close(new MatchOver(heard.value));
        return true;
      case "readyAccepted":
      case "actionResult":
        return this.#answered(heard);
      default:
        return false; // a kind that it does not know, or that is not about a seat
    }
  }

  #observe(observation: Observation): boolean {
    if (!this.#cursor.take(observation)) {
      return false;
    }
    this.#backoff.reset();
    this.#keep({ case: "observation", value: observation });
    this.#observations.put(observation);
    if (this.#isJoined && this.#timer !== undefined) {
      // The match goes on; the decision of an action that waits may be closed by now.
      this.#repeat();
    }
    return true;
  }

  #sit(joined: Joined): void {
    if (this.#header === undefined) {
      this.#keep({ case: "joined", value: joined });
      this.#header = joined.header;
      this.#cursor.fromStart = joined.lifecycle === Lifecycle.CREATED;
      this.#admit(joined);
    } else if (Buffer.compare(joined.header, this.#header) !== 0) {
      this.#fork();
      return;
    }
    this.#isJoined = true;
    if (this.#question !== undefined && joined.lifecycle !== Lifecycle.ENDED) {
      this.#put(this.#question);
    } // Of a match that has ended nothing is left to be asked: Ended comes and answers everything.
  }

  #answered(heard: Extract<Heard, { case: "readyAccepted" | "actionResult" }>): boolean {
    const question = this.#question;
    if (question === undefined || !isAnswer(question.said, heard)) {
      return false;
    }
    this.#keep(heard);
    this.#question = undefined;
    question.resolve(heard);
    return true;
  }

  #refused(value: Problem): boolean {
    const problem = new ProblemError(value);
    const question = this.#question;
    const { mayPass, reason, retryAfterMs } = problem.refusal;
    const waitMs = retryAfterMs * (1 + JITTER * Math.random());
    if (reason === "DRAINING") {
      // The session is about to end. What was said is said again in the next one.
    } else if (!this.#isJoined && mayPass) {
      this.#wait(waitMs, () => this.#rejoin());
    } else if (!this.#isJoined && reason === "FORKED") {
      this.#fork();
    } else if (!this.#isJoined || question === undefined) {
      this.close(problem);
    } else if (mayPass) {
      this.#wait(waitMs, () => this.#repeat());
    } else if (question.times === 1 || reason !== "MATCH_ENDED") {
      this.#question = undefined;
      question.reject(problem);
      return true;
    } // Else it may have ended by this very question, asked before. Ended answers it.
    return false;
  }

  #letGo(detached: Detached): boolean {
    if (detached.reason !== DetachReason.MATCH_FROZEN) {
      this.close(new SeatDetached(detached));
      return true;
    }
    // What was under way under this handle is answered by problems that mean nothing any more.
    this.#dropHandle();
    this.#wait(this.#backoff.nextDelayMs(), () => this.#rejoin());
    return false;
  }

  #fork(): void {
    this.close(new ForkedError(this.#cursor.sequence, this.#journal?.path));
  }

  // What is said to the referee

  #ask(said: Said): Promise<Heard> {
    if (this.closed !== undefined) {
      throw this.closed;
    }
    return new Promise((resolve, reject) => {
      this.#question = { said, resolve, reject, times: 0 };
      if (this.#isJoined) {
        this.#put(this.#question);
      }
    });
  }

  #put(question: Question): void {
    try {
      this.#line?.put(create(RequestItemSchema, { handle: this.#handle, kind: question.said }));
    } catch (error) {
      this.#question = undefined;
      question.reject(error as Error);
      return;
    }
    question.times += 1;
    if (question.times === 1 && question.said.case !== "leave") {
      this.#keep(question.said);
    }
  }

  #repeat(): void {
    this.#stopWaiting();
    if (this.#question !== undefined) {
      this.#put(this.#question);
    }
  }

  #rejoin(): void {
    this.#stopWaiting();
    this.#dropHandle();
    if (this.#line !== undefined) {
      this.attach(this.#line);
    }
  }

  #dropHandle(): void {
    this.#isJoined = false;
    this.#line?.drop(this.#handle);
  }

  #wait(ms: number, then: () => void): void {
    this.#stopWaiting();
    this.#timer = setTimeout(then, Math.min(ms, LONGEST_TIMER_MS));
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #keep(record: Recorded): void {
    try {
      this.#journal?.record(record);
    } catch (error) {
      const failure = new JournalError(`the journal cannot be written: ${(error as Error).message}`, { cause: error });
      this.close(failure);
      throw failure;
    }
  }
}

function isAnswer(said: Said, heard: Heard): boolean {
  if (said.case === "action" && heard.case === "actionResult") {
    return said.value.decisionId === heard.value.decisionId && said.value.actionId === heard.value.actionId;
  }
  return said.case === "ready" && heard.case === "readyAccepted";
}
