/** What can go wrong between a bot and its referee, one class a cause; errors carry data, the message is for people. */

import { status } from "@grpc/grpc-js";
import { Termination } from "./gen/unoduo/v1/outcome_pb.js";
import { type Detached, DetachReason, type Ended, type Problem } from "./gen/unoduo/v1/session_pb.js";

/** Is the base of all errors of this library. */
export class ClientError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** Holds what a referee says, or the transport in its place, about something that it refuses. */
export interface Refusal {
  /** The gRPC status. */
  code: status;
  /** The stable name of PROTOCOL.md section 5; empty if the status came from the transport. */
  reason: string;
  /** The field that is wrong, empty if none. */
  field: string;
  /** A sentence for people. */
  text: string;
  /** Whether trying again may help. */
  mayPass: boolean;
  /** Milliseconds to wait before that, 0 if the referee did not say. */
  retryAfterMs: number;
}

/** Reports something that the referee refused. */
export class RefereeError extends ClientError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    const where = refusal.field === "" ? "" : ` in ${refusal.field}`;
    super(`${refusal.text} (${refusal.reason || status[refusal.code]}${where})`);
    this.refusal = refusal;
  }
}

/** Reports an item of a session that the referee could not handle; the session goes on. */
export class ProblemError extends RefereeError {
  constructor(problem: Problem) {
    const passing = problem.code === status.UNAVAILABLE || problem.code === status.RESOURCE_EXHAUSTED;
    super({
      code: problem.code in status ? problem.code : status.UNKNOWN,
      reason: problem.reason,
      field: problem.field,
      text: problem.message,
      mayPass: passing && problem.retryAfterMs > 0,
      retryAfterMs: problem.retryAfterMs,
    });
  }
}

/** Reports that the whole session ended; every seat on it throws the same error. */
export class SessionLost extends RefereeError {
  /** Makes one that no referee told of. */
  static because(code: status, text: string, mayPass = false): SessionLost {
    return new SessionLost({ code, reason: "", field: "", text, mayPass, retryAfterMs: 0 });
  }
}

/** Reports that nothing can be said any more because the match has ended. */
export class MatchOver extends ClientError {
  constructor(readonly ended: Ended) {
    super(`the match has ended: ${terminationName(ended.outcome?.termination)}`);
  }
}

/** Reports that delivery for a seat has ended while its match goes on. After REPLACED do not join again by yourself. */
export class SeatDetached extends ClientError {
  readonly reason: DetachReason;

  constructor(detached: Detached) {
    const texts: Partial<Record<DetachReason, string>> = {
      [DetachReason.REPLACED]: "another session took the seat",
      [DetachReason.TOKEN_REVOKED]: "the token of the seat was replaced",
    };
    const name = DetachReason[detached.reason] ?? detached.reason;
    super(`${texts[detached.reason] ?? "the referee let go of the seat"} (${name})`);
    this.reason = detached.reason;
  }
}

/** Reports that the log of the referee is another one than what it told this seat: do not play on. */
export class ForkedError extends ClientError {
  /** `sequence` is the last event that the seat was told, `journal` the file that proves it. */
  constructor(
    readonly sequence: number,
    readonly journal: string | undefined,
  ) {
    const proof = journal === undefined ? "no journal was kept" : `the proof is in ${journal}`;
    super(`the referee's log is not what it told this seat up to event ${sequence}; ${proof}`);
  }
}

/** Reports a deal that does not contain the entropy of this seat as it was sent (PROTOCOL.md section 8). */
export class EntropyMissing extends ClientError {
  /** `sealed` is what the deal has, undefined if play began without one. */
  constructor(
    readonly sent: Uint8Array,
    readonly sealed: Uint8Array | undefined,
  ) {
    const used = sealed === undefined ? "no deal was shown" : `the deal has ${hexOf(sealed)}`;
    super(`the deal is not to be trusted: this seat sent entropy ${hexOf(sent)}, ${used}`);
  }
}

/** Reports a journal that cannot be written any more; a seat without evidence does not play on. */
export class JournalError extends ClientError {}

/** Reports a bot that gave no legal action. */
export class BotError extends ClientError {}

/** Returns the name of a termination; of one that this version does not know the number. */
export function terminationName(termination: Termination = Termination.UNSPECIFIED): string {
  return Termination[termination] ?? String(termination);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex") || "none";
}
