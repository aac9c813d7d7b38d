/** How long to wait before trying again. */

/**
 * Tells how long to wait before each try: at random, up to a bound that doubles with every try.
 *
 * Chance keeps the clients of a referee that went away from coming back all at once.
 */
export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #boundMs: number;

  constructor(firstMs = 100, longestMs = 5_000) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#boundMs = firstMs;
  }

  /** Returns the milliseconds to wait before the next try. */
  nextDelayMs(): number {
    const delayMs = Math.random() * this.#boundMs;
    this.#boundMs = Math.min(2 * this.#boundMs, this.#longestMs);
    return delayMs;
  }

  /** Begins anew: a try has succeeded. */
  reset(): void {
    this.#boundMs = this.#firstMs;
  }
}
