import assert from "node:assert/strict";
import { test } from "node:test";

import { create } from "@bufbuild/protobuf";

import { clientEntropy, DealGuard, headerHead } from "../src/deal.js";
import { EntropyMissing } from "../src/errors.js";
import { DealMode, Lifecycle } from "../src/gen/unoduo/v1/match_pb.js";
import { type Observation, ObservationSchema } from "../src/gen/unoduo/v1/observation_pb.js";
import { Seat } from "../src/gen/unoduo/v1/seat_pb.js";
import { JoinedSchema } from "../src/gen/unoduo/v1/session_pb.js";
import { unhex, vectors } from "./vectors.js";

const MINE = Uint8Array.of(1, 2, 3);
const OTHERS = Uint8Array.of(4, 5);

function sealed(entropy1: Uint8Array, entropy2: Uint8Array): Observation {
  const kind = { case: "dealSealed" as const, value: { entropy1, entropy2 } };
  return create(ObservationSchema, { events: [{ sequence: 1, event: { kind } }], decision: {} });
}

function guard(seat: Seat, mode = DealMode.FRESH, lifecycle = Lifecycle.CREATED): DealGuard {
  const made = new DealGuard(create(JoinedSchema, { seat, lifecycle }), mode);
  made.sent = MINE;
  return made;
}

test("h0 is as the vectors have it", () => {
  const { cases } = vectors<{ cases: { header: string; h0: string }[] }>("log/heads.json");
  assert.ok(cases.length > 0);
  for (const { header, h0 } of cases) {
    assert.deepEqual(Buffer.from(headerHead(unhex(header))), Buffer.from(unhex(h0)));
  }
});

test("entropy has 32 bytes that depend on secret and header alone", () => {
  const [secret, h0] = [new Uint8Array(32), headerHead(MINE)];
  assert.equal(clientEntropy(secret, h0).length, 32);
  assert.deepEqual(clientEntropy(secret, h0), clientEntropy(secret, h0));
  assert.notDeepEqual(clientEntropy(secret, h0), clientEntropy(secret, headerHead(OTHERS)));
  assert.notDeepEqual(clientEntropy(secret, h0), clientEntropy(new Uint8Array(32).fill(1), h0));
});

test("a deal with the entropy of the seat is played", () => {
  guard(Seat.A).check(sealed(MINE, OTHERS));
  guard(Seat.B).check(sealed(OTHERS, MINE));
});

test("a deal without it is not", () => {
  assert.throws(() => guard(Seat.A).check(sealed(OTHERS, MINE)), EntropyMissing);
  assert.throws(() => guard(Seat.B).check(sealed(MINE, OTHERS)), EntropyMissing);
  assert.throws(() => guard(Seat.A).check(sealed(new Uint8Array(), OTHERS)), /the deal has none/);
});

test("play without any deal is refused, and news before it is not", () => {
  const waiting = guard(Seat.A);
  waiting.check(create(ObservationSchema, {}));
  assert.throws(() => waiting.check(create(ObservationSchema, { decision: {} })), /no deal was shown/);
});

test("a deal that takes no entropy, or was shown to an earlier session, is let pass", () => {
  guard(Seat.A, DealMode.SHARED).check(sealed(OTHERS, OTHERS));
  guard(Seat.A, DealMode.GIVEN).check(sealed(OTHERS, OTHERS));
  guard(Seat.A, DealMode.FRESH, Lifecycle.PLAYING).check(create(ObservationSchema, { decision: {} }));
  assert.equal(guard(Seat.A, DealMode.SHARED).wantsEntropy, false);
});
