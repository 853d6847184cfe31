/** Asking while something is dragged: one question at a time, not too often, and the last one is always asked. */

/** The server hears thirty messages a second for long: this leaves room for others. */
const PAUSE = 60;

export class Pace {
  #busy = false;
  #again = false;

  constructor(readonly ask: () => Promise<void>) {}

  /** Whether another question will follow the one under way. */
  get again(): boolean {
    return this.#again;
  }

  async run(): Promise<void> {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    do {
      this.#again = false;
      const rest = new Promise((done) => setTimeout(done, PAUSE));
      await this.ask();
      await rest;
    } while (this.#again);
    this.#busy = false;
  }
}
