import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { bearer, opener } from "../src/channel.js";
import { connect } from "../src/session.js";
import { type Peer, scripted } from "./scripted.js";

async function greet(peer: Peer): Promise<void> {
  await peer.greet();
}

test("plaintext is spoken on this machine, TLS if told so", async () => {
  await scripted(async (address) => (await connect(address)).close(), greet);
  await scripted(async (address) => (await connect(address.replace("127.0.0.1", "localhost"))).close(), greet);
  await scripted(async (address) => {
    await assert.rejects(connect(address, { tls: {} }), /does not speak TLS/);
  });
});

test("TLS is spoken to any other machine, with the certificates that the system trusts", () => {
  const before = process.env.SSL_CERT_FILE;
  try {
    process.env.SSL_CERT_FILE = "/absent/roots.pem";
    for (const address of ["example.org:1", "192.0.2.1:1", "[2001:db8::1]:1", "127.example.org:1"]) {
      assert.throws(() => opener(address, undefined), /ENOENT/);
      opener(address, false);
    }
    for (const address of ["localhost:1", "127.1.2.3:1", "[::1]:1"]) {
      opener(address, undefined);
      assert.throws(() => opener(address, {}), /ENOENT/);
    }
  } finally {
    delete process.env.SSL_CERT_FILE;
    Object.assign(process.env, before === undefined ? {} : { SSL_CERT_FILE: before });
  }
});

test("a file without certificates is told", () => {
  const folder = mkdtempSync(join(tmpdir(), "unoduo-"));
  try {
    const ca = join(folder, "ca.pem");
    writeFileSync(ca, "junk");
    assert.throws(() => opener("localhost:1", { ca }), /ca.pem holds no certificate/);
    assert.throws(() => opener("localhost:1", { ca: join(folder, "absent") }), /ENOENT/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the token names the caller", () => {
  assert.deepEqual(bearer("abc").get("authorization"), ["Bearer abc"]);
  assert.deepEqual(bearer(undefined).get("authorization"), []);
});
