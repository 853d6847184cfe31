/** The edges of the table: which panel is open, what is being explained, and what is skipped. */

import { NotDone } from "../lib/live.svelte";
import type { Table } from "../lib/table.svelte";
import type { Requests } from "../lib/types";
import { HotSeat } from "./hotseat.svelte";

export type Panel = "log" | "why" | "rules";
export type Sheet = "roster" | "panel" | "question" | "timeline" | "legend" | null;
export type Window = "keys" | "standing" | "share" | "takeback" | "resign" | "menu" | "briefing" | null;

interface Explained {
  heading: string;
  rules: string[];
}

export class Desk {
  panel = $state<Panel>("log");
  /** On a phone: what is drawn up from below. */
  sheet = $state<Sheet>("question");
  window = $state<Window>(null);
  /** What the why panel shows instead of the question's rules. */
  explained = $state.raw<Explained | null>(null);
  /** Questions with one legal answer are answered until there is a choice. */
  skipping = $state(false);
  /** A word to the player that passes: "The link is copied." */
  said = $state("");

  /** The panel is asked for: the page unfolds it. */
  unfolds: () => void = () => undefined;

  readonly hotseat: HotSeat;

  #saying: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly table: Table) {
    this.hotseat = new HotSeat(table);
    $effect(() => {
      void table.live.state?.number;
      this.explained = null;
    });
    $effect(() => {
      if (this.skipping) this.#skip();
    });
  }

  explain(heading: string, rules: string[]): void {
    this.explained = { heading, rules };
    this.turnTo("why");
    this.sheet = "panel";
  }

  turnTo(panel: Panel): void {
    this.panel = panel;
    this.unfolds();
  }

  say(words: string): void {
    this.said = words;
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => (this.said = ""), 5_000);
  }

  /** Ask the server for something; a refusal is said. True when it was done. */
  async ask<T extends keyof Requests>(t: T, fields: Requests[T][0]): Promise<boolean> {
    try {
      await this.table.live.request(t, fields);
      return true;
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      this.say(error.refusal.message);
      return false;
    }
  }

  async copy(text: string, done: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(done);
    } catch {
      // Browsers refuse the clipboard to pages that are not served safely: then it is copied by hand.
      prompt("Copy this:", text);
    }
  }

  /** Whether there is just one thing that can be answered. */
  get single(): boolean {
    const { question, draft, answer } = this.table;
    return question !== null && draft === undefined && answer !== undefined;
  }

  #skip(): void {
    const { question, live, sending } = this.table;
    if (live.state?.result) this.skipping = false;
    if (!question || sending) return;
    if (this.single) void this.table.confirm();
    else this.skipping = false;
  }
}
