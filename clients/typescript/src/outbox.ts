/** What a session has to say, gathered into as few messages as possible. */

import { create, toBinary } from "@bufbuild/protobuf";

import {
  type PlayRequest,
  PlayRequestSchema,
  type RequestItem,
  RequestItemSchema,
} from "./gen/unoduo/v1/session_pb.js";

const ITEM_OVERHEAD = 5; // the item's own tag and length in the request

/**
 * Queues items and hands out requests with everything that is ready, within the limits of the session.
 *
 * A message costs far more than an item (PROTOCOL.md section 2).
 */
export class Outbox {
  maxItems = 64;
  maxBytes = 64 * 1024;
  #items: { item: RequestItem; size: number }[] = [];

  /** Queues an item. Throws RangeError for one that no request can hold: sent, it would end the session of all seats. */
  put(item: RequestItem): void {
    const size = toBinary(RequestItemSchema, item).length + ITEM_OVERHEAD;
    if (size > this.maxBytes) {
      throw new RangeError(`an item of ${size} bytes is larger than the ${this.maxBytes} bytes of a request`);
    }
    this.#items.push({ item, size });
  }

  /** Returns the next request, undefined while nothing is queued. */
  nextRequest(): PlayRequest | undefined {
    let count = 0;
    let room = this.maxBytes;
    for (const { size } of this.#items.slice(0, this.maxItems)) {
      room -= size;
      if (room < 0) {
        break;
      }
      count++;
    }
    const items = this.#items.splice(0, count).map(({ item }) => item);
    return count === 0 ? undefined : create(PlayRequestSchema, { items });
  }
}
