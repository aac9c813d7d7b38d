/** Messages as protobuf JSON, as in replays and vectors. */

import { type DescMessage, fromJsonString, type MessageShape } from "@bufbuild/protobuf";

/** Reads a message; fields, kinds and value names that this version does not know are skipped (PROTOCOL.md section 4). */
export function readJson<Schema extends DescMessage>(schema: Schema, text: string): MessageShape<Schema> {
  return fromJsonString(schema, text, { ignoreUnknownFields: true });
}
