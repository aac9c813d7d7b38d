import assert from "node:assert/strict";
import { test } from "node:test";

import { create } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";

import { BotError, EntropyMissing, MatchOver, ProblemError, SeatDetached, SessionLost } from "../src/errors.js";
import { ActionSchema } from "../src/gen/unoduo/v1/action_pb.js";
import { DealMode, Lifecycle } from "../src/gen/unoduo/v1/match_pb.js";
import { Seat } from "../src/gen/unoduo/v1/seat_pb.js";
import { Delivery, DetachReason, RejectionReason } from "../src/gen/unoduo/v1/session_pb.js";
import { type Bot, playSeat } from "../src/play.js";
import { connect, type Session, type SessionOptions } from "../src/session.js";
import { MATCH_ID, type Peer, scripted, serving } from "./scripted.js";

const DRAW = create(ActionSchema, { kind: { case: "draw", value: {} } });

async function inSession(
  address: string,
  options: SessionOptions,
  use: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await connect(address, options);
  try {
    await use(session);
  } finally {
    session.close();
  }
}

/** Returns what plays seat A of the match with a bot. */
function playing(bot: Bot, options: SessionOptions = {}) {
  return (address: string) =>
    inSession(address, options, async (session) => {
      const seat = await session.join(MATCH_ID, Seat.A, { token: "seat", delivery: Delivery.ON_DECISION });
      const ended = await playSeat(seat, bot);
      assert.deepEqual(seat.ended, ended);
    });
}

async function begin(peer: Peer): Promise<void> {
  await peer.greet();
  await peer.seat();
  await peer.getReady();
}

test("a match is played, with the token of the caller and that of the seat", async () => {
  const asked: number[] = [];
  const bot: Bot = ({ decision }) => {
    asked.push(decision.decisionId);
    return decision.legal[0] ?? DRAW;
  };
  await scripted(playing(bot, { token: "caller" }), async (peer) => {
    assert.equal(peer.token, "Bearer caller");
    await peer.greet();
    const join = await peer.seat();
    assert.deepEqual([join.seatToken, join.delivery, join.seat], ["seat", Delivery.ON_DECISION, Seat.A]);
    assert.equal((await peer.getReady()).entropy.length, 0); // the deal is given
    for (const decisionId of [5, 9]) {
      peer.ask(decisionId);
      const { actionId, action } = await peer.accept();
      assert.deepEqual([actionId, action?.kind.case], ["1", "draw"]);
    }
    peer.endMatch();
  });
  assert.deepEqual(asked, [5, 9]);
});

test("a fresh deal has the entropy of the seat, derived from its secret, or is not played", async () => {
  const given: Uint8Array[] = [];
  const sealing = (entropy: (mine: Uint8Array) => Uint8Array) => async (peer: Peer) => {
    await peer.greet();
    await peer.seat(Lifecycle.CREATED, DealMode.FRESH);
    const mine = (await peer.getReady()).entropy;
    given.push(mine);
    const event = { kind: { case: "dealSealed" as const, value: { entropy1: entropy(mine) } } };
    peer.say({
      handle: 1,
      kind: { case: "observation", value: { events: [{ sequence: 1, event }], sequence: 1, caughtUp: true } },
    });
    peer.endMatch();
  };
  const options = { secret: new Uint8Array(32).fill(7) };
  await scripted(
    playing(() => DRAW, options),
    sealing((mine) => mine),
  );
  await scripted(
    (address) =>
      inSession(address, options, async (session) => {
        const seat = await session.join(MATCH_ID, Seat.A);
        await assert.rejects(
          playSeat(seat, () => DRAW),
          EntropyMissing,
        );
        await assert.rejects(seat.resign(), EntropyMissing); // nothing is said to such a referee any more
      }),
    sealing(() => new Uint8Array(32)),
  );
  assert.equal(given[0]?.length, 32);
  assert.deepEqual(given[0], given[1]);
});

test("a rejected action is asked for again, under another id, with fewer tries", async (context) => {
  const warned = context.mock.method(console, "warn", () => {});
  const tries: number[] = [];
  const bot: Bot = ({ decision }) => {
    tries.push(decision.triesLeft);
    return DRAW;
  };
  const reject = async (peer: Peer, triesLeft: number) => {
    const { decisionId, actionId } = await peer.hear("action");
    const value = { reason: RejectionReason.WRONG_PHASE, clause: "R13.2", message: "not now", triesLeft };
    peer.say({
      handle: 1,
      kind: { case: "actionResult", value: { decisionId, actionId, verdict: { case: "rejected", value } } },
    });
    return actionId;
  };
  const play = scripted(playing(bot), async (peer) => {
    await begin(peer);
    peer.ask(5);
    assert.deepEqual([await reject(peer, 1), await reject(peer, 0)], ["1", "2"]);
  });
  await assert.rejects(
    play,
    (error) => error instanceof BotError && /WRONG_PHASE \(R13.2\): not now/.test(error.message),
  );
  assert.deepEqual(tries, [2, 1]);
  assert.equal(warned.mock.callCount(), 1);
});

test("a stale action is gone on from", async () => {
  await scripted(
    playing(() => DRAW),
    async (peer) => {
      await begin(peer);
      peer.ask(5);
      const { decisionId, actionId } = await peer.hear("action");
      const verdict = { case: "stale" as const, value: {} };
      peer.say({ handle: 1, kind: { case: "actionResult", value: { decisionId, actionId, verdict } } });
      peer.ask(9);
      await peer.accept();
      peer.endMatch();
    },
  );
});

test("a bot is told every event once, and asked for the open decision alone", async () => {
  const told: [number, number[]][] = [];
  const bot: Bot = ({ decision, events }) => {
    told.push([decision.decisionId, events.map(({ sequence }) => sequence)]);
    return DRAW;
  };
  const news = (sequence: number, decisionId?: number) => ({
    handle: 1,
    kind: {
      case: "observation" as const,
      value: {
        events: [{ sequence }],
        sequence,
        ...(decisionId === undefined ? {} : { caughtUp: true, view: {}, decision: { decisionId, legal: [DRAW] } }),
      },
    },
  });
  await scripted(playing(bot), async (peer) => {
    await begin(peer);
    peer.say(news(1), news(2), news(3, 3), news(4, 4), news(5, 5));
    await peer.accept();
    peer.say(news(6, 6), news(7, 7));
    await peer.accept();
    peer.endMatch();
  });
  assert.deepEqual(told, [
    [5, [1, 2, 3, 4, 5]],
    [7, [6, 7]],
  ]);
});

test("a bot that thinks for ever does not keep its match from ending", async () => {
  let hasThought: () => void = () => {};
  const thought = new Promise<void>((resolve) => {
    hasThought = resolve;
  });
  const bot: Bot = () => {
    hasThought();
    return new Promise(() => {});
  };
  await scripted(playing(bot), async (peer) => {
    await begin(peer);
    peer.ask(5);
    await thought;
    peer.endMatch();
  });
});

test("a bot that returns no action is told so, and what it throws is passed on", async () => {
  const script = async (peer: Peer) => {
    await begin(peer);
    peer.ask(5);
  };
  await assert.rejects(scripted(playing((() => undefined) as unknown as Bot), script), BotError);
  const failing: Bot = () => {
    throw new TypeError("of the bot");
  };
  await assert.rejects(scripted(playing(failing), script), /of the bot/);
});

/** Asks for a decision and goes away before it is answered. */
async function drain(peer: Peer): Promise<void> {
  await begin(peer);
  peer.ask(5);
  await peer.hear("action");
  peer.refuse(status.UNAVAILABLE, "DRAINING");
}

test("a session that ends is opened again, and what was not answered is said again", async () => {
  let asked = 0;
  const bot: Bot = () => {
    asked += 1;
    return DRAW;
  };
  await scripted(playing(bot), drain, async (peer) => {
    await peer.greet();
    const join = await peer.seat(Lifecycle.PLAYING);
    assert.deepEqual([join.afterSequence, ...join.head], [5, 5]);
    peer.ask(5, 6); // the referee was started again: another event, the same decision
    const { decisionId, actionId } = await peer.accept();
    assert.deepEqual([decisionId, actionId], [5, "1"]);
    peer.endMatch();
  });
  assert.equal(asked, 1);
});

test("a session that ends for what does not pass is lost", async () => {
  const failing = scripted(
    playing(() => DRAW),
    drain,
    async (peer) => {
      await peer.hear("hello");
      peer.refuse(status.INTERNAL, "INTERNAL");
    },
  );
  await assert.rejects(failing, (error) => error instanceof SessionLost && error.refusal.reason === "INTERNAL");
});

test("patience ends", async () => {
  const gone = async (peer: Peer) => {
    await begin(peer);
    peer.refuse(status.UNAVAILABLE, "DRAINING");
  };
  const drop = async (peer: Peer) => {
    await peer.greet();
    peer.refuse(status.UNAVAILABLE, "DRAINING");
  };
  await assert.rejects(
    scripted(
      playing(() => DRAW, { patience: 0 }),
      gone,
    ),
    /DRAINING/,
  );
  const lasting = connect("127.0.0.1:1", { patience: 0.3 });
  await assert.rejects(lasting, /no session with the referee for 0.3 seconds: nobody listens at 127.0.0.1:1/);
  let sessions = 0;
  const failing = serving(
    playing(() => DRAW, { patience: 0.5 }),
    () => {
      sessions += 1;
      return sessions === 1 ? gone : drop;
    },
  );
  await assert.rejects(failing, /no session with the referee for 0.5 seconds: no \(DRAINING/);
  assert.ok(sessions > 2);
  await assert.rejects(connect("127.0.0.1:1"), /^SessionLost: nobody listens at 127.0.0.1:1 \(UNAVAILABLE\)$/);
});

test("a token that nobody has is not tried again", async () => {
  const connecting = (address: string) => inSession(address, { patience: 60, token: "x" }, async () => {});
  const session = scripted(connecting, async (peer) => {
    await peer.hear("hello");
    peer.refuse(status.UNAUTHENTICATED, "TOKEN_UNKNOWN");
  });
  await assert.rejects(session, /TOKEN_UNKNOWN in authorization/);
});

test("a protocol that the referee does not speak is not tried again", async () => {
  const connecting = (address: string) => inSession(address, { patience: 60 }, async () => {});
  const session = scripted(connecting, async (peer) => {
    await peer.hear("hello");
    const value = { code: status.FAILED_PRECONDITION, reason: "PROTOCOL_UNSUPPORTED", message: "no" };
    peer.say({ kind: { case: "problem", value } });
  });
  await assert.rejects(session, /PROTOCOL_UNSUPPORTED/);
});

test("assigned seats are told once each, over all connections", async () => {
  const assign = (peer: Peer, ...seats: Seat[]) => {
    for (const seat of seats) {
      peer.say({ kind: { case: "assigned", value: { matchId: MATCH_ID, seat } } });
    }
  };
  const told: Seat[] = [];
  const listening = (address: string) =>
    inSession(address, { token: "bot" }, async (session) => {
      for await (const { seat } of session.assignments()) {
        told.push(seat);
        if (told.length === 2) {
          return;
        }
      }
    });
  await scripted(
    listening,
    async (peer) => {
      await peer.greet();
      assign(peer, Seat.A);
      peer.refuse(status.UNAVAILABLE, "DRAINING");
    },
    async (peer) => {
      await peer.greet();
      assign(peer, Seat.A, Seat.B);
    },
  );
  assert.deepEqual(told, [Seat.A, Seat.B]);
});

test("a seat is left or given up, and another session may take it", async () => {
  const joining = (use: (session: Session) => Promise<void>) => (address: string) => inSession(address, {}, use);
  await scripted(
    joining(async (session) => {
      const seat = await session.join(MATCH_ID, Seat.A);
      await seat.leave();
      await assert.rejects(seat.ready(), SeatDetached);
    }),
    async (peer) => {
      await peer.greet();
      await peer.seat();
      await peer.hear("leave");
      peer.say({ handle: 1, kind: { case: "detached", value: { reason: DetachReason.LEFT } } });
    },
  );
  await scripted(
    joining(async (session) => {
      const seat = await session.join(MATCH_ID, Seat.A);
      assert.equal((await seat.resign()).outcome?.winner, Seat.A);
      await assert.rejects(seat.ready(), MatchOver);
    }),
    async (peer) => {
      await peer.greet();
      await peer.seat();
      await peer.hear("resign");
      peer.endMatch();
    },
  );
  await scripted(
    joining(async (session) => {
      const seat = await session.join(MATCH_ID, Seat.A);
      await assert.rejects(
        playSeat(seat, () => DRAW),
        /another session took the seat \(REPLACED\)/,
      );
    }),
    async (peer) => {
      await begin(peer);
      peer.say({ handle: 1, kind: { case: "detached", value: { reason: DetachReason.REPLACED } } });
    },
  );
});

test("a seat that is not the caller's is refused", async () => {
  await scripted(
    (address) =>
      inSession(address, {}, async (session) => {
        await assert.rejects(session.join(MATCH_ID, Seat.B), ProblemError);
      }),
    async (peer) => {
      await peer.greet();
      await peer.hear("join");
      const value = { code: status.PERMISSION_DENIED, reason: "NOT_YOURS", message: "no" };
      peer.say({ handle: 1, kind: { case: "problem", value } });
    },
  );
});
