/** Pan and zoom of the board: wheel, pinch, buttons and keys, over d3-zoom. */

import { select, type Selection } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior, type ZoomTransform } from "d3-zoom";
import type { Point } from "../lib/types";

const MOST = 90;
/** Pixels at the top of the board that the tools take. */
const TOOLS = 46;

/** Where each table was last looked at: a cover lifted for the next seat shows the same ground. */
const left = new WeakMap<object, ZoomTransform>();

export class View {
  transform = $state.raw<ZoomTransform>(zoomIdentity);
  /** Size of the board on the screen, in pixels. */
  wide = $state(0);
  high = $state(0);
  /** Pixels an inch. */
  readonly scale: number = $derived(this.transform.k);
  /** The scale in steps of a fifth: what is laid out by it changes seldom. */
  readonly step: number = $derived(1.2 ** Math.round(Math.log(Math.max(1e-3, this.transform.k)) / Math.log(1.2)));

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

  #whole(): number {
    const { width, depth } = this.#table;
    return Math.min((this.wide - 24) / width, (this.high - TOOLS - 14) / depth);
  }

  /** How the board is first seen: all of it, or, on a narrow screen, as high as the screen. */
  begin(): void {
    const { width, depth } = this.#table;
    if (!width || !this.wide) return;
    const whole = this.#whole();
    const tall = Math.min((this.high - TOOLS - 14) / depth, 9);
    this.#lay(whole < 6.5 ? Math.max(whole, tall) : whole);
  }

  fit(): void {
    this.#touched = false;
    this.#lay(this.#whole());
  }

  /** The table under the tools; what room is left over is left below, where a question may rise. */
  #lay(scale: number): void {
    const { width, depth } = this.#table;
    this.#go(width / 2, depth / 2, scale, TOOLS + (depth * scale) / 2);
  }

  by(factor: number): void {
    if (this.#zoom) this.#svg?.call(this.#zoom.scaleBy, factor);
    this.#touched = true;
  }

  pan(right: number, up: number): void {
    if (this.#zoom) this.#svg?.call(this.#zoom.translateBy, -right / this.scale, up / this.scale);
    this.#touched = true;
  }

  /** Bring points into sight, without zooming out more than needed. */
  show(points: Point[]): void {
    if (!points.length) return;
    const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
    const [left, right, near, far] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const most = Math.min(this.wide / (right - left + 8), (this.high - TOOLS) / (far - near + 8));
    const scale = Math.min(Math.max(this.scale, 9), most);
    this.#touched = true;
    this.#go((left + right) / 2, this.#table.depth - (near + far) / 2, scale);
  }

  #go(x: number, y: number, scale: number, down = (this.high + TOOLS) / 2): void {
    if (!this.#zoom) return;
    const to = zoomIdentity.translate(this.wide / 2, down).scale(scale).translate(-x, -y);
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
