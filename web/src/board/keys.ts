/** The board's own keys, for moving over the table. Letters that the shell uses are not used here. */

import { isMoving, type Point } from "../lib/types";
import { rounded } from "./moves.svelte";
import type { Pointing } from "./pointing.svelte";

const arrows: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function boardKey(event: KeyboardEvent, pointing: Pointing): void {
  const { table, view, moves, tools, asked, svg } = pointing;
  if (event.key === "Tab" || event.key in arrows) pointing.keyed = true;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || table.covered) return;
  if (event.target instanceof HTMLElement && event.target.closest("input, select, textarea, [role=tab], dialog")) return;
  const arrow = arrows[event.key];
  if (arrow) {
    const step = event.shiftKey ? 0.1 : 1;
    if (isMoving(asked) && moves.held) moves.nudge(arrow[0] * step, arrow[1] * step);
    else if (asked?.form === "point") nudgeMark(pointing, arrow, step);
    else view.pan(arrow[0] * 80, arrow[1] * 80);
    event.preventDefault();
    return;
  }
  if (event.key === "Tab" && event.target === svg) {
    if (cycle(pointing, event.shiftKey ? -1 : 1)) event.preventDefault();
    return;
  }
  if (event.key === "Escape") {
    if (!escape(pointing)) return;
    event.preventDefault();
    return;
  }
  if (event.key === " " && event.target === svg && table.piece !== null) {
    pointing.onPiece(table.piece);
    event.preventDefault();
    return;
  }
  const deeds: Record<string, () => void> = {
    "+": () => view.by(1.3),
    "=": () => view.by(1.3),
    "-": () => view.by(1 / 1.3),
    "0": () => view.fit(),
    q: () => moves.turn(event.shiftKey ? -5 : -15),
    e: () => moves.turn(event.shiftKey ? 5 : 15),
    g: () => (tools.grid = !tools.grid),
    v: () => (tools.shade = !tools.shade),
    m: () => tools.pick("ruler"),
    i: () => tools.pick("line"),
    o: () => (tools.alone = !tools.alone),
    "]": () => void cycle(pointing, 1),
    "[": () => void cycle(pointing, -1),
  };
  const deed = deeds[event.key.toLowerCase()];
  if (!deed) return;
  deed();
  event.preventDefault();
}

/** Take back one step of what the hand does on the table; false when there is none. */
function escape(pointing: Pointing): boolean {
  const { moves, tools, table } = pointing;
  if (moves.dragging) {
    pointing.drop();
    moves.forget();
    table.stepBack();
  } else if (moves.carrying) moves.carrying = false;
  else if (tools.tool !== "hand" || tools.sideView) tools.pick("hand");
  else if (moves.waypoints.length) moves.dropCorner();
  else {
    // A plan may still be on its way: it is not wanted any more.
    moves.forget();
    if (table.draft !== undefined || table.piece === null) return false;
    table.select(null);
  }
  return true;
}

function nudgeMark({ table, view, asked, mark }: Pointing, [dx, dy]: Point, step: number): void {
  const first = asked?.candidates[0];
  const from = mark ?? (Array.isArray(first) ? (first as unknown as Point) : view.toTable(view.wide / 2, view.high / 2));
  table.setDraft(rounded(mark ? [from[0] + dx * step, from[1] + dy * step] : from));
  void table.check();
}

/** To the next piece that the question is about, or else to the next Unit; false at the end of the row. */
function cycle({ table, view, moves, tools, asked }: Pointing, by: number): boolean {
  const { scene } = table;
  const row =
    isMoving(asked)
      ? asked.pieces.map((piece) => piece.id)
      : table.lit.size
        ? [...table.lit.keys()]
        : [...new Map(scene.pieces.map((piece) => [piece.unit || piece.id, piece.id])).values()];
  const now = isMoving(asked) ? moves.held : table.piece;
  const index = row.indexOf(now ?? "");
  const next = row[index < 0 ? (by > 0 ? 0 : row.length - 1) : index + by];
  if (next === undefined) return false;
  if (isMoving(asked)) moves.take(next, tools.alone);
  if (table.pieces.has(next)) {
    table.select(next);
    view.keepInSight(table.placesOf([next]));
  }
  return true;
}
