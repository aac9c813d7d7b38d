/** Reads out of a gRPC status what the referee says, or what it means when the way to it fails. */

import { fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type Metadata, type StatusObject, status } from "@grpc/grpc-js";

import { SessionLost } from "./errors.js";
import { type ErrorInfo, ErrorInfoSchema, StatusSchema } from "./gen/google/rpc/status_pb.js";

const DETAILS_KEY = "grpc-status-details-bin";
const DOMAIN = "unoduo.v1";
// Reasons that may pass, beside those of code UNAVAILABLE.
const PASSING = new Set(["SLOW_READER", "TOO_MANY_CALLS", "INBOX_FULL", "TOO_MANY_MATCHES"]);
// Codes that the transport sets by itself.
const OF_THE_TRANSPORT = new Set([
  status.UNAVAILABLE,
  status.CANCELLED,
  status.INTERNAL,
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
]);
// What gRPC writes, what it means, and whether trying again may help.
const KNOWN: [RegExp, (address: string) => string, boolean][] = [
  [/ECONNREFUSED/, (address) => `nobody listens at ${address}`, true],
  [/altnames/, (address) => `the certificate of the referee at ${address} is for another name`, false],
  [
    /self-signed|unable to verify|unable to get .*issuer|certificate (has expired|is not yet valid)|SELF_SIGNED|CERT_/,
    (address) => `the certificate of the referee at ${address} is not trusted`,
    false,
  ],
  [/wrong version number|packet length too long/, (address) => `the referee at ${address} does not speak TLS`, false],
  [/ENOTFOUND|EAI_AGAIN|Name resolution failed/, (address) => `the name in ${address} is not known`, true],
  [
    /No connection established/,
    (address) => `no connection to ${address} comes about; perhaps the referee there speaks TLS`,
    true,
  ],
];

/** Returns the status of a session with the referee at that address, which has just ended, as an error. */
export function sessionLost(ended: StatusObject, address: string): SessionLost {
  const { code, details, metadata } = ended;
  if (code === status.OK) {
    return SessionLost.because(code, "the referee ended the session", true);
  }
  const info = errorInfo(metadata);
  if (info === undefined && OF_THE_TRANSPORT.has(code)) {
    const known = KNOWN.find(([sign]) => sign.test(details));
    const [, text, mayPass] = known ?? ["", () => `the connection to the referee at ${address} was lost`, true];
    return SessionLost.because(code, text(address), mayPass);
  }
  const reason = info?.reason ?? "";
  return new SessionLost({
    code,
    reason,
    field: info?.metadata.field ?? "",
    text: details || (status[code] ?? "the call failed"),
    mayPass: code === status.UNAVAILABLE || PASSING.has(reason),
    retryAfterMs: 0,
  });
}

/** Returns what the referee says about a status (PROTOCOL.md section 5), undefined if it says nothing. */
function errorInfo(metadata: Metadata): ErrorInfo | undefined {
  const [bytes] = metadata.get(DETAILS_KEY);
  if (!(bytes instanceof Buffer)) {
    return undefined;
  }
  try {
    const infos = fromBinary(StatusSchema, bytes).details.map((detail) => anyUnpack(detail, ErrorInfoSchema));
    return infos.find((info) => info?.domain === DOMAIN);
  } catch {
    return undefined; // no status of this referee
  }
}
