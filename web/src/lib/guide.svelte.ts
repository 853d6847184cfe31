/** The guide of a lesson: which of his steps is read now, what it points at, and whether he is listened to. */

import { wishes } from "../shell/prefs.svelte";
import type { Table } from "./table.svelte";
import type { GuideStep, Json, Point } from "./types";

export class Guide {
  /** Which of the steps of the question now asked is read: looks first, the answer to try last. */
  #read = $state.raw({ number: -1, index: 0 });

  constructor(readonly table: Table) {}

  readonly card = $derived.by(() => this.table.live.state?.guide ?? null);
  readonly away = $derived.by(() => wishes.unguided.includes(this.table.live.game));

  readonly #index = $derived.by(() => (this.#read.number === this.table.number ? this.#read.index : 0));

  /** He has something to say, and was sent away or has been heard already: he can be asked. */
  readonly silent = $derived.by(() => {
    const { card } = this;
    return card !== null && !this.table.moment && (this.away || (Boolean(card.steps) && this.#index >= (card.steps?.length ?? 0)));
  });

  readonly step: GuideStep | null = $derived.by(() => {
    if (this.away || this.table.covered || this.table.moment || !this.table.question) return null;
    return this.card?.steps?.[this.#index] ?? null;
  });

  /** What is said when the battle is over. */
  readonly ends: string = $derived.by(() => (this.away || this.table.moment ? "" : (this.card?.ends ?? "")));

  /** Another step waits behind this one. */
  readonly more = $derived.by(() => this.#index + 1 < (this.card?.steps?.length ?? 0));

  /** The pieces on the table that the step points at. */
  readonly pieces: string[] = $derived.by(() => {
    const points = this.step?.points ?? [];
    return this.table.scene.pieces.filter(({ id, unit }) => points.includes(id) || points.includes(unit)).map(({ id }) => id);
  });

  readonly places: Point[] = $derived.by(() => this.step?.places ?? []);

  /** The answer to try. */
  readonly tries: Json | undefined = $derived.by(() => this.step?.answer);

  /** It is drafted. */
  readonly shown = $derived.by(
    () => this.tries !== undefined && JSON.stringify(this.table.draft) === JSON.stringify(this.tries),
  );

  /** Whether the answer to try gives everybody the same, and this. */
  gives(option: string): boolean {
    const { tries } = this;
    if (!tries || typeof tries !== "object" || Array.isArray(tries)) return false;
    const given = Object.values(tries);
    return given.length > 0 && given.every((each) => each === option);
  }

  next(): void {
    this.#read = { number: this.table.number, index: this.#index + 1 };
  }

  /** Draft the answer; the player looks at it and confirms. */
  show(): void {
    if (this.tries !== undefined) this.table.propose(this.tries);
  }

  leave(): void {
    wishes.guide(this.table.live.game, false);
  }

  /** Have him say again what he has to say. */
  call(): void {
    this.#read = { number: -1, index: 0 };
    wishes.guide(this.table.live.game, true);
  }
}
