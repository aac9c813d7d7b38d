import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

import { fromBinary } from "@bufbuild/protobuf";

import { JournalRecordSchema } from "../src/gen/unoduo/v1/journal_pb.js";
import { Seat } from "../src/gen/unoduo/v1/seat_pb.js";
import { defaultDirectory, JournalWriter, newJournal } from "../src/journal.js";
import { readJournal } from "./reading.js";
import { unhex, vectors } from "./vectors.js";

const MATCH_ID = Uint8Array.from({ length: 16 }, (_, index) => index);
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "unoduo-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test("the reader of these tests reads journals as the vectors have them", () => {
  const { cases } = vectors<{ cases: { file: string; records: string[]; fault?: number }[] }>("log/journals.json");
  const whole = cases.filter(({ fault }) => fault === undefined);
  assert.ok(whole.length > 1);
  for (const { file, records } of whole) {
    assert.deepEqual(
      readJournal(unhex(file)).map((record) => Buffer.from(record).toString("hex")),
      records,
    );
  }
});

test("a journal holds its records, for its owner alone", () => {
  const path = join(folder, "a.journal");
  const writer = new JournalWriter(path);
  const joined = { $typeName: "unoduo.v1.Joined", header: MATCH_ID, matchId: MATCH_ID } as const;
  writer.record({ case: "joined", value: { ...joined, seat: Seat.B, lifecycle: 1, joinNumber: 4_294_967_295 } });
  writer.record({
    case: "readyAccepted",
    value: { $typeName: "unoduo.v1.ReadyAccepted", h0: MATCH_ID, entropy: MATCH_ID },
  });
  writer.close();
  assert.equal(readFileSync(path).toString("latin1", 0, 8), "UNODUOJ\x02");
  const kinds = readJournal(readFileSync(path)).map((record) => fromBinary(JournalRecordSchema, record).kind);
  assert.deepEqual(
    kinds.map((kind) => kind.case),
    ["joined", "readyAccepted"],
  );
  assert.equal(kinds[0]?.case === "joined" && kinds[0].value.joinNumber, 4_294_967_295);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("evidence is never overwritten", () => {
  const path = join(folder, "a.journal");
  writeFileSync(path, "evidence");
  assert.throws(() => new JournalWriter(path), /EEXIST/);
  assert.equal(readFileSync(path, "utf8"), "evidence");
});

test("a bot that was started again gets a new journal", () => {
  const directory = join(folder, "deep", "er");
  const names = [1, 2].map(() => {
    const path = newJournal(directory, MATCH_ID, Seat.B);
    writeFileSync(path, "");
    return path.slice(directory.length + 1);
  });
  const start = "000102030405060708090a0b0c0d0e0f-B";
  assert.deepEqual(names, [`${start}-1.journal`, `${start}-2.journal`]);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
});

test("journals are kept in the state of the user", () => {
  const before = process.env.XDG_STATE_HOME;
  try {
    process.env.XDG_STATE_HOME = folder;
    assert.equal(defaultDirectory(), join(folder, "unoduo", "journals"));
    assert.equal(statSync(join(folder, "unoduo", "journals")).mode & 0o777, 0o700);
    process.env.XDG_STATE_HOME = "relative";
    assert.throws(defaultDirectory, /no absolute path/);
  } finally {
    delete process.env.XDG_STATE_HOME;
    Object.assign(process.env, before === undefined ? {} : { XDG_STATE_HOME: before });
  }
});
