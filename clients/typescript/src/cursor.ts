/** Up to where a seat was told, over all its connections. */

import type { Observation } from "./gen/unoduo/v1/observation_pb.js";

/** Keeps every event and every view from being told twice, and says where the referee shall go on. */
export class Cursor {
  /** The last event that was told, 0 if none was. */
  sequence = 0;
  /** Whether there was no event yet when the seat was taken for the first time. */
  fromStart = false;
  #head: Uint8Array = new Uint8Array();
  #caughtUp = false;
  #hasDecision = false;

  /** Returns the last event that was told and the head there, undefined if there is nothing to resume behind. */
  get position(): { afterSequence: number; head: Uint8Array } | undefined {
    return this.sequence > 0 || this.fromStart ? { afterSequence: this.sequence, head: this.#head } : undefined;
  }

  /**
   * Takes off events that were told before, and returns whether anything new is left, which then counts as told.
   *
   * At the same sequence only the view behind a page of history is new, or a decision where none was.
   */
  take(observation: Observation): boolean {
    const hasDecision = observation.decision !== undefined;
    if (observation.sequence < this.sequence) {
      return false;
    }
    const bringsDecision = hasDecision && !this.#hasDecision;
    if (observation.sequence === this.sequence && this.#caughtUp && !bringsDecision) {
      return false;
    }
    observation.events = observation.events.filter((event) => event.sequence > this.sequence);
    this.sequence = observation.sequence;
    this.#head = observation.head;
    this.#caughtUp = observation.caughtUp;
    this.#hasDecision = hasDecision;
    return true;
  }
}
