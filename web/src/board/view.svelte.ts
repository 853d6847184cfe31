/** Pan and zoom of the board: wheel, pinch, buttons and keys, over d3-zoom. */

import { select, type Selection } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior, type ZoomTransform } from "d3-zoom";
import type { Point } from "../lib/types";

const MOST = 90;
/** Labels are laid out anew when the zoom has changed by so much. */
const STEP = 1.05;
/** Pixels of the desk that are seen round the table. */
const RIM = 8;
/** The table gives way to drawers down to this part of its size; then they cover its edges. */
const GIVES = 0.92;

/** Pixels at the edges of the board that drawers and tools take. */
export interface Insets {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where each table was last looked at: a cover lifted for the next seat shows the same ground. */
const left = new WeakMap<object, ZoomTransform>();

export class View {
  transform = $state.raw<ZoomTransform>(zoomIdentity);
  /** Size of the board on the screen, in pixels. */
  wide = $state(0);
  high = $state(0);
  insets = $state.raw<Insets>({ left: 0, right: 0, top: 0, bottom: 0 });
  /** Pixels an inch. */
  readonly scale: number = $derived(this.transform.k);
  /** The scale in small steps, never above it: what is laid out by it changes seldom, and finds no less room. */
  readonly step: number = $derived(STEP ** Math.floor(Math.log(Math.max(1e-3, this.transform.k)) / Math.log(STEP) + 1e-6));
  /** The board between its edges: left, top, right, bottom. */
  readonly room: [number, number, number, number] = $derived([
    this.insets.left,
    this.insets.top,
    this.wide - this.insets.right,
    this.high - this.insets.bottom,
  ]);

  #zoom: ZoomBehavior<SVGSVGElement, unknown> | null = null;
  #svg: Selection<SVGSVGElement, unknown, null, undefined> | null = null;
  #table: { width: number; depth: number } = { width: 0, depth: 0 };
  #touched = false;

  constructor(readonly owner: object) {}

  /** Take hold of the picture; `free` says whether a gesture that begins there may pan. */
  attach(svg: SVGSVGElement, free: (event: Event) => boolean): () => void {
    const behaviour = zoom<SVGSVGElement, unknown>()
      .filter((event: Event) => {
        if (event instanceof WheelEvent) return !event.altKey && free(event);
        if (event instanceof MouseEvent && event.button) return event.button === 1;
        return free(event);
      })
      .clickDistance(4)
      .on("zoom", (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        this.transform = event.transform;
        if (event.sourceEvent) this.#touched = true;
      });
    this.#zoom = behaviour;
    this.#svg = select(svg);
    this.#svg.call(behaviour).on("dblclick.zoom", null);
    const watch = new ResizeObserver(([entry]) => {
      if (!entry) return;
      this.wide = entry.contentRect.width;
      this.high = entry.contentRect.height;
      this.#bound();
      if (!this.#touched) this.begin();
    });
    watch.observe(svg);
    return () => {
      if (this.#touched) left.set(this.owner, this.transform);
      watch.disconnect();
      this.#svg?.on(".zoom", null);
    };
  }

  lay(width: number, depth: number): void {
    if (width === this.#table.width && depth === this.#table.depth) return;
    this.#table = { width, depth };
    this.#bound();
    const before = left.get(this.owner);
    this.#touched = before !== undefined;
    if (before && this.#zoom) this.#svg?.call(this.#zoom.transform, before);
    else this.begin();
  }

  #bound(): void {
    const { width, depth } = this.#table;
    if (!this.#zoom || !width || !this.wide) return;
    const room = [this.wide, this.high] as const;
    const away = Math.min(width, depth) / 2;
    this.#zoom
      .extent([[0, 0], [...room]])
      .scaleExtent([this.#whole() * 0.8, MOST])
      .translateExtent([[-away, -away], [width + away, depth + away]]);
  }

  /** Drawers open over the desk: the table goes where it is least covered, and keeps its size. */
  inset(insets: Insets): void {
    const { left, right, top, bottom } = this.insets;
    if (left === insets.left && right === insets.right && top === insets.top && bottom === insets.bottom) return;
    this.insets = insets;
    if (!this.#touched) this.begin();
  }

  /** Whether the whole table has room between edges as wide as these. */
  fits(left: number, right: number): boolean {
    const { width, depth } = this.#table;
    const [, top, , bottom] = this.room;
    return ((bottom - top - 2 * RIM) * width) / depth <= this.wide - left - right;
  }

  /** The scale at which all of the table is seen: beside the drawers, as long as that makes it little smaller. */
  #whole(): number {
    const { width, depth } = this.#table;
    const [left, top, right, bottom] = this.room;
    const most = Math.min((this.wide - 2 * RIM) / width, (bottom - top - 2 * RIM) / depth);
    return Math.min(most, Math.max(most * GIVES, (right - left - 2 * RIM) / width));
  }

  /** How the board is first seen: all of it, or, on a narrow screen, as high as the screen. */
  begin(): void {
    const { width, depth } = this.#table;
    if (!width || !this.wide) return;
    const whole = this.#whole();
    const tall = Math.min((this.high - 2 * RIM) / depth, 9);
    this.#lay(whole < 6.5 ? Math.max(whole, tall) : whole);
  }

  fit(): void {
    this.#touched = false;
    this.#lay(this.#whole());
  }

  #lay(scale: number): void {
    const { width, depth } = this.#table;
    this.#go(width / 2, depth / 2, scale);
  }

  by(factor: number): void {
    if (this.#zoom) this.#svg?.call(this.#zoom.scaleBy, factor);
    this.#touched = true;
  }

  pan(right: number, up: number): void {
    if (this.#zoom) this.#svg?.call(this.#zoom.translateBy, -right / this.scale, up / this.scale);
    this.#touched = true;
  }

  /** Move the view only if one of the points lies beyond it. */
  keepInSight(points: Point[]): void {
    const [left, top, right, bottom] = this.room;
    const hidden = points.map((point) => this.toScreen(point)).some(([x, y]) => x < left + 12 || y < top + 12 || x > right - 12 || y > bottom - 12);
    if (hidden && this.wide) this.show(points);
  }

  /** Bring points into sight, without zooming out more than needed. */
  show(points: Point[]): void {
    if (!points.length) return;
    const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
    const [left, right, near, far] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [x0, y0, x1, y1] = this.room;
    const most = Math.min((x1 - x0) / (right - left + 8), (y1 - y0) / (far - near + 8));
    const scale = Math.min(Math.max(this.scale, 9), most);
    this.#touched = true;
    // As little of the desk as need be: the table reaches to the edges of the screen where it is large enough.
    const within = (at: number, room: number, size: number) => (room >= size ? size / 2 : Math.max(room / 2, Math.min(size - room / 2, at)));
    const { width, depth } = this.#table;
    this.#go(within((left + right) / 2, (x1 - x0) / scale, width), within(depth - (near + far) / 2, (y1 - y0) / scale, depth), scale);
  }

  #go(x: number, y: number, scale: number): void {
    if (!this.#zoom) return;
    const [left, top, right, bottom] = this.room;
    const to = zoomIdentity.translate((left + right) / 2, (top + bottom) / 2).scale(scale).translate(-x, -y);
    this.#svg?.call(this.#zoom.transform, to);
  }

  /** A place on the screen (within the board) as a place on the table. */
  toTable(x: number, y: number): Point {
    const [tx, ty] = this.transform.invert([x, y]);
    return [tx, this.#table.depth - ty];
  }

  toScreen([x, y]: Point): Point {
    return this.transform.apply([x, this.#table.depth - y]);
  }
}
