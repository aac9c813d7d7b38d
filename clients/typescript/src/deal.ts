/** A seat's own part in the deal, and the check that the referee used it (PROTOCOL.md section 8). */

import { createHash, createHmac } from "node:crypto";

import { EntropyMissing } from "./errors.js";
import { DealMode, Lifecycle } from "./gen/unoduo/v1/match_pb.js";
import type { Observation } from "./gen/unoduo/v1/observation_pb.js";
import { Seat } from "./gen/unoduo/v1/seat_pb.js";
import type { Joined } from "./gen/unoduo/v1/session_pb.js";

const DOMAIN = "unoduo/v1/client-entropy\0";

/** Returns h0, the head of a header as received, 32 bytes (PROTOCOL.md section 9). */
export function headerHead(header: Uint8Array): Uint8Array {
  return createHash("sha256").update(Uint8Array.of(0)).update(header).digest();
}

/** Returns the 32 bytes that a seat gives to its deal: the same whenever it is asked, no two headers alike. */
export function clientEntropy(secret: Uint8Array, h0: Uint8Array): Uint8Array {
  return createHmac("sha256", secret).update(DOMAIN).update(h0).digest();
}

/**
 * Refuses a fresh deal in which the entropy of this seat is not as it was sent.
 *
 * Shared and given deals take no entropy and are let pass. So is a match that had begun before the seat joined: its deal
 * was shown to an earlier session.
 */
export class DealGuard {
  readonly wantsEntropy: boolean;
  sent: Uint8Array = new Uint8Array();
  readonly #seat: Seat;
  #isOpen: boolean;

  constructor(joined: Joined, dealMode: DealMode) {
    this.wantsEntropy = dealMode === DealMode.FRESH;
    this.#seat = joined.seat;
    this.#isOpen = this.wantsEntropy && joined.lifecycle === Lifecycle.CREATED;
  }

  /** Throws EntropyMissing if the deal is sealed without the entropy, or play begins without a sealed deal. */
  check(observation: Observation): void {
    if (!this.#isOpen) {
      return;
    }
    for (const { event } of observation.events) {
      if (event?.kind.case === "dealSealed") {
        const { entropy1, entropy2 } = event.kind.value;
        const sealed = this.#seat === Seat.A ? entropy1 : entropy2;
        if (Buffer.compare(sealed, this.sent) !== 0) {
          throw new EntropyMissing(this.sent, sealed);
        }
        this.#isOpen = false;
        return;
      }
    }
    if (observation.decision !== undefined) {
      throw new EntropyMissing(this.sent, undefined);
    }
  }
}
