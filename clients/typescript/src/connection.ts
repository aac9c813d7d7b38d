/** One stream to the referee, with a route for each handle; lost, it is not mended but replaced. */

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Client, ClientDuplexStream, StatusObject } from "@grpc/grpc-js";

import { bearer } from "./channel.js";
import { ProblemError, SessionLost } from "./errors.js";
import {
  type Assigned,
  type PlayRequest,
  PlayRequestSchema,
  type PlayResponse,
  PlayResponseSchema,
  type RequestItem,
  RequestItemSchema,
  type ResponseItem,
  type SessionInfo,
} from "./gen/unoduo/v1/session_pb.js";
import { Outbox } from "./outbox.js";
import { sessionLost } from "./status.js";

const PROTOCOL = 1;
const PLAY = "/unoduo.v1.RefereeService/Play";
const STEADY_MS = 10_000;

/** Takes what comes under a handle, and says whether it was anything new. */
export type Route = (item: ResponseItem) => boolean;

/** Carries items of any number of handles over one `Play` call. */
export class Connection {
  /** Is done when the stream has ended, and says why. */
  readonly lost: Promise<SessionLost>;
  readonly #client: Client;
  readonly #call: ClientDuplexStream<PlayRequest, PlayResponse>;
  readonly #onAssigned: (assigned: Assigned) => void;
  readonly #outbox = new Outbox();
  readonly #routes = new Map<number, Route>();
  readonly #openedAt = performance.now();
  readonly #greeting: Promise<SessionInfo | SessionLost>;
  #greet: (answer: SessionInfo | SessionLost) => void = () => {};
  #isGreeted = false;
  #lastHandle = 0;
  #wasFruitful = false;
  #isBusy = false; // a request is on its way, or about to be
  #hasEnded = false;

  constructor(address: string, client: Client, token: string | undefined, onAssigned: (assigned: Assigned) => void) {
    this.#client = client;
    this.#onAssigned = onAssigned;
    this.#greeting = new Promise((resolve) => {
      this.#greet = resolve;
    });
    this.#call = client.makeBidiStreamRequest(
      PLAY,
      (request: PlayRequest) => Buffer.from(toBinary(PlayRequestSchema, request)),
      (bytes: Buffer) => fromBinary(PlayResponseSchema, bytes),
      bearer(token),
    );
    this.#call.on("data", (response: PlayResponse) => {
      for (const item of response.items) {
        this.#take(item);
      }
    });
    this.#call.on("drain", () => this.#write());
    this.#call.on("error", () => {}); // the status says it all
    const ended = new Promise<StatusObject>((resolve) => this.#call.on("status", resolve));
    const read = new Promise((resolve) => this.#call.on("end", resolve));
    this.lost = Promise.all([ended, read]).then(([found]) => {
      this.#hasEnded = true;
      const lost = sessionLost(found, address);
      this.#greet(lost);
      return lost;
    });
  }

  /** Introduces the client, and observes from then on the limits of the session. Throws SessionLost. */
  async greet(client: string): Promise<void> {
    this.put(create(RequestItemSchema, { kind: { case: "hello", value: { client, protocol: PROTOCOL } } }));
    const info = await this.#greeting;
    if (info instanceof SessionLost) {
      throw info;
    }
    this.#isGreeted = true;
    this.#outbox.maxItems = info.maxItems || this.#outbox.maxItems;
    this.#outbox.maxBytes = info.maxMessageBytes || this.#outbox.maxBytes;
  }

  /** Returns a new handle; what comes under it is given to the route. */
  open(route: Route): number {
    this.#lastHandle += 1;
    this.#routes.set(this.#lastHandle, route);
    return this.#lastHandle;
  }

  /** Forgets a handle: what still comes under it is nobody's. */
  drop(handle: number): void {
    this.#routes.delete(handle);
  }

  /** Sends an item as soon as possible. Throws RangeError if it is too large for any request. */
  put(item: RequestItem): void {
    this.#outbox.put(item);
    if (!this.#isBusy) {
      this.#isBusy = true;
      setImmediate(() => this.#write()); // with whatever else is said in this turn of the event loop
    }
  }

  /** Returns whether it was worth having: it brought something new or held for a while. */
  wasFruitful(): boolean {
    return this.#wasFruitful || performance.now() - this.#openedAt > STEADY_MS;
  }

  /** Ends the stream if it has not ended yet; nothing comes of it any more. */
  close(): void {
    this.#hasEnded = true;
    this.#routes.clear();
    this.#call.cancel();
    this.#client.close();
  }

  #write(): void {
    while (!this.#hasEnded) {
      const request = this.#outbox.nextRequest();
      if (request === undefined) {
        this.#isBusy = false;
        return;
      }
      if (!this.#call.write(request)) {
        return; // goes on when the call has drained
      }
    }
  }

  #take(item: ResponseItem): void {
    if (item.handle === 0) {
      this.#hear(item);
    } else if (this.#routes.get(item.handle)?.(item)) {
      this.#wasFruitful = true;
    }
  }

  /** Takes an item about the session itself. */
  #hear(item: ResponseItem): void {
    const { kind } = item;
    if (kind.case === "assigned") {
      this.#onAssigned(kind.value);
    } else if (kind.case === "sessionInfo") {
      this.#greet(kind.value);
    } else if (kind.case === "problem") {
      const problem = new ProblemError(kind.value);
      if (this.#isGreeted) {
        console.warn(`the referee reports a problem with the session: ${problem.message}`);
      }
      this.#greet(new SessionLost(problem.refusal));
    }
  }
}
