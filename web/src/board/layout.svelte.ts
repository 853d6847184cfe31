/** What lies where on the screen: the labels, and all that a card must not cover. */

import type { Table } from "../lib/table.svelte";
import type { Point, Pose, Steps } from "../lib/types";
import { heading, outline, plus } from "./geometry";
import { extent, layLabels, SIGN, type Before, type Laid } from "./labels";
import { flank, HANDLE, type Moves } from "./moves.svelte";
import { about, alongLine, beside, grown, round, type Box, type Obstacle } from "./room";
import { shapeLook } from "./symbols";
import type { View } from "./view.svelte";

/** How much worse than a pixel farther off it is to cover a pixel of a piece, a label, what the answer is about. */
const WEIGHTS = { piece: 1, label: 0.3, line: 2, meant: 12, zone: 0.004 };
/** How bad it is to cover any part of a piece or a label. */
const TOUCH = 900;
/** Pixels about a base that belong to it: its front, the mark that it may be chosen. */
const RIM = 6;
/** Inches about a base that is held: there lies the handle that turns it. */
const TURNS = 2;
/** Inches before a base at which the handle lies that turns it. */
const TURN = 1.4;
/** So many proposals are looked at when the card is placed. */
const PROPOSALS = 3;
/** How bad it is to make a label or a sign give way. */
const GIVES_WAY = 40;

/** The handles that say how a Unit stands: where they lie, how many in a row, and how large each is. */
export interface Shapes {
  box: Box;
  /** Its left upper corner on the table. */
  at: Point;
  abreast: number;
  size: readonly [number, number];
}

const NARROW = 1100;
const [THUMB, MOUSE] = [[70, 48], [60, 42]] as const;

export class Layout {
  /** What other cards take on the screen. */
  taken = $state.raw<Box[]>([]);
  /** What the question's card, and what it foretells, take on the table: labels give way to them. */
  cards = $state.raw<[Point, Point][]>([]);

  constructor(
    readonly table: Table,
    readonly view: View,
    readonly moves: Moves,
  ) {}

  /** Where the handles lie that say how a Unit stands: beside it, off every base. How many stand in a row. */
  readonly shapes: Shapes | null = $derived.by(() => {
    const { moves, table, view } = this;
    const count = table.orders.shapings.length;
    const ghosts = moves.ghosts.map(({ footprint, at, facing }) => this.#outlined(footprint, at, facing));
    const near = round(ghosts.length ? ghosts : this.anchors);
    if (!count || !near) return null;
    const [least, tall] = view.wide < NARROW ? THUMB : MOUSE;
    const words = table.orders.shapings.map((each) => extent(shapeLook(each.shape, table.words(each.label)).word, 12) + 12);
    const size = [Math.max(least, ...words), tall] as const;
    const abreast = Math.max(1, Math.min(count, Math.floor((view.wide - 16) / size[0])));
    const [wide, high] = [abreast * size[0] + 6, Math.ceil(count / abreast) * size[1] + 6];
    const bases = table.scene.pieces.map(({ id }) => this.boxOf(id)).filter((box) => box !== null);
    const obstacles: Obstacle[] = [...bases, ...ghosts].map((box) => ({ box: grown(box, RIM), weight: WEIGHTS.piece, touch: TOUCH }));
    if (moves.body) obstacles.push(...this.#handles(moves.body));
    const box = beside(grown(near, RIM), wide, high, view.room, obstacles);
    return { box, at: view.toTable(box[0], box[1]), abreast, size };
  });

  /** What a plan is turned and widened by: nothing that catches the pointer may lie on it. */
  #held(): Box[] {
    const { moves, view } = this;
    if (moves.body) return this.#handles(moves.body).map(({ box }) => box);
    const held = moves.ghosts.find((ghost) => ghost.id === moves.held);
    if (!held) return [];
    return [about(...view.toScreen(plus(held.at, heading(held.facing), held.footprint.depth / 2 + TURN)), 36, 36)];
  }

  /** The handles of a body in ranks: what wheels it lies before its front, what widens it on its flanks. */
  #handles(body: Pose): Obstacle[] {
    const { view, table } = this;
    const asked = table.question;
    const far = asked?.form === "march" && asked.files.length > 1 ? flank(body.files, asked.pitch) : 0;
    const spots = [plus(body.at, heading(body.facing), HANDLE), ...(far ? [-90, 90].map((side) => plus(body.at, heading(body.facing + side), far)) : [])];
    return spots.map((spot, k) => ({ box: about(...view.toScreen(spot), k ? 40 : 56, k ? 40 : 56), weight: WEIGHTS.meant, touch: TOUCH }));
  }

  #before: Before = new Map();
  #laidAt = 0;
  readonly laid: Laid = $derived.by(() => {
    const { moves, cards } = this;
    // Under the hand nothing jumps: labels keep off a plan once it has been set down.
    const planned = moves.dragging ? [] : moves.ghosts.map(({ at: [x, y], footprint }): [Point, Point] => {
      const half = Math.max(footprint.width, footprint.depth) / 2;
      return [[x - half, y - half], [x + half, y + half]];
    });
    const boxes = [...(this.shapes ? [this.shapes.box] : []), ...(moves.dragging ? [] : this.#held())];
    const taken = boxes.map(([left, top, right, bottom]): [Point, Point] => [this.view.toTable(left, bottom), this.view.toTable(right, top)]);
    const { scene, units, unit } = this.table;
    // Nearer or farther off everything lies anew.
    if (this.#laidAt !== this.view.step) this.#before.clear();
    this.#laidAt = this.view.step;
    return layLabels(scene, this.view.step, units, [...planned, ...taken, ...cards], unit, this.#before);
  });

  /** The box of a base on the screen, or of its ghost. */
  boxOf(id: string): Box | null {
    const piece = this.table.pieces.get(id);
    if (!piece) return null;
    return this.#outlined(piece.footprint, [piece.place.x, piece.place.y], piece.place.facing);
  }

  #outlined(footprint: Parameters<typeof outline>[0], at: Point, facing: number): Box {
    return round(outline(footprint, at, facing).map((p) => { const [x, y] = this.view.toScreen(p); return [x, y, x, y] as Box; })) as Box;
  }

  /** The bases that the question is about, on the screen; those that are held, if it is about moving some. */
  readonly anchors: Box[] = $derived.by(() => {
    const held = this.moves.group.filter((id) => this.table.pieces.has(id));
    return (held.length ? held : this.table.about).map((id) => this.boxOf(id)).filter((box) => box !== null);
  });

  /** What the answer in the making is about: what it would move and where to, whom it names. */
  readonly planned: Obstacle[] = $derived.by(() => {
    const { table, view, moves } = this;
    const found: Obstacle[] = [];
    for (const id of table.chosen) {
      const box = this.boxOf(id);
      if (box) found.push({ box: grown(box, 4), weight: WEIGHTS.meant });
    }
    if (moves.body) found.push(...this.#handles(moves.body));
    if (this.shapes) found.push({ box: this.shapes.box, weight: WEIGHTS.meant, touch: TOUCH });
    for (const ghost of moves.ghosts) {
      // The one that is held has a handle to turn it by.
      const rim = ghost.id === moves.held ? TURNS * view.scale : 10;
      found.push({ box: grown(this.#outlined(ghost.footprint, ghost.at, ghost.facing), rim), weight: WEIGHTS.meant });
      ghost.way.slice(1).forEach((to, k) => {
        const from = ghost.way[k] as Point;
        found.push(...alongLine(view.toScreen(from), view.toScreen(to)).map((box) => ({ box, weight: WEIGHTS.line })));
      });
    }
    for (const [item, option] of Object.entries(table.given)) {
      const [from, to] = [table.middleOf(item), table.middleOf(option)];
      if (from && to) found.push(...alongLine(view.toScreen(from), view.toScreen(to)).map((box) => ({ box, weight: WEIGHTS.line })));
    }
    return found;
  });

  /** What is dragged over the table now: a plan, or those who are to go before it has been asked where to. */
  readonly dragged: Obstacle[] = $derived.by(() => {
    const { moves, table } = this;
    const { drawn, along } = table.orders;
    const place = drawn && table.pieces.get(drawn.piece)?.place;
    if (!drawn || !place) return moves.dragging ? this.planned : [];
    const [dx, dy] = [drawn.to[0] - place.x, drawn.to[1] - place.y];
    return along.map(({ footprint, place: { x, y, facing } }) => ({ box: this.#outlined(footprint, [x + dx, y + dy], facing), weight: WEIGHTS.meant }));
  });

  /** What should be left free, by what words on the table do not give way to. */
  readonly obstacles: Obstacle[] = $derived.by(() => [...this.solid, ...this.#worded(WEIGHTS.label, TOUCH)]);
  /** What the question's card should leave free. */
  readonly underCard: Obstacle[] = $derived.by(() => [...this.solid, ...this.proposed, ...this.#worded(0, GIVES_WAY)]);

  /** Where the first proposals would set pieces down: a card that is placed before one is chosen leaves that free. */
  readonly proposed: Obstacle[] = $derived.by(() => {
    const { moves, table } = this;
    const { question } = table;
    if (question?.form !== "move" || table.draft !== undefined) return [];
    const pieces = new Map(question.pieces.map((piece) => [piece.id, piece]));
    return question.candidates.slice(0, PROPOSALS).flatMap((candidate, k) =>
      Object.entries(candidate as unknown as Steps).flatMap(([id, { to, facing }], n) => {
        const piece = pieces.get(id);
        if (!piece || !to) return [];
        const box = this.#outlined(moves.looks(piece).footprint, to, facing ?? piece.facing);
        return [{ box: grown(box, n ? RIM : TURNS * this.view.scale), weight: k ? WEIGHTS.line : WEIGHTS.meant }];
      }),
    );
  });

  #worded(weight: number, touch: number): Obstacle[] {
    const { view } = this;
    const { labels, strips } = this.laid;
    return [
      ...labels.map(({ at, wide, high }) => ({ box: about(...view.toScreen(at), wide + 4, high + 4), weight, touch })),
      ...strips.map(({ at, wide }) => ({ box: about(...view.toScreen(at), wide, SIGN), weight, touch })),
    ];
  }

  /** What lies where it lies. */
  readonly solid: Obstacle[] = $derived.by(() => {
    const { table, view } = this;
    const taken: Obstacle[] = this.taken.map((box) => ({ box, weight: WEIGHTS.meant, touch: TOUCH }));
    const found = [...this.planned, ...taken];
    const meant = new Set([...table.about, ...table.lit.keys(), ...table.guide.pieces]);
    for (const { id } of table.scene.pieces) {
      const box = table.chosen.has(id) ? null : this.boxOf(id);
      if (box) found.push({ box: grown(box, RIM), weight: meant.has(id) ? WEIGHTS.meant : WEIGHTS.piece, touch: TOUCH });
    }
    for (const spot of table.scene.spots) {
      const [x, y] = view.toScreen([spot.x, spot.y]);
      found.push({ box: [x - 26, y - 34, x + 32, y + 22], weight: WEIGHTS.line, touch: TOUCH });
    }
    for (const place of table.guide.places) {
      found.push({ box: about(...view.toScreen(place), 60, 90), weight: WEIGHTS.meant });
    }
    for (const area of table.question?.areas ?? []) {
      if (area.side && area.side !== table.live.seat) continue;
      const box = round(area.points.map((p) => { const [x, y] = view.toScreen(p); return [x, y, x, y] as Box; }));
      if (box) found.push({ box, weight: WEIGHTS.zone });
    }
    return found;
  });
}
