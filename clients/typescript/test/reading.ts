/** Reads journals back (PROTOCOL.md section 11). */

import assert from "node:assert/strict";

/** Returns the serialised records of a whole journal. */
export function readJournal(file: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(file);
  assert.ok(["UNODUOJ\x01", "UNODUOJ\x02"].includes(bytes.toString("latin1", 0, 8)));
  const records = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    assert.ok(end <= bytes.length);
    records.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return records;
}
