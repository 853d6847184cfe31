/** Why bots chose as they did, for those who want it: asked for as the battle goes on, as far as this seat may know. */

import { untrack } from "svelte";
import { NotDone, type Live } from "../lib/live.svelte";
import type { Thought } from "../lib/types";
import { wishes } from "./prefs.svelte";

/** Milliseconds for which a battle must stand still before it is asked again. */
const WAIT = 200;

export class Reasons {
  all = $state.raw<Thought[]>([]);
  /** The server has answered. */
  known = $state(false);
  /** What is known is known to whom, and of which course of the battle. */
  #of = "";

  constructor(of: () => Live) {
    $effect(() => {
      const live = of();
      const { state, seat } = live;
      if (!wishes.reasons || !state || live.connection !== "live") return;
      void state.number;
      const known = `${seat} ${state.rewinds} ${state.result !== null}`;
      const timer = setTimeout(() => void this.#ask(live, known), WAIT);
      return () => clearTimeout(timer);
    });
    $effect(() => {
      if (!wishes.reasons) untrack(() => this.#forget());
    });
  }

  #forget(): void {
    this.all = [];
    this.known = false;
    this.#of = "";
  }

  async #ask(live: Live, of: string): Promise<void> {
    const number = of === this.#of ? (this.all.at(-1)?.after ?? -1) + 1 : 0;
    try {
      const { reasons } = await live.request("reasons", { number });
      this.all = [...this.all.filter(({ after }) => after < number), ...reasons];
      this.known = true;
      this.#of = of;
    } catch (error) {
      // Without an answer the log stays as it is.
      if (!(error instanceof NotDone)) throw error;
    }
  }
}
