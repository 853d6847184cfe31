/** Every way to point at the table: pressing, dragging, clicking, hovering, with mouse or finger. */

import type { Table } from "../lib/table.svelte";
import { isMoving, type Point } from "../lib/types";
import { Moves, rounded } from "./moves.svelte";
import type { Tools } from "./tools.svelte";
import type { View } from "./view.svelte";

const HOVER = 350;
const PRESS = 450;
const SLACK = 4;
/** A click so many milliseconds after a tap is part of it. */
const ONE_TAP = 500;

type Held = "piece" | "order" | "turn" | "flank" | "mark" | "tool";

/** A press that may become a drag: of pieces, of the handle that turns them, of the mark, of a tool. */
interface Press {
  kind: Held;
  id: string;
  x: number;
  y: number;
  alone: boolean;
  offset: Point;
  moved: boolean;
  tray?: boolean;
}

/** What is told beside the pointer: of a piece, or of the ground at a place. */
export type Told = { x: number; y: number } & ({ piece: string; at?: undefined } | { at: Point; piece?: undefined });

const under = (target: EventTarget | null) =>
  (target instanceof Element ? target.closest("[data-piece]")?.getAttribute("data-piece") : null) ?? null;
/** With the pointer captured, its target is the picture: look what lies under it. */
const atPointer = (event: MouseEvent) => document.elementFromPoint(event.clientX, event.clientY);
const pieceAt = (event: MouseEvent) => under(atPointer(event));
const unitAt = (event: MouseEvent) => atPointer(event)?.closest("[data-unit]")?.getAttribute("data-unit") ?? null;

export class Pointing {
  svg = $state<SVGSVGElement>();
  told = $state.raw<Told | null>(null);
  /** The last thing touched was a key: then the focus is shown. */
  keyed = $state(false);

  #press: Press | null = null;
  /** What was pressed last has been dragged: the click that ends a drag is none. */
  #dragged = false;
  /** When something was last picked up by a tap. */
  #picked = -Infinity;
  #hovering: ReturnType<typeof setTimeout> | undefined;
  #pressing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: Table,
    readonly view: View,
    readonly moves: Moves,
    readonly tools: Tools,
  ) {}

  readonly asked = $derived.by(() => (this.table.covered ? null : this.table.question));
  readonly grab: Set<string> = $derived.by(() => new Set(isMoving(this.asked) ? this.asked.pieces.map((piece) => piece.id) : []));
  readonly mark: Point | null = $derived.by(() => {
    const { draft } = this.table;
    return this.asked?.form === "point" && Array.isArray(draft) && draft.length === 2 ? (draft as unknown as Point) : null;
  });

  get pressed(): boolean {
    return this.#press !== null;
  }

  at(event: { clientX: number; clientY: number }): Point {
    const box = this.svg?.getBoundingClientRect();
    return this.view.toTable(event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0));
  }

  onTable([x, y]: Point): boolean {
    const { width, depth } = this.table.scene;
    return x >= 0 && y >= 0 && x <= width && y <= depth;
  }

  /** Whether d3 may pan and zoom with this gesture. */
  free = (event: Event): boolean => {
    if (event instanceof WheelEvent) {
      if (!this.moves.dragging) return true;
      event.preventDefault();
      this.moves.turn(event.deltaY > 0 ? 15 : -15);
      return false;
    }
    if (typeof TouchEvent !== "undefined" && event instanceof TouchEvent && event.touches.length > 1) {
      this.drop();
      return true;
    }
    // A press was heard just before: what it holds is not the table.
    return !this.#press && this.tools.tool === "hand";
  };

  drop = (): void => {
    clearTimeout(this.#pressing);
    this.#press = null;
    this.moves.dragging = false;
    this.table.orders.drawn = null;
  };

  down = (event: PointerEvent): void => {
    const { table, tools, moves, mark } = this;
    this.#dragged = false;
    if (table.covered || event.button) return;
    this.keyed = false;
    this.svg?.focus({ preventScroll: true });
    const piece = under(event.target);
    const point = this.at(event);
    if (tools.tool !== "hand") {
      tools.start(point, piece);
      this.#hold(event, { kind: "tool", id: "", offset: [0, 0] });
    } else if (mark && event.target instanceof Element && event.target.closest("[data-mark]")) {
      this.#hold(event, { kind: "mark", id: "", offset: [mark[0] - point[0], mark[1] - point[1]] });
    } else if (moves.held !== null && event.target instanceof Element && event.target.closest("[data-turn]")) {
      this.#hold(event, { kind: "turn", id: moves.held, offset: [0, 0] });
    } else if (moves.held !== null && event.target instanceof Element && event.target.closest("[data-flank]")) {
      this.#hold(event, { kind: "flank", id: moves.held, offset: [0, 0] });
    } else if (piece !== null && this.grab.has(piece)) {
      const place = moves.place(piece) ?? point;
      this.#hold(event, { kind: "piece", id: piece, offset: [place[0] - point[0], place[1] - point[1]] });
    } else if (piece !== null && table.orders.mayDrag(piece)) {
      const { x, y } = table.pieces.get(piece)?.place ?? { x: point[0], y: point[1] };
      this.#hold(event, { kind: "order", id: piece, offset: [x - point[0], y - point[1]] });
    }
    if (event.pointerType === "touch") {
      const { clientX: x, clientY: y } = event;
      this.#pressing = setTimeout(() => {
        // A long press is a hover; dragged on, it moves this Team alone.
        this.told = piece === null ? { at: point, x, y } : { piece, x, y };
        if (this.#press) this.#press.alone = true;
      }, PRESS);
    }
  };

  #hold(event: PointerEvent, what: { kind: Held; id: string; offset: Point }): void {
    this.#press = { ...what, x: event.clientX, y: event.clientY, alone: event.altKey || this.tools.alone, moved: false };
    this.svg?.setPointerCapture(event.pointerId);
  }

  move = (event: PointerEvent): void => {
    const { moves, tools, table } = this;
    const press = this.#press;
    if (!press) {
      if (event.pointerType === "touch") clearTimeout(this.#pressing);
      else this.#hoverAt(event);
      return;
    }
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLACK) return;
    clearTimeout(this.#pressing);
    this.told = null;
    const point = this.at(event);
    const spot: Point = [point[0] + press.offset[0], point[1] + press.offset[1]];
    if (!press.moved) {
      press.moved = true;
      if (press.kind === "piece") {
        moves.take(press.id, press.alone);
        moves.dragging = true;
      }
    }
    if (press.kind === "piece") moves.to(spot);
    else if (press.kind === "order") table.orders.drawn = { piece: press.id, to: spot, alone: press.alone };
    else if (press.kind === "turn") moves.face(point);
    else if (press.kind === "flank") moves.widen(point);
    else if (press.kind === "mark") table.setDraft(rounded(spot));
    else tools.move(point, pieceAt(event));
  };

  up = (event: PointerEvent): void => {
    clearTimeout(this.#pressing);
    if (!this.#press) return;
    const { kind, moved, id, tray, alone, offset } = this.#press;
    this.#press = null;
    if (!moved) {
      if (!tray) return;
      // The picture has caught the pointer, and with it the click: it picks up what waits beside the table.
      this.#pickUp(id);
      this.#picked = event.timeStamp;
      this.#dragged = true;
      return;
    }
    this.#dragged = true;
    this.moves.dragging = false;
    if (kind === "order") {
      this.table.select(id);
      const [x, y] = this.at(event);
      this.table.orders.drag(id, rounded([x + offset[0], y + offset[1]]), alone);
    }
    if (kind === "mark") void this.table.check();
    if (kind === "piece") {
      const [x, y] = this.at(event);
      const { width, depth } = this.table.scene;
      if (x < -2 || y < -2 || x > width + 2 || y > depth + 2) this.moves.takeBack();
    }
  };

  click = (event: MouseEvent): void => {
    const { table, moves, tools, asked } = this;
    if (this.#dragged || table.covered || tools.tool !== "hand") return;
    // Who points at something means it, and need not be told of it.
    clearTimeout(this.#hovering);
    const [piece, unit] = [pieceAt(event), unitAt(event)];
    const point = rounded(this.at(event));
    if (moves.carrying) {
      moves.to(point);
      moves.carrying = false;
    } else if (asked?.form === "move" && event.shiftKey && moves.held) moves.passBy(point);
    else if (asked?.form === "point" && this.onTable(point)) {
      table.setDraft(point);
      void table.check();
    } else if (piece !== null) {
      this.told = null;
      this.onPiece(piece, event.altKey || tools.alone);
    } else if (unit !== null) this.onUnit(unit);
    else {
      table.select(null);
      const touched = event instanceof PointerEvent && event.pointerType === "touch";
      this.told = touched && !this.told && this.onTable(point) ? { at: point, x: event.clientX, y: event.clientY } : null;
    }
  };

  onPiece(id: string, alone = this.tools.alone): void {
    const { table, moves, tools } = this;
    const piece = table.pieces.get(id);
    if (table.orders.click(id, alone)) {
      if (piece?.side === table.live.seat) table.select(id);
      return;
    }
    const [choice] = table.lit.get(id) ?? [];
    if (choice !== undefined) table.choose(choice);
    if (this.grab.has(id)) moves.take(id, tools.alone);
    if (piece && (choice === undefined || piece.side === table.live.seat)) table.select(id);
  }

  onUnit(unit: string): void {
    const first = this.table.scene.pieces.find((piece) => piece.unit === unit);
    if (first) this.onPiece(first.id);
  }

  /** A die is dropped on whoever stands at a point of the screen: he is the one that it is spent on. */
  spendAt(x: number, y: number): void {
    const there = document.elementFromPoint(x, y);
    const unit = there?.closest("[data-unit]")?.getAttribute("data-unit");
    const piece = under(there) ?? this.table.scene.pieces.find((each) => each.unit === unit)?.id ?? null;
    if (piece !== null) this.onPiece(piece, false);
  }

  #hoverAt(event: PointerEvent): void {
    const { table } = this;
    const piece = under(event.target);
    const { clientX: x, clientY: y } = event;
    if (piece !== null && piece === table.hover) return;
    clearTimeout(this.#hovering);
    table.hover = piece;
    const point = this.at(event);
    if (piece === null) {
      // The ground tells of itself where the pointer rests.
      if (this.told && Math.hypot(x - this.told.x, y - this.told.y) > SLACK) this.told = null;
      const bare = event.target instanceof Element && !event.target.closest("[data-unit]");
      this.#hovering = setTimeout(() => {
        if (table.hover === null && !this.#press && bare && this.onTable(point)) this.told = { at: point, x, y };
      }, 2 * HOVER);
      return;
    }
    this.told = null;
    // What is being planned has a card of its own already.
    if (event.target instanceof Element && event.target.closest("[data-ghost]")) return;
    this.#hovering = setTimeout(() => {
      if (table.hover === piece && !this.#press) this.told = { piece, x, y };
    }, HOVER);
  }

  away = (): void => {
    clearTimeout(this.#hovering);
    this.table.hover = null;
    this.told = null;
  };

  grabFromTray = (id: string, event: PointerEvent): void => {
    if (event.button) return;
    event.preventDefault();
    this.#dragged = false;
    const alone = event.altKey || this.tools.alone;
    this.#press = { kind: "piece", id, x: event.clientX, y: event.clientY, alone, offset: [0, 0], moved: false, tray: true };
    this.svg?.setPointerCapture(event.pointerId);
  };

  /** A click on what waits; one that follows a tap has been heard as that tap. */
  pickUp = (id: string, event: MouseEvent): void => {
    if (event.timeStamp - this.#picked > ONE_TAP) this.#pickUp(id);
  };

  /** Carry what waits beside the table to where the next click is; once more, and it is carried alone. */
  #pickUp(id: string): void {
    const { moves, tools } = this;
    moves.take(id, tools.alone || (moves.carrying && moves.held === id));
    moves.carrying = true;
  }
}
