/**
 * Orders by pointing: a click on a Team says who acts, a drag that it moves and where to, a click on an enemy that it
 * fires and at whom, a handle how its Unit shall stand. Each is several answers, given one by one as the questions come; it ends where another is asked.
 */

import { NotDone } from "./live.svelte";
import type { Table } from "./table.svelte";
import type { Json, Option, Point, Question, ScenePiece } from "./types";
import { farEnough } from "./ways";

/** What shall come of a gesture; `piece` was dragged, `target` was clicked. */
export type Intent =
  | { act: "move"; piece: string; alone: boolean; to: Point }
  | { act: "fire"; target: string }
  | { act: "shape"; id: string };

/** A handle at a Unit: how it may stand. It is chosen by what is done first (`what`), or by a question put again (`again`). */
export interface Shaping {
  id: string;
  shape: string;
  label: string;
  /** It stands so, or will. */
  now: boolean;
  what: string | null;
  again: number | null;
}

const CANNOT = { move: "Nobody here can be told to move now.", fire: "Nobody here can be told to fire now." };
const NOT_THAT_ONE = "None of them can fire at that one. Those that can be fired at are marked.";

export class Orders {
  intent = $state.raw<Intent | null>(null);
  /** A drag that is under way: from where, and to where. */
  drawn = $state.raw<{ piece: string; to: Point; alone: boolean } | null>(null);
  /** How a Unit shall stand was just said by a handle: how it would look is shown at once. */
  formed = false;
  #begun = -1;

  constructor(readonly table: Table) {
    $effect(() => {
      // Each new question is answered as the gesture meant it.
      void table.question;
      if (this.intent && !table.sending && table.number !== this.#begun) this.#goOn(this.intent);
    });
  }

  /** Who acts if this piece is clicked: its whole Unit or, alone, itself. */
  who(piece: string, alone = false): Option | undefined {
    const asked = this.table.question;
    if (asked?.form !== "choose" || asked.step !== "who") return undefined;
    const found = asked.options.filter((option) => option.pieces?.length && this.table.standsFor(option.id).includes(piece));
    const wide = (option: Option) => this.table.standsFor(option.id).length;
    found.sort((one, other) => (alone ? wide(one) - wide(other) : wide(other) - wide(one)));
    return found[0];
  }

  /** A click on a piece that is part of an order. True if it was one. */
  click(piece: string, alone: boolean): boolean {
    const { table } = this;
    const asked = table.question;
    const option = this.who(piece, alone);
    if (option) {
      // What a die answers at once, or nobody would want, is looked at first.
      if (asked?.commits || option.warning) table.choose(option.id);
      else void table.send(option.id);
      return true;
    }
    const enemy = table.pieces.get(piece)?.side !== table.live.seat;
    if (!enemy || asked?.step !== "what" || this.#what(asked, "fire") === undefined) return false;
    this.#begin({ act: "fire", target: piece });
    return true;
  }

  /** Whether this piece can be dragged before anybody has asked where to. */
  mayDrag(piece: string): boolean {
    const { table } = this;
    const asked = table.question;
    if (table.covered || table.pieces.get(piece)?.side !== table.live.seat) return false;
    if (asked?.step === "who") return this.who(piece) !== undefined;
    return asked?.step === "what" && this.#concerns(asked, piece) && this.#what(asked, "move") !== undefined;
  }

  /** The pieces that go along with the drag that is under way: where each lands, only the game can say. */
  readonly along: ScenePiece[] = $derived.by(() => {
    if (!this.drawn) return [];
    const { table } = this;
    const { piece, alone } = this.drawn;
    const option = this.who(piece, alone);
    const unit = table.pieces.get(piece)?.unit;
    const ids = new Set(option ? table.standsFor(option.id) : []);
    return table.scene.pieces.filter(({ id, unit: own }) => id === piece || (option ? ids.has(id) : !alone && unit && own === unit));
  });

  /** How far a drag goes that is under way and, where that is asked now, by which move: "Double Time 11.5″". */
  readonly goes: string = $derived.by(() => {
    const { drawn, table } = this;
    const place = drawn && table.pieces.get(drawn.piece)?.place;
    if (!drawn || !place) return "";
    const inches = Math.hypot(drawn.to[0] - place.x, drawn.to[1] - place.y);
    const asked = table.question;
    const options = asked?.form === "choose" && asked.step === "what" ? asked.options.filter((option) => option.act === "move") : [];
    const way = farEnough(options, inches);
    return `${way ? `${table.words(way.label)} ` : ""}${inches.toFixed(1)}″`;
  });

  /** Whether a question is about this piece, or about its Unit. */
  #concerns(asked: Question, piece: string): boolean {
    const unit = this.table.pieces.get(piece)?.unit;
    return (asked.form === "assign" && piece in asked.items) || (!!unit && asked.facts.unit === unit);
  }

  /** How the Unit that acts may be told to stand now. */
  readonly shapings: Shaping[] = $derived.by(() => {
    const { table } = this;
    const asked = table.question;
    if (!asked || table.covered || table.moment) return [];
    const found = new Map<string, Shaping>();
    const add = (option: Option, now: boolean, what: string | null, again: number | null) => {
      if (option.shape && !found.has(option.shape)) found.set(option.shape, { id: option.id, shape: option.shape, label: option.label, now, what, again });
    };
    if (asked.form === "choose") {
      for (const option of asked.options) {
        for (const [k, next] of (option.then ?? []).entries()) add(next, k === 0, option.id, null);
        if (asked.step === "detail" || asked.step === "deploy") add(option, table.draft === option.id, null, null);
      }
    } else {
      const line = table.live.state?.settled.at(-1);
      if (line?.changes && line.number === table.number - 1) {
        for (const option of line.shapes ?? []) add(option, option.id === line.chosen, null, line.number);
      }
    }
    return found.size > 1 ? [...found.values()] : [];
  });

  /** Have the Unit stand so. */
  shape(by: Shaping): void {
    if (by.what !== null || by.again !== null) this.intent = { act: "shape", id: by.id };
    if (by.what !== null) void this.#send(by.what);
    else if (by.again !== null) void this.#again(by.again);
    else void this.table.send(by.id);
  }

  async #again(number: number): Promise<void> {
    this.#begun = this.table.number;
    try {
      await this.table.live.request("change", { number });
    } catch (error) {
      this.drop();
      if (!(error instanceof NotDone)) throw error;
      this.table.refusal = error.refusal;
    }
  }

  /** The question how it shall stand has come, or a habit has answered it. */
  #form(asked: Question, id: string): void {
    const meant = this.shapings.find((each) => each.id === id);
    if (asked.form === "choose" && asked.options.some((option) => option.id === id)) {
      this.drop();
      this.formed = true;
      void this.table.send(id);
    } else if (meant && meant.again !== null && !meant.now) void this.#again(meant.again);
    else this.drop();
  }

  drag(piece: string, to: Point, alone: boolean): void {
    this.drawn = null;
    this.#begin({ act: "move", piece, alone, to });
  }

  drop(): void {
    this.intent = null;
    this.drawn = null;
  }

  #begin(intent: Intent): void {
    const { table } = this;
    this.intent = intent;
    this.#begun = table.number;
    const option = intent.act === "move" ? this.who(intent.piece, intent.alone) : undefined;
    if (option) void this.#send(option.id);
    else this.#goOn(intent);
  }

  #goOn(intent: Intent): void {
    const { table } = this;
    const asked = table.question;
    if (!asked) return;
    if (intent.act === "shape") this.#form(asked, intent.id);
    else if (asked.step === "what") {
      const answer = this.#what(asked, intent.act);
      if (answer === undefined) {
        this.drop();
        table.refusal = { kind: "illegal", message: CANNOT[intent.act] };
      } else void this.#send(answer);
    } else if (asked.step === "whom" && intent.act === "fire") {
      this.drop();
      this.#aim(asked, intent.target);
    } else if (asked.step !== "detail" && asked.step !== "where") this.drop();
  }

  async #send(answer: Json): Promise<void> {
    this.#begun = this.table.number;
    if (!(await this.table.send(answer))) this.drop();
  }

  /** The answer to what is done: the first thing of its kind, for all who can, or for the one that is meant. */
  #what(asked: Question, act: string): Json | undefined {
    const does = (options: Option[]) => farEnough(options.filter((option) => option.act === act), this.#dragged())?.id;
    if (asked.form === "choose") return does(asked.options);
    if (asked.form !== "assign") return undefined;
    const { intent } = this;
    const one = intent?.act === "move" && intent.alone ? intent.piece : null;
    const given = Object.entries(asked.items).flatMap(([item, options]) => {
      const id = one === null || one === item ? does(options) : undefined;
      return id === undefined ? [] : [[item, id] as const];
    });
    return given.length ? Object.fromEntries(given) : undefined;
  }

  /** How many inches the drag goes that is being carried out. */
  #dragged(): number {
    const { intent, table } = this;
    const place = intent?.act === "move" ? table.pieces.get(intent.piece)?.place : undefined;
    return place && intent?.act === "move" ? Math.hypot(intent.to[0] - place.x, intent.to[1] - place.y) : 0;
  }

  /** Take the target that was clicked, to be looked at and confirmed. */
  #aim(asked: Question, target: string): void {
    const { table } = this;
    const [choice] = table.lit.get(target) ?? [];
    if (choice === undefined) {
      table.refusal = { kind: "illegal", message: NOT_THAT_ONE };
      return;
    }
    if (asked.form === "choose") table.setDraft(choice);
    else if (asked.form === "assign") table.assign(null, choice);
  }
}
