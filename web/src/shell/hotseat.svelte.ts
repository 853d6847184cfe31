/** Two players at one screen: whose eyes look at it, and when it is covered. */

import type { Table } from "../lib/table.svelte";
import { wishes } from "./prefs.svelte";

export class HotSeat {
  /** Who has said that he is there. */
  #here = $state<string | null>(null);
  /** How much of the log he had before him when he was last asked. */
  #read = $state(0);

  constructor(readonly table: Table) {
    $effect(() => {
      if (this.#asked !== null && this.#asked === this.#here) this.#read = table.live.events.length;
    });
    $effect(() => {
      if (this.#openly && this.#asked !== null && this.#asked !== table.live.seat) void this.sit(this.#asked);
    });
    $effect(() => {
      table.covered = this.covered;
    });
  }

  /** Whoever of this screen's players is asked now, if there are several. */
  readonly #asked = $derived.by(() => {
    const { about, state } = this.table.live;
    const seat = state?.asked?.seat ?? null;
    // What a bot plays for one of them nobody need be called for.
    const bot = seat !== null && state?.seats[seat]?.startsWith("bot:");
    return about && about.you.length > 1 && seat !== null && !bot && about.you.includes(seat) ? seat : null;
  });
  readonly #openly = $derived.by(() => wishes.open.includes(this.table.live.game));

  /** To whom the screen must be handed over. */
  readonly next = $derived.by(() => (this.#openly || this.#asked === this.#here ? null : this.#asked));
  /** He who has just answered looks at what came of it first. */
  readonly looking = $derived.by(() => this.next !== null && this.#here !== null && this.table.live.events.length > this.#read);
  readonly covered = $derived.by(() => this.next !== null && !this.looking);

  /** He has looked: cover the table. */
  handOver(): void {
    this.#here = null;
  }

  async sit(seat: string): Promise<void> {
    // Covered until the table is his: nobody sees it change.
    this.#here = null;
    if (seat !== this.table.live.seat) await this.table.live.sit(seat);
    this.#here = seat;
  }

  /** One plays both sides, and the table is never covered in this game. */
  open(): void {
    wishes.open = [...wishes.open, this.table.live.game];
    wishes.keep();
  }
}
