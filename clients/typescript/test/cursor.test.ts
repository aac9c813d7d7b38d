import assert from "node:assert/strict";
import { test } from "node:test";

import { create } from "@bufbuild/protobuf";

import { Cursor } from "../src/cursor.js";
import { type Observation, ObservationSchema } from "../src/gen/unoduo/v1/observation_pb.js";

function told(first: number, last: number, asks = false, caughtUp = true): Observation {
  const events = Array.from({ length: last - first + 1 }, (_, index) => ({ sequence: first + index }));
  const head = Uint8Array.of(last);
  return create(ObservationSchema, { events, sequence: last, head, caughtUp, ...(asks ? { decision: {} } : {}) });
}

test("nothing was told: there is nothing to resume behind", () => {
  const cursor = new Cursor();
  assert.equal(cursor.position, undefined);
  cursor.fromStart = true;
  assert.deepEqual(cursor.position, { afterSequence: 0, head: new Uint8Array() });
});

test("it resumes behind the last event, with the head there", () => {
  const cursor = new Cursor();
  assert.ok(cursor.take(told(1, 4)));
  assert.deepEqual(cursor.position, { afterSequence: 4, head: Uint8Array.of(4) });
});

test("events that were told are taken off", () => {
  const cursor = new Cursor();
  cursor.take(told(1, 4));
  const again = told(2, 6);
  assert.ok(cursor.take(again));
  assert.deepEqual(
    again.events.map((event) => event.sequence),
    [5, 6],
  );
  assert.equal(cursor.take(told(1, 6)), false);
  assert.equal(cursor.take(told(1, 3, true)), false);
});

test("at the same sequence only a decision, or the view behind history, is new", () => {
  const cursor = new Cursor();
  cursor.take(told(1, 4));
  assert.ok(cursor.take(told(5, 4, true)));
  assert.equal(cursor.take(told(5, 4, true)), false);
  assert.equal(cursor.take(told(5, 4)), false);
  cursor.take(told(5, 8, false, false));
  assert.ok(cursor.take(told(9, 8)));
  assert.equal(cursor.take(told(9, 8)), false);
});
