/** Moving pieces: what is held, where it shall go, and what the server says to it. The draft itself is the table's. */

import { NotDone } from "../lib/live.svelte";
import type { Table } from "../lib/table.svelte";
import { isMoving, type Fact, type Footprint, type MovePiece, type Point, type Pose, type Refusal, type Steps } from "../lib/types";
import { bearing, distance, heading, pathLength, plus } from "./geometry";
import { Pace } from "./pace";

/** Where a piece would stand. */
export interface Ghost {
  id: string;
  at: Point;
  facing: number;
  turret: number | null;
  /** From where it stands, by way of its corners; empty if it comes from beside the table. */
  way: Point[];
  inches: number;
  facts: Fact[];
  refused: boolean;
  held: boolean;
  footprint: Footprint;
  side: string;
  kind: string;
  /** The kind of terrain that it becomes, if it is no base of troops. */
  ground: string | null;
}

/** How far before the front of a body the handle lies that wheels it, in inches. */
export const HANDLE = 2.8;

/** How far from the middle of a front the handle lies that makes it wider or narrower. */
export const flank = (files: number, pitch: number): number => (files * pitch) / 2 + 1;

/** The size of what has no base of its own: a marker. */
const MARKER: Point = [1.25, 1.25];

const hundredth = (value: number) => Math.round(value * 100) / 100;
export const rounded = ([x, y]: Point): Point => [hundredth(x), hundredth(y)];
const turned = (facing: number) => (((Math.round(facing * 10) / 10) % 360) + 360) % 360;

export class Moves {
  /** The pieces that are moved together, and the one of them that is held. */
  group = $state.raw<string[]>([]);
  held = $state<string | null>(null);
  /** A drag is under way; or, `carrying`, the next click sets the group down. */
  dragging = $state(false);
  carrying = $state(false);
  waypoints = $state.raw<Point[]>([]);
  /** The server has not yet said how the last step would end. */
  planning = $state(false);
  /** How far the held piece could go, in directions all round from north; empty until the server has said. */
  reach = $state.raw<number[]>([]);

  /** March: how many shall stand abreast, if that was said. */
  files = $state<number | null>(null);

  #to: Point | null = null;
  /** How often a draft was dropped: a reply that was asked for before then comes too late. */
  #dropped = 0;
  #facing: number | undefined;
  #pace = new Pace(() => this.#plan());

  constructor(readonly table: Table) {}

  /** The pieces of the question that belong together with this one. */
  together(id: string): string[] {
    const { question } = this.table;
    if (!isMoving(question)) return [];
    // A body in ranks goes as one.
    if (question.form === "march") return question.pieces.map((piece) => piece.id);
    const unit = this.#unit(id);
    return question.pieces.filter((piece) => piece.id === id || (unit && this.#unit(piece.id) === unit)).map((piece) => piece.id);
  }

  #unit(id: string): string {
    return this.table.teams.get(id)?.unit.id || this.table.pieces.get(id)?.unit || "";
  }

  /** Take hold of a piece and its unit, or of it alone. */
  take(id: string, alone = false): void {
    const group = alone && this.table.question?.form === "move" ? [id] : this.together(id);
    // What was let go of last stands where it was dropped, however late the server's word for that comes.
    if (this.held !== id && this.#pace.again) void this.#plan();
    if (this.held !== id || group.length !== this.group.length) {
      this.#facing = undefined;
      this.waypoints = [];
    }
    if (this.held !== id) void this.#askReach(id);
    this.group = group;
    this.held = id;
    this.#to = null;
  }

  async #askReach(piece: string): Promise<void> {
    const { table } = this;
    const { number } = table;
    this.reach = [];
    if (table.question?.form !== "move" || !table.movable(piece)?.at) return;
    // Of a unit that is drawn as one, how far one man could go alone says little.
    const unit = this.#unit(piece);
    if (table.scene.bodies.some((body) => body.id === unit)) return;
    try {
      const { reach } = await table.live.request("reach", { number, piece });
      if (this.held === piece && table.number === number) this.reach = reach;
    } catch (error) {
      // Without an answer the plain ring stays.
      if (!(error instanceof NotDone)) throw error;
    }
  }

  letGo(): void {
    this.group = [];
    this.held = null;
    this.reach = [];
    this.dragging = false;
    this.carrying = false;
    this.forget();
  }

  /** The draft is gone: what is held stays held, and stands where it stood. */
  forget(): void {
    this.#dropped += 1;
    this.waypoints = [];
    this.#to = null;
    this.#facing = undefined;
    this.files = null;
  }

  /** March: where the body stands, as it is planned or as it is. */
  readonly body: Pose | null = $derived.by(() => {
    const { question, body, draft } = this.table;
    return question?.form === "march" ? ((draft === undefined ? null : body?.pose) ?? question.pose) : null;
  });

  /** How many shall stand abreast in a body that forms up. */
  abreast(files: number): void {
    this.files = files;
    if (this.held) this.to(this.#start(this.held));
  }

  /** Plan to stand where what is held stands: how it would form up there. */
  stay(): void {
    if (this.held && this.table.movable(this.held)?.at) this.to(this.#start(this.held));
  }

  /** The front of a body is as wide as from its middle to a place: as many abreast as come nearest to that. */
  widen(towards: Point): void {
    const { question } = this.table;
    const { body } = this;
    if (question?.form !== "march" || !body || question.files.length < 2) return;
    const [x, y] = heading(body.facing + 90);
    const half = Math.abs((towards[0] - body.at[0]) * x + (towards[1] - body.at[1]) * y);
    const off = (files: number) => Math.abs(half - flank(files, question.pitch));
    const files = question.files.reduce((best, each) => (off(each) < off(best) ? each : best));
    if (files !== (this.files ?? body.files)) this.abreast(files);
  }

  /** Where a plan begins that changes only how something stands. */
  #start(id: string): Point {
    const { table } = this;
    // A body's men are carried round by a wheel: what is planned counts from where they stand.
    const now = table.question?.form === "march" ? table.movable(id)?.at : this.place(id);
    return this.#to ?? now ?? [0, 0];
  }

  /** Where a piece is now: in the draft, or where it stands. */
  place(id: string): Point | null {
    const { table } = this;
    return table.steps[id]?.to ?? table.planned.get(id)?.at ?? table.movable(id)?.at ?? null;
  }

  facing(id: string): number {
    const { table } = this;
    return table.steps[id]?.facing ?? table.planned.get(id)?.facing ?? table.movable(id)?.facing ?? 0;
  }

  to(at: Point): void {
    this.#to = rounded(at);
    const run = this.#pace.run();
    this.table.planning = run;
    this.planning = true;
    void run.finally(() => (this.planning = false));
  }

  /** By so many inches from where it is planned or stands; what waits beside the table begins at a good place. */
  nudge(right: number, up: number): void {
    if (!this.held) return;
    const from = this.#to ?? this.place(this.held) ?? this.#goodPlace(this.held);
    this.to(this.place(this.held) ? plus(from, [right, up]) : from);
  }

  #goodPlace(id: string): Point {
    for (const candidate of this.table.question?.candidates ?? []) {
      const step = candidate && typeof candidate === "object" && !Array.isArray(candidate) ? candidate[id] : undefined;
      if (step && typeof step === "object" && !Array.isArray(step) && Array.isArray(step.to)) return step.to as Point;
    }
    const { width, depth } = this.table.scene;
    return [width / 2, depth / 2];
  }

  turn(by: number): void {
    if (!this.held) return;
    this.#facing = turned((this.#facing ?? this.facing(this.held)) + by);
    if (this.#to || this.place(this.held)) this.to(this.#start(this.held));
  }

  /** Turn what is held towards a place. */
  face(towards: Point): void {
    if (this.held === null) return;
    const from = this.body?.at ?? this.#to ?? this.place(this.held);
    if (!from || distance(from, towards) < 0.2) return;
    this.#facing = turned(bearing(from, towards));
    this.to(this.#start(this.held));
  }

  /** Go by way of this point. */
  passBy(at: Point): void {
    if (!this.held) return;
    this.waypoints = [...this.waypoints, rounded(at)];
    this.to(this.#to ?? this.place(this.held) ?? at);
  }

  /** Not by way of the last corner. */
  dropCorner(): void {
    this.waypoints = this.waypoints.slice(0, -1);
    if (this.#to) this.to(this.#to);
  }

  /** Put the group back where it stands, or beside the table. */
  takeBack(): void {
    const { table } = this;
    const kept = Object.entries(table.steps).filter(([id]) => !this.group.includes(id));
    table.planned = new Map([...table.planned].filter(([id]) => !this.group.includes(id)));
    if (kept.length) table.setSteps(Object.fromEntries(kept));
    else table.clear();
    this.letGo();
  }

  async #plan(): Promise<void> {
    const { table, held, group, waypoints, files } = this;
    const to = this.#to;
    const dropped = this.#dropped;
    const { number } = table;
    const { question } = table;
    if (!to || !held || !isMoving(question)) return;
    try {
      const facing = this.#facing;
      const plan = await table.live.request("plan", {
        number, pieces: group, to, from: held, ...(facing === undefined ? {} : { facing }), ...(files === null ? {} : { files }),
      });
      if (table.number !== number || this.#dropped !== dropped) return;
      table.take(plan);
      if (question.form === "march") {
        table.setDraft(plan.answer);
        table.refusal = plan.refusal ?? null;
        return;
      }
      const others = Object.entries(table.steps).filter(([id]) => !group.includes(id));
      const steps: Steps = { ...Object.fromEntries(others), ...this.#byWay(plan.answer as unknown as Steps, held, waypoints) };
      table.setSteps(steps);
      table.refusal = plan.refusal ?? null;
      if (!this.#pace.again && (others.length || waypoints.length)) await table.check();
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      table.refusal = error.refusal;
    }
  }

  /** The steps by way of the corners, each piece as far beside them as it stands beside the held one. */
  #byWay(steps: Steps, held: string, waypoints: Point[]): Steps {
    const from = this.table.movable(held)?.at;
    if (!waypoints.length || !from) return steps;
    return Object.fromEntries(
      Object.entries(steps).map(([id, step]) => {
        const at = this.table.movable(id)?.at ?? from;
        const via = waypoints.map((point) => rounded(plus(point, [at[0] - from[0], at[1] - from[1]])));
        return [id, { ...step, via }];
      }),
    );
  }

  /** Everything that would stand elsewhere. */
  readonly ghosts: Ghost[] = $derived.by(() => {
    const { table } = this;
    const { question } = table;
    if (!isMoving(question) || table.draft === undefined) return [];
    const { refusal, steps } = table;
    return question.pieces.flatMap((piece) => {
      const step = steps[piece.id];
      const plan = table.planned.get(piece.id);
      const at = step?.to ?? plan?.at;
      const facing = step?.facing ?? plan?.facing ?? piece.facing;
      if (!at || (piece.at && distance(at, piece.at) < 0.01 && facing === piece.facing)) return [];
      // Of a body in ranks the ways of its flanks are drawn, as the server says.
      const way = question.form === "march" ? (plan?.way ?? []) : piece.at ? [piece.at, ...(step?.via ?? []), at] : [];
      return [
        {
          ...this.looks(piece),
          id: piece.id,
          at,
          facing,
          turret: step?.turret ?? null,
          way,
          inches: step?.via?.length ? pathLength(way) : (plan?.inches ?? pathLength(way)),
          facts: plan?.facts ?? [],
          refused: isRefused(refusal, piece.id, question.form === "move" ? question.pieces : []),
          held: this.group.includes(piece.id),
        },
      ];
    });
  });

  /** What the question sets down and no plan has yet: it waits beside the table. */
  readonly waiting: MovePiece[] = $derived.by(() => {
    const { question, covered } = this.table;
    if (covered || !isMoving(question)) return [];
    const planned = new Set(this.ghosts.map((ghost) => ghost.id));
    return question.pieces.filter((piece) => piece.at === null && !planned.has(piece.id));
  });

  /** How a piece looks: as it stands, or as its profile says. */
  looks(piece: MovePiece): Pick<Ghost, "footprint" | "side" | "kind" | "ground"> {
    const { table } = this;
    const own = table.pieces.get(piece.id);
    if (own) return { footprint: own.footprint, side: own.side, kind: own.kind, ground: null };
    const known = table.teams.get(piece.id);
    const [width, depth] = piece.base ?? MARKER;
    return {
      footprint: { width, depth, shape: piece.round ? "circle" : "rectangle" },
      side: known?.unit.side ?? table.live.seat ?? "",
      kind: (known && table.profiles[known.team.profile]?.look) ?? "",
      ground: piece.ground ?? null,
    };
  }
}

/** A refusal that names a piece strikes that piece; any other strikes all. */
function isRefused(refusal: Refusal | null, id: string, pieces: MovePiece[]): boolean {
  if (!refusal) return false;
  return pieces.some((piece) => piece.id === refusal.field) ? refusal.field === id : true;
}
