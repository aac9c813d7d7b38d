import assert from "node:assert/strict";
import { test } from "node:test";

import { Backoff } from "../src/backoff.js";

test("waits grow up to the longest, at random, and begin anew", (context) => {
  context.mock.method(Math, "random", () => 0.5);
  const backoff = new Backoff(100, 350);
  const delays = () => [1, 2, 3, 4].map(() => backoff.nextDelayMs());
  assert.deepEqual(delays(), [50, 100, 175, 175]);
  backoff.reset();
  assert.deepEqual(delays(), [50, 100, 175, 175]);
});
