/** Asking while something is dragged: one question at a time, not too often, and the last one is always asked. */

/** The server hears thirty messages a second for long: this leaves room for others. */
const PAUSE = 60;

export class Pace {
  #running: Promise<void> | null = null;
  #again = false;

  constructor(readonly ask: () => Promise<void>) {}

  /** Whether another question will follow the one under way. */
  get again(): boolean {
    return this.#again;
  }

  /** Ask now, or once more when the question under way is answered. Done when nothing is left to ask. */
  run(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#repeat().finally(() => (this.#running = null));
    return this.#running;
  }

  async #repeat(): Promise<void> {
    do {
      this.#again = false;
      const rest = new Promise((done) => setTimeout(done, PAUSE));
      await this.ask();
      await rest;
    } while (this.#again);
  }
}
