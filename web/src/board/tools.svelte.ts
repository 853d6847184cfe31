/** The ruler and the line of sight: what they lie between, and what they say. */

import { NotDone } from "../lib/live.svelte";
import type { Table } from "../lib/table.svelte";
import type { Point, SideView } from "../lib/types";
import { gap, outline } from "./geometry";
import { Pace } from "./pace";

export type Tool = "hand" | "ruler" | "line";

interface End {
  at: Point;
  piece: string | null;
}

export class Tools {
  tool = $state<Tool>("hand");
  grid = $state(true);
  shade = $state(true);
  /** Drags move one Team and not its whole Unit. */
  alone = $state(false);
  from = $state.raw<End | null>(null);
  to = $state.raw<End | null>(null);
  sideView = $state.raw<SideView | null>(null);
  refused = $state("");

  #asked = 0;
  #pace = new Pace(() => this.#look());

  constructor(readonly table: Table) {}

  pick(tool: Tool): void {
    this.tool = this.tool === tool ? "hand" : tool;
    this.clear();
  }

  clear(): void {
    this.from = null;
    this.to = null;
    this.sideView = null;
    this.refused = "";
    this.#asked++;
  }

  start(at: Point, piece: string | null): void {
    this.clear();
    // A line of sight begins at an eye: at the base under the pointer, or else at the selected one.
    const eye = piece ?? this.table.piece;
    const stands = eye === null ? undefined : this.table.pieces.get(eye)?.place;
    this.from = this.tool === "line" && stands ? { at: [stands.x, stands.y], piece: eye } : { at, piece };
    this.to = { at, piece: null };
    if (this.tool === "line" && !stands) this.refused = "Begin at a Team.";
  }

  move(at: Point, piece: string | null): void {
    this.to = { at, piece: piece === this.from?.piece ? null : piece };
    if (this.tool === "line") void this.#pace.run();
  }

  /** From edge to edge where there are bases, from point to point where there are none. */
  readonly measure: { inches: number; from: Point; to: Point } | null = $derived.by(() => {
    if (!this.from || !this.to) return null;
    const ring = ({ at, piece }: End): Point[] => {
      const base = piece === null ? undefined : this.table.pieces.get(piece);
      return base ? outline(base.footprint, [base.place.x, base.place.y], base.place.facing) : [at];
    };
    return gap(ring(this.from), ring(this.to));
  });

  async #look(): Promise<void> {
    const { from, to, table } = this;
    if (!from?.piece || !to) return;
    const asked = this.#asked;
    try {
      const end = to.piece === null ? undefined : table.pieces.get(to.piece)?.place;
      const { side_view } = await table.live.request("line", { piece: from.piece, to: end ? [end.x, end.y] : to.at });
      if (asked === this.#asked) this.sideView = side_view;
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      if (asked === this.#asked) this.refused = error.refusal.message;
    }
  }
}
