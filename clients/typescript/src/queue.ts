/** Hands on what comes, in order, to whoever reads. */

/** Is a queue without bound that one reader iterates over; `end` ends the iteration behind what was put before. */
export class Queue<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  #ending: { error?: Error } | undefined;
  #wake: () => void = () => {};

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  put(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  /** Ends it; with an error the reader gets that. */
  end(error?: Error): void {
    this.#ending ??= error === undefined ? {} : { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        yield item;
      } else if (this.#ending?.error !== undefined) {
        throw this.#ending.error;
      } else if (this.#ending !== undefined) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
