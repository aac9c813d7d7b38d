import assert from "node:assert/strict";
import { test } from "node:test";

import { create, toBinary } from "@bufbuild/protobuf";

import { PlayRequestSchema, type RequestItem, RequestItemSchema } from "../src/gen/unoduo/v1/session_pb.js";
import { Outbox } from "../src/outbox.js";

function item(handle: number, bytes = 0): RequestItem {
  return create(RequestItemSchema, { handle, kind: { case: "ready", value: { h0: new Uint8Array(bytes) } } });
}

test("what is ready goes out together, in order", () => {
  const outbox = new Outbox();
  assert.equal(outbox.nextRequest(), undefined);
  outbox.put(item(1));
  outbox.put(item(2));
  assert.deepEqual(
    outbox.nextRequest()?.items.map(({ handle }) => handle),
    [1, 2],
  );
  assert.equal(outbox.nextRequest(), undefined);
});

test("a request has no more items and bytes than it may", () => {
  const outbox = new Outbox();
  outbox.maxItems = 4;
  outbox.maxBytes = 1_000;
  for (let handle = 1; handle <= 5; handle++) {
    outbox.put(item(handle));
  }
  outbox.put(item(6, 900));
  outbox.put(item(7, 900));
  const requests = [1, 2, 3].map(() => outbox.nextRequest() ?? create(PlayRequestSchema));
  assert.deepEqual(
    requests.map(({ items }) => items.map(({ handle }) => handle)),
    [[1, 2, 3, 4], [5, 6], [7]],
  );
  assert.ok(requests.every((request) => toBinary(PlayRequestSchema, request).length <= 1_000));
});

test("an item that no request can hold is refused", () => {
  const outbox = new Outbox();
  assert.throws(() => outbox.put(item(1, 64 * 1024)), RangeError);
  assert.equal(outbox.nextRequest(), undefined);
});
