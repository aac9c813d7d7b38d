import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";

import type { Route } from "../src/connection.js";
import { Conversation, type Line, type Said } from "../src/conversation.js";
import { ForkedError, JournalError, MatchOver, ProblemError, SeatDetached } from "../src/errors.js";
import { JournalRecordSchema } from "../src/gen/unoduo/v1/journal_pb.js";
import { Lifecycle } from "../src/gen/unoduo/v1/match_pb.js";
import { Seat } from "../src/gen/unoduo/v1/seat_pb.js";
import {
  Delivery,
  DetachReason,
  EndedSchema,
  LeaveSchema,
  ReadySchema,
  type RequestItem,
  ResignSchema,
  type ResponseItem,
  ResponseItemSchema,
  SubmittedActionSchema,
} from "../src/gen/unoduo/v1/session_pb.js";
import { JournalWriter } from "../src/journal.js";
import { readJournal } from "./reading.js";

type Kind = NonNullable<MessageInitShape<typeof ResponseItemSchema>["kind"]>;

const HEADER = Uint8Array.of(1);
const PLACE = { matchId: new Uint8Array(16), seat: Seat.A, seatToken: "token", delivery: Delivery.ON_DECISION };
const READY: Said = { case: "ready", value: create(ReadySchema) };
const FROZEN = problem(status.UNAVAILABLE, "MATCH_FROZEN", 1);

/** Is a connection that keeps what it is to send. */
class Wire implements Line {
  readonly sent: RequestItem[] = [];
  readonly #routes = new Map<number, Route>();

  open(route: Route): number {
    this.#routes.set(this.#routes.size + 1, route);
    return this.#routes.size;
  }

  drop(handle: number): void {
    this.#routes.set(handle, () => false);
  }

  put(item: RequestItem): void {
    if (item.kind.case === "action" && item.kind.value.actionId === "huge") {
      throw new RangeError("too large");
    }
    this.sent.push(item);
  }

  /** Brings what the referee says, under the newest handle. */
  bring(...kinds: Kind[]): boolean[] {
    return kinds.map((kind) => {
      const item: ResponseItem = create(ResponseItemSchema, { handle: this.#routes.size, kind });
      return this.#routes.get(item.handle)?.(item) ?? false;
    });
  }

  get kinds(): (string | undefined)[] {
    return this.sent.map((item) => item.kind.case);
  }
}

function joined(lifecycle = Lifecycle.CREATED, header = HEADER): Kind {
  return { case: "joined", value: { header, lifecycle } };
}

function observed(last: number, asks = false): Kind {
  const events = [{ sequence: last }];
  const decision = asks ? { decision: { decisionId: last } } : {};
  return {
    case: "observation",
    value: { events, sequence: last, head: Uint8Array.of(last), caughtUp: true, ...decision },
  };
}

function problem(code: status, reason: string, retryAfterMs = 0): Kind {
  return { case: "problem", value: { code, reason, message: "no", retryAfterMs } };
}

function action(decisionId: number, actionId = "1"): Said {
  return { case: "action", value: create(SubmittedActionSchema, { decisionId, actionId }) };
}

function accepted(decisionId: number, actionId = "1"): Kind {
  return { case: "actionResult", value: { decisionId, actionId, verdict: { case: "accepted", value: {} } } };
}

/** Returns a conversation that has taken its seat. */
function seated(): { conversation: Conversation; wire: Wire } {
  const [conversation, wire] = [new Conversation(PLACE), new Wire()];
  conversation.attach(wire);
  wire.bring(joined());
  return { conversation, wire };
}

/** Waits until what was asked is on the wire, and timers of a millisecond have run. */
function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

test("it joins without history, and then behind the last event with the head there", () => {
  const [conversation, first, second] = [new Conversation(PLACE), new Wire(), new Wire()];
  conversation.attach(first);
  const { kind } = first.sent[0] as RequestItem;
  assert.ok(kind.case === "join");
  assert.deepEqual([kind.value.seatToken, kind.value.delivery], ["token", Delivery.ON_DECISION]);
  assert.equal(kind.value.afterSequence, undefined);
  assert.deepEqual(first.bring(joined(), observed(4)), [false, true]);
  conversation.detach();
  conversation.attach(second);
  const again = (second.sent[0] as RequestItem).kind;
  assert.ok(again.case === "join");
  assert.equal(again.value.afterSequence, 4);
  assert.deepEqual(again.value.head, Uint8Array.of(4));
});

test("a match that has not begun is resumed from its start", () => {
  const { conversation } = seated();
  const next = new Wire();
  conversation.attach(next);
  assert.ok(next.sent[0]?.kind.case === "join");
  assert.equal(next.sent[0].kind.value.afterSequence, 0);
});

test("observations come once each, over two connections", async () => {
  const { conversation, wire } = seated();
  wire.bring(observed(4), observed(4));
  const next = new Wire();
  conversation.attach(next);
  next.bring(joined(Lifecycle.PLAYING), observed(4), observed(6), { case: "ended", value: { sequence: 6 } });
  const told = [];
  for await (const { sequence } of conversation.observations()) {
    told.push(sequence);
  }
  assert.deepEqual(told, [4, 6]);
  assert.ok(conversation.closed instanceof MatchOver);
});

test("what was not answered is asked again with the same id", async () => {
  const { conversation, wire } = seated();
  const answer = conversation.ask(action(4_294_967_295));
  await soon();
  conversation.detach();
  const next = new Wire();
  conversation.attach(next);
  assert.deepEqual(next.kinds, ["join"]);
  next.bring(joined(Lifecycle.PLAYING));
  assert.deepEqual(next.sent[1]?.kind, wire.sent[1]?.kind);
  assert.deepEqual(next.bring(accepted(4_294_967_295, "2"), accepted(1), accepted(4_294_967_295)), [
    false,
    false,
    true,
  ]);
  const heard = await answer;
  assert.ok(heard.case === "actionResult" && heard.value.verdict.case === "accepted");
});

test("one question waits for the other", async () => {
  const { conversation, wire } = seated();
  const answers = [conversation.ask(READY), conversation.ask(action(1))];
  await soon();
  assert.deepEqual(wire.kinds, ["join", "ready"]);
  wire.bring({ case: "readyAccepted", value: {} });
  await soon();
  assert.deepEqual(wire.kinds, ["join", "ready", "action"]);
  wire.bring(accepted(1));
  assert.deepEqual(
    (await Promise.all(answers)).map((answer) => answer.case),
    ["readyAccepted", "actionResult"],
  );
});

test("what cannot be taken now is said again, and so is a join", async () => {
  const { conversation, wire } = seated();
  const answer = conversation.ask(READY);
  await soon();
  wire.bring(FROZEN);
  assert.deepEqual(wire.kinds, ["join", "ready"]);
  await soon();
  assert.deepEqual(wire.kinds, ["join", "ready", "ready"]);
  wire.bring({ case: "readyAccepted", value: {} });
  await answer;
  const next = new Wire();
  conversation.attach(next);
  next.bring(FROZEN);
  await soon();
  assert.deepEqual(next.kinds, ["join", "join"]);
  assert.equal(next.sent[1]?.handle, 2);
});

test("what a referee that goes down turns away is said again on the next connection", async () => {
  const { conversation, wire } = seated();
  const answer = conversation.ask(action(1));
  await soon();
  wire.bring(problem(status.UNAVAILABLE, "DRAINING"));
  const next = new Wire();
  conversation.attach(next);
  next.bring(joined());
  assert.deepEqual(next.kinds, ["join", "action"]);
  conversation.close(new JournalError("the test is over"));
  await assert.rejects(answer);
});

test("news make it say again at once what had to wait", async () => {
  const { conversation, wire } = seated();
  conversation.ask(action(1)).catch(() => {});
  await soon();
  wire.bring(problem(status.UNAVAILABLE, "MATCH_FROZEN", 60_000), observed(4));
  assert.deepEqual(wire.kinds, ["join", "action", "action"]);
  conversation.close(new JournalError("the test is over"));
});

test("a seat of a match that stands still is taken again", async () => {
  const { conversation, wire } = seated();
  wire.bring({ case: "detached", value: { reason: DetachReason.MATCH_FROZEN } });
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.deepEqual(wire.kinds, ["join", "join"]);
  assert.equal(conversation.closed, undefined);
});

test("a seat that another session took, or whose token was revoked, is never taken again", async () => {
  for (const reason of [DetachReason.REPLACED, DetachReason.TOKEN_REVOKED, 99 as DetachReason]) {
    let told = 0;
    const conversation = new Conversation(PLACE, undefined, () => told++);
    const wire = new Wire();
    conversation.attach(wire);
    wire.bring(joined(), { case: "detached", value: { reason } });
    assert.ok(conversation.closed instanceof SeatDetached);
    await assert.rejects(conversation.ask(READY), SeatDetached);
    await assert.rejects(conversation.observations()[Symbol.asyncIterator]().next(), SeatDetached);
    assert.deepEqual([wire.kinds, told], [["join"], 1]);
  }
});

test("a log that is another one is not played", () => {
  const resumed = () => {
    const { conversation, wire } = seated();
    wire.bring(observed(4));
    const next = new Wire();
    conversation.attach(next);
    return { conversation, next };
  };
  const refused = resumed();
  refused.next.bring(problem(status.DATA_LOSS, "FORKED"));
  const changed = resumed();
  changed.next.bring(joined(Lifecycle.PLAYING, Uint8Array.of(2)));
  for (const { conversation } of [refused, changed]) {
    assert.ok(conversation.closed instanceof ForkedError);
    assert.equal(conversation.closed.sequence, 4);
  }
});

test("a join that is refused is told, and an item that is refused ends nothing", async () => {
  const [refused, wire] = [new Conversation(PLACE), new Wire()];
  refused.attach(wire);
  wire.bring(problem(status.PERMISSION_DENIED, "NOT_YOURS"));
  await assert.rejects(
    refused.joined,
    (error) => error instanceof ProblemError && error.refusal.reason === "NOT_YOURS",
  );
  const sat = seated();
  const answer = sat.conversation.ask(action(1));
  await soon();
  sat.wire.bring(problem(status.INVALID_ARGUMENT, "FIELD_INVALID"));
  await assert.rejects(answer, ProblemError);
  assert.equal(sat.conversation.closed, undefined);
  await assert.rejects(sat.conversation.ask(action(1, "huge")), RangeError);
});

test("giving up ends the match, also when it had to be said twice", async () => {
  const { conversation } = seated();
  const giving = conversation.finish({ case: "resign", value: create(ResignSchema) });
  await soon();
  conversation.detach();
  const next = new Wire();
  conversation.attach(next);
  next.bring(joined(Lifecycle.PLAYING), problem(status.FAILED_PRECONDITION, "MATCH_ENDED"));
  assert.equal(conversation.closed, undefined);
  next.bring({ case: "ended", value: {} });
  assert.ok((await giving) instanceof MatchOver);
});

test("what does not pass is not said again", async () => {
  const problems = [problem(status.UNAVAILABLE, "MATCH_FROZEN"), problem(status.INVALID_ARGUMENT, "FIELD_INVALID", 1)];
  for (const refused of problems) {
    const { conversation, wire } = seated();
    const answer = conversation.ask(READY);
    await soon();
    wire.bring(refused);
    await assert.rejects(answer, ProblemError);
    assert.deepEqual(wire.kinds, ["join", "ready"]);
  }
});

test("a seat is left when its session is gone", async () => {
  const { conversation } = seated();
  const leaving = conversation.finish({ case: "leave", value: create(LeaveSchema) });
  await soon();
  conversation.detach();
  assert.match((await leaving).message, /LEFT/);
});

test("the journal has what was heard and said, each once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "unoduo-"));
  try {
    const journal = new JournalWriter(join(folder, "a.journal"));
    const [conversation, wire, next] = [new Conversation(PLACE, journal), new Wire(), new Wire()];
    conversation.attach(wire);
    wire.bring(joined(), observed(3, true));
    const answer = conversation.ask(action(3));
    await soon();
    conversation.attach(next);
    next.bring(joined(Lifecycle.PLAYING), observed(3, true), accepted(3), { case: "ended", value: {} });
    await answer;
    const kinds = readJournal(readFileSync(journal.path)).map((record) => fromBinary(JournalRecordSchema, record).kind);
    assert.deepEqual(
      kinds.map((kind) => kind.case),
      ["joined", "observation", "action", "actionResult", "ended"],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the journal has once that the seat gave up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "unoduo-"));
  try {
    const journal = new JournalWriter(join(folder, "a.journal"));
    const [conversation, wire, next] = [new Conversation(PLACE, journal), new Wire(), new Wire()];
    conversation.attach(wire);
    wire.bring(joined());
    const giving = conversation.finish({ case: "resign", value: create(ResignSchema) });
    await soon();
    conversation.attach(next);
    next.bring(joined(Lifecycle.PLAYING), { case: "ended", value: {} });
    await giving;
    assert.deepEqual(wire.kinds, ["join", "resign"]);
    assert.deepEqual(next.kinds, ["join", "resign"]);
    const kinds = readJournal(readFileSync(journal.path)).map((record) => fromBinary(JournalRecordSchema, record).kind);
    assert.deepEqual(
      kinds.map((kind) => kind.case),
      ["joined", "resign", "ended"],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the longest wait that a referee can ask for is no short one", async () => {
  const { conversation, wire } = seated();
  void conversation.ask(action(3)).catch(() => {});
  await soon();
  wire.bring(problem(status.UNAVAILABLE, "MATCH_FROZEN", 2 ** 32 - 1));
  await soon();
  assert.deepEqual(wire.kinds, ["join", "action"]);
  conversation.close(new MatchOver(create(EndedSchema)));
});

test("a seat without evidence does not play on", () => {
  const folder = mkdtempSync(join(tmpdir(), "unoduo-"));
  const journal = new JournalWriter(join(folder, "a.journal"));
  const [conversation, wire] = [new Conversation(PLACE, journal), new Wire()];
  conversation.attach(wire);
  journal.record = () => {
    throw new Error("no space left");
  };
  assert.deepEqual(wire.bring(joined()), [false]);
  assert.ok(conversation.closed instanceof JournalError);
  rmSync(folder, { recursive: true });
});
