import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Seat } from "../src/gen/unoduo/v1/seat_pb.js";
import { taskOf } from "../src/program.js";

const ID = "000102030405060708090a0b0c0d0e0f";
const SEAT = `--address host:1 --match ${ID} --seat B`.split(" ");
const TOKEN = { UNODUO_SEAT_TOKEN: "seat", UNODUO_BOT_TOKEN: "bot" };

function inFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "unoduo-"));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a seat is named by match and letter", () => {
  const task = taskOf(SEAT, TOKEN);
  assert.deepEqual(
    { ...task, place: task?.place?.seat },
    {
      address: "host:1",
      place: Seat.B,
      token: "seat",
      tls: undefined,
      patience: undefined,
      journal: undefined,
      keepsJournal: true,
      secret: undefined,
    },
  );
  assert.equal(Buffer.from(task?.place?.matchId ?? []).toString("hex"), ID);
});

test("options are taken as they are", () => {
  const task = taskOf([...SEAT, "--insecure", "--patience", "2.5", "--no-journal"], TOKEN);
  assert.deepEqual([task?.tls, task?.patience, task?.keepsJournal], [false, 2.5, false]);
  const other = taskOf([...SEAT, "--tls-ca", "ca.pem", "--journal", "a.journal", "--patience", "0"], TOKEN);
  assert.deepEqual([other?.tls, other?.journal, other?.patience], [{ ca: "ca.pem" }, "a.journal", 0]);
  const assigned = taskOf(["--address", "host:1", "--assigned"], TOKEN);
  assert.deepEqual([assigned?.place, assigned?.token], [undefined, "bot"]);
  assert.equal(taskOf(["--help"], {}), undefined);
});

test("the environment goes before the file of a token", () => {
  inFolder((folder) => {
    const file = join(folder, "token");
    writeFileSync(file, " from a file\n");
    const arguments_ = [...SEAT, "--token-file", file];
    assert.equal(taskOf(arguments_, TOKEN)?.token, "seat");
    assert.equal(taskOf(arguments_, {})?.token, "from a file");
    writeFileSync(file, "\n");
    assert.throws(() => taskOf(arguments_, {}), /holds no token/);
  });
});

test("a secret is made once, for its owner alone", () => {
  inFolder((folder) => {
    const file = join(folder, "secret");
    const [one, other] = [1, 2].map(() => taskOf([...SEAT, "--secret-file", file], TOKEN)?.secret);
    assert.deepEqual(one, other);
    assert.deepEqual(one, readFileSync(file));
    assert.equal(one?.length, 32);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    writeFileSync(file, "short");
    assert.throws(() => taskOf([...SEAT, "--secret-file", file], TOKEN), /holds no secret/);
  });
});

test("wrong usage is told", () => {
  const wrong: [string[], RegExp][] = [
    [SEAT.slice(2), /--address is missing/],
    [SEAT.slice(0, 4), /either --match and --seat or --assigned/],
    [[...SEAT, "--assigned"], /either --match and --seat or --assigned/],
    [[...SEAT.slice(0, 4), "--assigned"], /either --match and --seat or --assigned/],
    [[...SEAT, "--seat", "C"], /a seat is A or B/],
    [[...SEAT, "--match", "12"], /32 hex digits/],
    [[...SEAT, "--patience", "-1"], /patience/],
    [[...SEAT, "--patience="], /no number of seconds/],
    [[...SEAT, "--patience", "long"], /no number of seconds/],
    [[...SEAT, "--insecure", "--tls-ca", "ca.pem"], /not both/],
    [[...SEAT, "--journal", "a", "--no-journal"], /not both/],
    [[...SEAT, "--unheard-of"], /--unheard-of/],
    [[...SEAT, "superfluous"], /superfluous/],
  ];
  for (const [argv, message] of wrong) {
    assert.throws(() => taskOf(argv, TOKEN), message);
  }
  assert.throws(() => taskOf(SEAT, {}), /no token: set UNODUO_SEAT_TOKEN/);
  assert.throws(() => taskOf(["--address", "host:1", "--assigned"], {}), /no token: set UNODUO_BOT_TOKEN/);
  assert.throws(() => taskOf(SEAT, { UNODUO_SEAT_TOKEN: "a\nb" }), /characters that no token has/);
});
