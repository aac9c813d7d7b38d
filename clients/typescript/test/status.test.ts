import assert from "node:assert/strict";
import { test } from "node:test";

import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Metadata, status } from "@grpc/grpc-js";

import { ErrorInfoSchema, StatusSchema } from "../src/gen/google/rpc/status_pb.js";
import { sessionLost } from "../src/status.js";

function lost(code: status, details: string, metadata = new Metadata()) {
  const { refusal, message } = sessionLost({ code, details, metadata }, "host:1");
  return { message, mayPass: refusal.mayPass };
}

/** Returns what a referee adds to a status. */
function told(reason: string, domain = "unoduo.v1"): Metadata {
  const info = create(ErrorInfoSchema, { reason, domain, metadata: { field: "join.head" } });
  const metadata = new Metadata();
  const details = toBinary(StatusSchema, create(StatusSchema, { details: [anyPack(ErrorInfoSchema, info)] }));
  metadata.set("grpc-status-details-bin", Buffer.from(details));
  return metadata;
}

test("what the transport means is told in a sentence, and whether it may pass", () => {
  const none = "No connection established. Last error: ";
  const meanings: [string, RegExp, boolean][] = [
    [`${none}Error: connect ECONNREFUSED 1.2.3.4:1`, /nobody listens at host:1/, true],
    [`${none}Error: Hostname/IP does not match certificate's altnames: Host: a.`, /for another name/, false],
    [`${none}Error: self-signed certificate`, /is not trusted/, false],
    [`${none}Error: unable to verify the first certificate`, /is not trusted/, false],
    [`${none}Error: certificate has expired`, /is not trusted/, false],
    [`${none}Error: C0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number`, /not speak TLS/, false],
    ["Name resolution failed for target dns:host:1", /the name in host:1 is not known/, true],
    [`${none}read ECONNRESET`, /perhaps the referee there speaks TLS/, true],
    ["Connection dropped", /the connection to the referee at host:1 was lost \(UNAVAILABLE\)/, true],
  ];
  for (const [details, message, mayPass] of meanings) {
    const meaning = lost(status.UNAVAILABLE, details);
    assert.match(meaning.message, message);
    assert.equal(meaning.mayPass, mayPass, details);
  }
});

test("what the referee says is told as it is", () => {
  const draining = lost(status.UNAVAILABLE, "it goes", told("DRAINING"));
  assert.deepEqual(draining, { message: "it goes (DRAINING in join.head)", mayPass: true });
  assert.equal(lost(status.RESOURCE_EXHAUSTED, "slow", told("SLOW_READER")).mayPass, true);
  assert.equal(lost(status.RESOURCE_EXHAUSTED, "large", told("MESSAGE_TOO_LARGE")).mayPass, false);
  assert.equal(lost(status.INTERNAL, "a bug", told("INTERNAL")).mayPass, false);
  assert.match(lost(status.UNIMPLEMENTED, "what?").message, /^what\? \(UNIMPLEMENTED\)$/);
});

test("what others say in its place is not taken for it", () => {
  assert.match(lost(status.UNAVAILABLE, "gone", told("DRAINING", "elsewhere")).message, /was lost/);
  const garbage = new Metadata();
  garbage.set("grpc-status-details-bin", Buffer.from([255, 255]));
  assert.match(lost(status.UNAVAILABLE, "gone", garbage).message, /was lost/);
});

test("a session that the referee ends may be opened again", () => {
  assert.equal(lost(status.OK, "").mayPass, true);
});
