/** A seat of one match, held by this client. */

import { create, fromBinary } from "@bufbuild/protobuf";

import type { Conversation } from "./conversation.js";
import { clientEntropy, DealGuard, headerHead } from "./deal.js";
import { type ClientError, EntropyMissing, MatchOver, SeatDetached } from "./errors.js";
import type { Action } from "./gen/unoduo/v1/action_pb.js";
import { type Header, HeaderSchema } from "./gen/unoduo/v1/log_pb.js";
import type { Decision, Observation, View } from "./gen/unoduo/v1/observation_pb.js";
import type { Seat } from "./gen/unoduo/v1/seat_pb.js";
import {
  type ActionResult,
  DetachReason,
  type Ended,
  type Joined,
  LeaveSchema,
  ReadySchema,
  ResignSchema,
  SubmittedActionSchema,
} from "./gen/unoduo/v1/session_pb.js";

/** Is an observation that asks the seat to decide; a view comes with every decision. */
export type Asking = Observation & { decision: Decision; view: View };

/**
 * Holds one seat. `Session.join` makes it; `playSeat` plays it.
 *
 * It outlives its connection: what comes is one gapless stream of observations, and what waits for an answer is asked
 * again on the next one. Every method may throw SessionLost, SeatDetached, MatchOver, EntropyMissing, ForkedError or
 * JournalError once that has happened, and ProblemError if the referee cannot handle what was said.
 */
export class SeatSession {
  readonly matchId: Uint8Array;
  readonly seat: Seat;
  readonly header: Header;
  readonly h0: Uint8Array;
  isReady = false;
  readonly #conversation: Conversation;
  readonly #secret: Uint8Array;
  readonly #guard: DealGuard;
  #decisionId = 0;
  #tries = 0;
  #closedDecisionId = 0;

  constructor(conversation: Conversation, joined: Joined, secret: Uint8Array) {
    this.matchId = joined.matchId;
    this.seat = joined.seat;
    this.header = fromBinary(HeaderSchema, joined.header);
    this.h0 = headerHead(joined.header);
    this.#conversation = conversation;
    this.#secret = secret;
    this.#guard = new DealGuard(joined, this.header.dealMode);
  }

  /** Returns how the match ended, undefined while it has not. */
  get ended(): Ended | undefined {
    const { closed } = this.#conversation;
    return closed instanceof MatchOver ? closed.ended : undefined;
  }

  /**
   * Declares the seat ready, in a fresh deal with entropy derived from the secret of the session.
   *
   * A program that may be restarted between this and the start of its match must keep its secret: the first entropy
   * counts (PROTOCOL.md section 8).
   */
  async ready(): Promise<void> {
    const entropy = this.#guard.wantsEntropy ? clientEntropy(this.#secret, this.h0) : new Uint8Array();
    this.#guard.sent = entropy;
    await this.#conversation.ask({ case: "ready", value: create(ReadySchema, { h0: this.h0, entropy }) });
    this.isReady = true;
  }

  /**
   * Returns what the seat learns until its match has ended; one reader may iterate over it.
   *
   * Throws EntropyMissing, here and in every later call, if the deal does not contain the entropy that was sent.
   */
  async *observations(): AsyncGenerator<Observation, void> {
    for await (const observation of this.#conversation.observations()) {
      try {
        this.#guard.check(observation);
      } catch (error) {
        if (error instanceof EntropyMissing) {
          this.#conversation.close(error);
        }
        throw error;
      }
      yield observation;
    }
  }

  /** Whether an observation has come that `observations` has not told yet. */
  get hasNews(): boolean {
    return this.#conversation.hasNews;
  }

  /** Returns what something comes to that takes its time. Throws why the seat is over if that happens before. */
  unlessOver<Value>(thinking: Value | Promise<Value>): Promise<Value> {
    return Promise.race([thinking, this.#conversation.over]);
  }

  /**
   * Returns whether an observation has a decision that this seat has not answered yet.
   *
   * After a restart of the referee the open decision is told again, perhaps while its answer is on the way.
   */
  isAsked(observation: Observation): observation is Asking {
    const { decision, view } = observation;
    return decision !== undefined && view !== undefined && decision.decisionId !== this.#closedDecisionId;
  }

  /** Answers a decision and returns the verdict: accepted, rejected or stale. Throws RangeError for a huge action. */
  async act({ decisionId }: Decision, action: Action): Promise<ActionResult> {
    this.#tries = decisionId === this.#decisionId ? this.#tries + 1 : 1;
    this.#decisionId = decisionId;
    const value = create(SubmittedActionSchema, { decisionId, actionId: String(this.#tries), action });
    const heard = await this.#conversation.ask({ case: "action", value });
    const result = heard.value as ActionResult; // nothing else answers an action
    if (result.verdict.case !== "rejected") {
      this.#closedDecisionId = decisionId;
    }
    return result;
  }

  /** Gives up the match and returns how it ended. */
  async resign(): Promise<Ended> {
    const closed = await this.#conversation.finish({ case: "resign", value: create(ResignSchema) });
    if (closed instanceof MatchOver) {
      return closed.ended;
    }
    throw closed;
  }

  /** Stops delivery for this seat. The match goes on and the clock of the seat with it. */
  async leave(): Promise<void> {
    const closed: ClientError = await this.#conversation.finish({ case: "leave", value: create(LeaveSchema) });
    if (!(closed instanceof SeatDetached && closed.reason === DetachReason.LEFT)) {
      throw closed;
    }
  }
}
