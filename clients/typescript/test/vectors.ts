/** The language-neutral cases of proto/vectors. */

import { readFileSync } from "node:fs";

// From dist/test, where this runs.
const VECTORS = new URL("../../../../proto/vectors/", import.meta.url);

export function vectors<Vectors>(name: string): Vectors {
  return JSON.parse(readFileSync(new URL(name, VECTORS), "utf8")) as Vectors;
}

export function unhex(text: string): Uint8Array {
  return Buffer.from(text, "hex");
}
