/** A referee that says what a test has written for it. */

import assert from "node:assert/strict";

import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Metadata, Server, ServerCredentials, type ServerDuplexStream, type status } from "@grpc/grpc-js";
import { ErrorInfoSchema, StatusSchema } from "../src/gen/google/rpc/status_pb.js";
import { HeaderSchema } from "../src/gen/unoduo/v1/log_pb.js";
import { DealMode, Lifecycle } from "../src/gen/unoduo/v1/match_pb.js";
import {
  type PlayRequest,
  PlayRequestSchema,
  type PlayResponse,
  PlayResponseSchema,
  type RequestItem,
  ResponseItemSchema,
} from "../src/gen/unoduo/v1/session_pb.js";
import { Queue } from "../src/queue.js";

export const MATCH_ID = Uint8Array.from({ length: 16 }, (_, index) => index);

type Saying = MessageInitShape<typeof ResponseItemSchema>;
type Heard<Case> = Extract<RequestItem["kind"], { case: Case }>["value"];

/** Is one session as its referee sees it. */
export class Peer {
  readonly token: string | undefined;
  readonly #call: ServerDuplexStream<PlayRequest, PlayResponse>;
  readonly #items = new Queue<RequestItem>();
  readonly #reader = this.#items[Symbol.asyncIterator]();

  constructor(call: ServerDuplexStream<PlayRequest, PlayResponse>) {
    this.#call = call;
    this.token = call.metadata.get("authorization")[0]?.toString();
    call.on("data", (request: PlayRequest) => {
      for (const item of request.items) {
        this.#items.put(item);
      }
    });
    call.on("end", () => this.#items.end());
    call.on("cancelled", () => this.#items.end());
  }

  say(...items: Saying[]): void {
    this.#call.write(create(PlayResponseSchema, { items: items.map((item) => create(ResponseItemSchema, item)) }));
  }

  /** Waits for the next item, which must be of this kind. */
  async hear<Case extends "hello" | "join" | "ready" | "action" | "resign" | "leave">(
    kind: Case,
  ): Promise<Heard<Case>> {
    const { value } = await this.#reader.next();
    assert.equal(value?.kind.case, kind);
    return value?.kind.value as Heard<Case>;
  }

  async greet(): Promise<void> {
    assert.deepEqual((await this.hear("hello")).protocol, 1);
    this.say({ kind: { case: "sessionInfo", value: { maxItems: 64, maxMessageBytes: 65_536 } } });
  }

  /** Gives the seat that is asked for, under handle 1. */
  async seat(lifecycle = Lifecycle.CREATED, dealMode = DealMode.GIVEN): Promise<Heard<"join">> {
    const join = await this.hear("join");
    const header = toBinary(HeaderSchema, create(HeaderSchema, { matchNumber: 7, dealMode }));
    const { matchId, seat } = join;
    this.say({ handle: 1, kind: { case: "joined", value: { matchId, seat, header, lifecycle } } });
    return join;
  }

  async getReady(): Promise<Heard<"ready">> {
    const ready = await this.hear("ready");
    this.say({ handle: 1, kind: { case: "readyAccepted", value: { h0: ready.h0 } } });
    return ready;
  }

  /** Asks the seat to decide between drawing and drawing, by default as soon as the decision is open. */
  ask(decisionId: number, sequence = decisionId): void {
    const decision = { decisionId, triesLeft: 2, legal: [{ kind: { case: "draw" as const, value: {} } }] };
    const observed = { sequence, head: Uint8Array.of(sequence), caughtUp: true, view: {}, decision };
    this.say({ handle: 1, kind: { case: "observation", value: observed } });
  }

  async accept(): Promise<Heard<"action">> {
    const { decisionId, actionId, action } = await this.hear("action");
    const verdict = { case: "accepted" as const, value: {} };
    this.say({ handle: 1, kind: { case: "actionResult", value: { decisionId, actionId, verdict } } });
    return { decisionId, actionId, action } as Heard<"action">;
  }

  endMatch(): void {
    this.say({ handle: 1, kind: { case: "ended", value: { outcome: { winner: 1, termination: 1 } } } });
  }

  /** Ends the session with a status as the referee gives it. */
  refuse(code: status, reason: string): void {
    const info = create(ErrorInfoSchema, { reason, domain: "unoduo.v1", metadata: { field: "authorization" } });
    const details = create(StatusSchema, { code, details: [anyPack(ErrorInfoSchema, info)] });
    const metadata = new Metadata();
    metadata.set("grpc-status-details-bin", Buffer.from(toBinary(StatusSchema, details)));
    this.#call.emit("error", { code, details: "no", metadata });
  }
}

type Script = (peer: Peer) => Promise<void>;

/** Runs a referee whose n-th session goes by the n-th script, until the test is over; what scripts throw fails it. */
export async function scripted(test: (address: string) => Promise<void>, ...scripts: Script[]): Promise<void> {
  const sessions = await serving(test, (number) => {
    const script = scripts[number];
    assert.ok(script, "one session more than there are scripts");
    return script;
  });
  assert.equal(sessions, scripts.length);
}

/** Runs a referee until the test is over and returns how many sessions it had, from 0; each has a script. */
export async function serving(
  test: (address: string) => Promise<void>,
  scriptOf: (number: number) => Script,
): Promise<number> {
  const server = new Server();
  const playing: Promise<void>[] = [];
  server.addService(
    {
      play: {
        path: "/unoduo.v1.RefereeService/Play",
        requestStream: true,
        responseStream: true,
        requestSerialize: (request: PlayRequest) => Buffer.from(toBinary(PlayRequestSchema, request)),
        requestDeserialize: (bytes: Buffer) => fromBinary(PlayRequestSchema, bytes),
        responseSerialize: (response: PlayResponse) => Buffer.from(toBinary(PlayResponseSchema, response)),
        responseDeserialize: (bytes: Buffer) => fromBinary(PlayResponseSchema, bytes),
      },
    },
    {
      play: (call: ServerDuplexStream<PlayRequest, PlayResponse>) => {
        playing.push(scriptOf(playing.length)(new Peer(call)));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  try {
    await test(`127.0.0.1:${port}`);
    await Promise.all(playing);
    return playing.length;
  } finally {
    server.forceShutdown();
  }
}
