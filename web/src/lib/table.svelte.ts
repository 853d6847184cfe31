/**
 * What one player does at the table: what he has selected, looks at and is about to answer.
 *
 * The board and the shell share it. Whatever the question's form, there is one draft; both sides change it through the
 * methods here, and `confirm` sends it. A draft belongs to one question and is gone with it.
 */

import { untrack } from "svelte";
import { wishes } from "../shell/prefs.svelte";
import { gainsOf, type Gain } from "../stage/beats";
import { Stage } from "../stage/stage.svelte";
import { Guide } from "./guide.svelte";
import { Live, NotDone } from "./live.svelte";
import { Orders } from "./orders.svelte";
import { parts, type Token } from "./tokens";
import { isMoving } from "./types";
import type {
  Event,
  Fact,
  Guard,
  Json,
  Moment,
  MovePiece,
  Option,
  Outlook,
  Landing,
  Plan,
  Point,
  Pose,
  Rail,
  Preview,
  Profile,
  Question,
  Refusal,
  Scene,
  ScenePiece,
  Steps,
  TeamCard,
  UnitCard,
} from "./types";

interface Draft {
  number: number;
  /** How often the game had gone back: after that, a question of the same number is another. */
  rewinds: number;
  answer: Json;
}

/** Whether one draft only carries another on: the same pieces go elsewhere, the mark is moved. */
function sameStep(asked: Question | null, one: Json, other: Json | undefined): boolean {
  if (other === undefined || asked?.form === "point" || asked?.form === "number" || asked?.form === "march") return true;
  if (asked?.form !== "move") return JSON.stringify(one) === JSON.stringify(other);
  const names = (draft: Json) => Object.keys(draft as object).sort().join();
  return names(one) === names(other);
}

const PREVIEW_WAIT = 120;
const LOOK_WAIT = 180;
/** So long points that were gained are announced. */
const ANNOUNCED = 2_600;

export class Table {
  readonly live: Live;
  /** What has just happened is shown here, beat by beat, before anybody is asked again. */
  readonly stage = new Stage();
  /** What clicks and drags mean as orders. */
  readonly orders: Orders;
  /** Who says what could be answered, in a lesson. */
  readonly guide: Guide;

  /** A moment of the past that is shown instead of the present; the shell's timeline sets it. */
  moment = $state.raw<Moment | null>(null);
  /** Something covers the table (the hand-over of a hot-seat): keys and clicks do nothing here. */
  covered = $state(false);

  readonly scene: Scene = $derived.by(() => this.stage.scene ?? this.moment?.scene ?? this.live.scene);
  readonly roster: UnitCard[] = $derived.by(() => this.stage.before?.roster ?? this.moment?.roster ?? this.live.state?.roster ?? []);
  readonly status: Fact[] = $derived.by(() => this.stage.before?.status ?? this.moment?.status ?? this.live.state?.status ?? []);
  readonly rail: Rail | null = $derived.by(() => (this.stage.before ?? this.moment ?? this.live.state)?.rail ?? null);
  readonly number: number = $derived.by(() => this.moment?.number ?? this.live.state?.number ?? 0);
  readonly turn: number = $derived.by(() => this.moment?.turn ?? this.live.state?.turn ?? 0);
  readonly events: Event[] = $derived.by(() => this.stage.before?.events ?? this.moment?.events ?? this.live.events);
  readonly profiles: Record<string, Profile> = $derived.by(() => this.live.about?.profiles ?? {});
  /** Which question of which seat is open: the same after a state that tells only of other things. */
  readonly #open: string = $derived.by(() => `${this.live.state?.number} ${this.live.seat}`);
  /** What this seat is asked; null while it is not, while the past is shown, or what has just happened. */
  readonly question: Question | null = $derived.by(() => (this.moment || this.stage.busy ? null : this.live.question));

  readonly pieces: Map<string, ScenePiece> = $derived(new Map(this.scene.pieces.map((piece) => [piece.id, piece])));
  readonly units: Map<string, UnitCard> = $derived(new Map(this.roster.map((unit) => [unit.id, unit])));
  readonly teams: Map<string, { team: TeamCard; unit: UnitCard }> = $derived(
    new Map(this.roster.flatMap((unit) => (unit.teams ?? []).map((team) => [team.id, { team, unit }]))),
  );

  // Selection.

  unit = $state<string | null>(null);
  /** The one base that was clicked last; it belongs to `unit`. */
  piece = $state<string | null>(null);
  hover = $state<string | null>(null);
  outlook = $state.raw<Outlook | null>(null);
  /** A planned place from which the piece would look; null while it looks from where it stands. */
  eye = $state.raw<{ at: Point; facing: number } | null>(null);
  /** The ground that the board should bring into sight; the board fulfils it. */
  wanted = $state.raw<Point[]>([]);

  // The answer in the making.

  #draft = $state.raw<Draft | null>(null);
  readonly #rewinds: number = $derived.by(() => this.live.state?.rewinds ?? 0);
  /** The drafts of a question before this one, for the way back. */
  #before: { number: number; drafts: Json[] } = { number: -1, drafts: [] };
  readonly draft: Json | undefined = $derived(
    this.#draft && this.question && this.#draft.number === this.number && this.#draft.rewinds === this.#rewinds ? this.#draft.answer : undefined,
  );
  /** Why the draft, or the last answer, is not taken. */
  refusal = $state.raw<Refusal | null>(null);
  /** Done when the server has said how the last step of a drag would end. */
  planning: Promise<void> = Promise.resolve();
  /** What each piece of a planned move would cost, as the server last said. */
  planned = $state.raw<Map<string, Landing>>(new Map());
  /** March: where the body would stand, and what its march is made of, as the server last said. */
  body = $state.raw<{ pose: Pose; facts: Fact[] } | null>(null);
  /** Assign: the item that is given something now. */
  item = $state<string | null>(null);
  /** An answer that somebody only looks at: an option under the pointer. */
  considered = $state.raw<Json | undefined>(undefined);
  preview = $state.raw<Preview | null>(null);
  sending = $state(false);
  /** What should be heard before the answer that it guards; the same answer again goes on. */
  warning = $state.raw<Guard | null>(null);

  /** Parts of one's own orders that were not carried out after all, since one's last answer. */
  lapsed = $state.raw<Event[]>([]);
  /** What was gained just now, where nothing is staged. */
  #gained = $state.raw<Gain[]>([]);
  #gainedTimer: ReturnType<typeof setTimeout> | undefined;
  /** What is being gained as one looks. */
  readonly gains: Gain[] = $derived.by(() => this.stage.beat?.gains ?? this.#gained);

  #previewTimer: ReturnType<typeof setTimeout> | undefined;
  #previewFor = "";
  #lookTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(game: string, key: string | null) {
    this.live = new Live(game, key);
    this.live.onnews = (before, after, events) => {
      if (this.moment || this.covered) return;
      this.lapsed = [...this.lapsed, ...events.filter((event) => event.data?.lapsed === true && event.seat === this.live.seat)];
      this.#announce(events);
      void this.stage.take(before, after, events);
    };
    this.live.onback = () => this.stage.skip();
    $effect(() => {
      // A new question begins with nothing.
      void this.#open;
      this.refusal = null;
      this.warning = null;
      this.planned = new Map();
      this.body = null;
      this.item = null;
      this.considered = undefined;
    });
    $effect(() => {
      const { question } = this;
      const open = this.#open;
      if (question) untrack(() => this.#follow(question, open));
    });
    this.orders = new Orders(this);
    this.guide = new Guide(this);
    $effect(() => this.#fetchPreview(this.considered ?? this.draft));
    $effect(() => this.#lookSoon(this.piece, this.eye));
  }

  #announce(events: Event[]): void {
    if (wishes.pace !== "off") return;
    const gained = events.flatMap(gainsOf);
    if (!gained.length) return;
    this.#gained = gained;
    clearTimeout(this.#gainedTimer);
    this.#gainedTimer = setTimeout(() => (this.#gained = []), ANNOUNCED);
  }

  stop(): void {
    clearTimeout(this.#gainedTimer);
    clearTimeout(this.#previewTimer);
    clearTimeout(this.#lookTimer);
    this.live.stop();
  }

  // Selection.

  select(piece: string | null): void {
    this.piece = piece;
    this.unit = piece === null ? null : (this.pieces.get(piece)?.unit || null);
  }

  /** Of units that are drawn as one the one that is asked about is looked at, and none any more that has acted. */
  #follow(asked: Question, open: string): void {
    if (open === this.#followed) return;
    this.#followed = open;
    const { unit } = asked.facts;
    if (asked.step === "who") {
      if (this.piece !== null && this.#asOne(this.unit) && !this.lit.has(this.piece)) this.select(null);
    } else if (typeof unit === "string" && unit !== this.unit && this.#asOne(unit)) {
      if (this.scene.pieces.some((piece) => piece.unit === unit && piece.side === this.live.seat)) this.selectUnit(unit);
    }
  }
  #followed = "";

  #asOne(unit: string | null): boolean {
    return this.scene.bodies.some((body) => body.id === unit);
  }

  /** The unit of a piece, on the table or not. */
  unitOf(piece: string): string | undefined {
    return this.pieces.get(piece)?.unit || this.teams.get(piece)?.unit.id;
  }

  selectUnit(unit: string | null): void {
    const first = unit === null ? undefined : this.scene.pieces.find((piece) => piece.unit === unit);
    this.unit = unit;
    this.piece = first?.id ?? null;
  }

  /** The pieces of a unit that stand on the table; a piece without a unit is one of its own. */
  unitPieces(piece: string): string[] {
    const unit = this.pieces.get(piece)?.unit;
    if (!unit) return [piece];
    return this.scene.pieces.filter((each) => each.unit === unit).map((each) => each.id);
  }

  /** Where pieces stand. */
  placesOf(ids: string[]): Point[] {
    return ids.flatMap((id): Point[] => {
      const place = this.pieces.get(id)?.place;
      return place ? [[place.x, place.y]] : [];
    });
  }

  /** Bring pieces or units into sight. */
  show(...ids: string[]): void {
    const wanted = this.scene.pieces.filter((piece) => ids.includes(piece.id) || ids.includes(piece.unit));
    this.wanted = wanted.map(({ place }) => [place.x, place.y]);
  }

  #lookSoon(piece: string | null, eye: { at: Point; facing: number } | null): void {
    clearTimeout(this.#lookTimer);
    if (piece === null || !this.pieces.has(piece) || this.moment || this.live.connection !== "live") {
      this.outlook = null;
      return;
    }
    // A plan changes with every step of it: look when it rests.
    this.#lookTimer = setTimeout(() => void this.#look(piece, eye), eye ? LOOK_WAIT : 0);
  }

  async #look(piece: string, eye: { at: Point; facing: number } | null): Promise<void> {
    let outlook: Outlook | null = null;
    try {
      ({ outlook } = await this.live.request("look", { piece, ...eye }));
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
    }
    if (this.piece === piece && this.eye === eye) this.outlook = outlook;
  }

  // Words.

  /** A text as people read it, where no link can be. */
  words(text: string): string {
    return parts(text).map((part) => (typeof part === "string" ? part : this.called(part))).join("");
  }

  /** A name in a text; where its writer knew no more than the id, the name that the roster has. */
  called({ kind, id, name }: Token): string {
    return name === id && (kind === "unit" || kind === "team") ? this.nameOf(id) : name;
  }

  /** What people call the thing with an id: a Team, a Unit; any other id in plain words. */
  nameOf(id: string): string {
    return this.teams.get(id)?.team.name ?? this.units.get(id)?.name ?? id.replaceAll(/[-_]+/g, " ");
  }

  /** The pieces on the table that the question is about: the Team or the Unit that it names, or those that it moves. */
  readonly about: string[] = $derived.by(() => {
    const asked = this.question;
    if (!asked) return [];
    const { team, unit, target } = asked.facts;
    for (const id of [team, unit, target]) {
      const pieces = typeof id === "string" ? this.#standing([id]) : [];
      if (pieces.length) return pieces;
    }
    if (isMoving(asked)) {
      const moved = this.#standing(asked.pieces.map((piece) => piece.id));
      // Who comes to stand beside others: those are named in the sentence.
      return moved.length ? moved : this.#standing(parts(asked.words).flatMap((part) => (typeof part !== "string" && part.kind === "team" ? part.id : [])));
    }
    return asked.form === "assign" ? this.#standing(Object.keys(asked.items)) : [];
  });

  #standing(ids: string[]): string[] {
    return this.scene.pieces.filter((piece) => ids.includes(piece.id) || ids.includes(piece.unit)).map((piece) => piece.id);
  }

  // The draft.

  /** What each piece may be clicked for: the option's or item's ids that it stands for, the plain one first. */
  readonly lit: Map<string, string[]> = $derived.by(() => {
    const found = new Map<string, string[]>();
    for (const id of this.#choices()) {
      for (const piece of this.standsFor(id)) {
        const ids = found.get(piece) ?? [];
        found.set(piece, id === piece || this.units.has(id) ? [id, ...ids] : [...ids, id]);
      }
    }
    return found;
  });

  /** Units drawn as one of which every piece is chosen, or can be: the outline of the unit tells it, not each of its pieces. */
  readonly outlined: Map<string, "chosen" | "lit" | "own"> = $derived.by(() => {
    const found = new Map<string, "chosen" | "lit" | "own">();
    for (const { id } of this.scene.bodies) {
      const pieces = this.#standing([id]);
      const every = (among: { has(id: string): boolean }) => pieces.length > 0 && pieces.every((piece) => among.has(piece));
      if (every(this.chosen)) found.set(id, "chosen");
      else if (id === this.unit) found.set(id, "own");
      else if (every(this.lit)) found.set(id, "lit");
    }
    return found;
  });

  /** Every id that can be chosen now. */
  #choices(): string[] {
    const asked = this.question;
    switch (asked?.form) {
      case "choose":
      case "choose-some":
        return asked.options.map((option) => option.id);
      case "assign":
        return [...Object.keys(asked.items), ...this.targets().map((option) => option.id)];
      default:
        return [];
    }
  }

  /** Assign: what the current item, or any of them, may be given. */
  targets(item: string | null = this.item): Option[] {
    const asked = this.question;
    if (asked?.form !== "assign") return [];
    if (item !== null) return asked.items[item] ?? [];
    const all = new Map(Object.values(asked.items).flatMap((options) => options.map((option) => [option.id, option])));
    return [...all.values()];
  }

  /** The options of the question by their ids. */
  readonly #options: Map<string, Option> = $derived.by(() => {
    const asked = this.question;
    const all =
      asked?.form === "choose" || asked?.form === "choose-some"
        ? asked.options
        : asked?.form === "assign"
          ? Object.values(asked.items).flat()
          : [];
    return new Map(all.map((option) => [option.id, option]));
  });

  /** The pieces on the table that an option, or an item, stands for: those that it names, or else the one of its id. */
  standsFor(id: string): string[] {
    return this.#standing([...(this.#options.get(id)?.pieces ?? [id])]);
  }

  /** The middle of what an id means on the table; null if it is not there. */
  middleOf(id: string): Point | null {
    const places = this.standsFor(id).flatMap((piece) => this.pieces.get(piece)?.place ?? []);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return places.length ? [mean(places.map(({ x }) => x)), mean(places.map(({ y }) => y))] : null;
  }

  /** The pieces that the draft names: chosen, or given something. */
  readonly chosen: Set<string> = $derived.by(() => {
    const { draft } = this;
    const ids =
      typeof draft === "string"
        ? [draft]
        : Array.isArray(draft)
          ? draft.filter((each) => typeof each === "string")
          : draft && typeof draft === "object" && this.question?.form === "assign"
            ? [...Object.keys(draft), ...Object.values(draft).filter((each) => typeof each === "string")]
            : [];
    return new Set(ids.flatMap((id) => this.standsFor(id)));
  });

  setDraft(answer: Json | undefined): void {
    const { draft } = this;
    this.refusal = null;
    this.warning = null;
    if (this.#before.number !== this.number) this.#before = { number: this.number, drafts: [] };
    // A drag is one step, however many places it passes.
    if (draft !== undefined && !sameStep(this.question, draft, answer)) this.#before.drafts.push(draft);
    this.#draft = answer === undefined ? null : { number: this.number, rewinds: this.#rewinds, answer };
  }

  clear(): void {
    this.setDraft(undefined);
    this.#before.drafts = [];
    this.planned = new Map();
    this.body = null;
    this.item = null;
  }

  /** Take back the last step of the draft; false when there is none. */
  stepBack(): boolean {
    if (this.draft === undefined) return false;
    const before = this.#before.number === this.number ? this.#before.drafts.pop() : undefined;
    if (before === undefined) {
      this.clear();
      return true;
    }
    this.#draft = { number: this.number, rewinds: this.#rewinds, answer: before };
    this.refusal = null;
    this.warning = null;
    const steps = this.steps;
    if (this.question?.form !== "march") this.planned = new Map([...this.planned].filter(([id]) => id in steps));
    void this.check();
    return true;
  }

  /** Choose an option or an item, whatever the form; choosing the same single option again confirms it. */
  choose(id: string): void {
    const asked = this.question;
    switch (asked?.form) {
      case "choose":
        if (!asked.options.some((option) => option.id === id)) return;
        if (this.draft === id) void this.confirm();
        else this.setDraft(id);
        break;
      case "choose-some": {
        const have = this.some;
        if (have.includes(id)) this.setDraft(have.filter((each) => each !== id));
        else if (asked.most === 1) this.setDraft([id]);
        else if (have.length < asked.most) this.setDraft([...have, id]);
        void this.check();
        break;
      }
      case "assign":
        if (id in asked.items) this.item = this.item === id ? null : id;
        else this.assign(this.item, id);
    }
  }

  get some(): string[] {
    return Array.isArray(this.draft) ? this.draft.filter((each) => typeof each === "string") : [];
  }

  /** What each item is given so far. */
  get given(): Record<string, string> {
    return this.question?.form === "assign" && this.draft && typeof this.draft === "object" && !Array.isArray(this.draft)
      ? (this.draft as Record<string, string>)
      : {};
  }

  /** Give an item (null: every item that may have it) an option, or nothing; given again, it is taken away. */
  assign(item: string | null, option: string | null): void {
    const asked = this.question;
    if (asked?.form !== "assign") return;
    const given = { ...this.given };
    const able = Object.keys(asked.items).filter(
      (each) => (item === null || each === item) && (option === null || asked.items[each]?.some(({ id }) => id === option)),
    );
    const off = option === null || able.every((each) => given[each] === option);
    for (const each of able) {
      if (off) delete given[each];
      else given[each] = option;
    }
    this.setDraft(given);
    void this.check();
  }

  get steps(): Steps {
    return this.question?.form === "move" && this.draft && typeof this.draft === "object" && !Array.isArray(this.draft)
      ? (this.draft as unknown as Steps)
      : {};
  }

  /** Move: the piece as the question has it. */
  movable(id: string): MovePiece | undefined {
    return isMoving(this.question) ? this.question.pieces.find((piece) => piece.id === id) : undefined;
  }

  setSteps(steps: Steps): void {
    this.setDraft(steps as unknown as Json);
  }

  /** Ask whether the draft would be taken; the refusal appears, nothing else changes. */
  async check(): Promise<void> {
    const { draft, number } = this;
    if (draft === undefined) return;
    let refusal: Refusal | null = null;
    try {
      await this.live.request("check", { number, answer: draft });
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      ({ refusal } = error);
    }
    if (this.draft === draft) this.refusal = refusal;
  }

  /** Draft an answer that somebody else proposes, and have it looked at as one's own: what a move would cost, too. */
  propose(answer: Json): void {
    this.planned = new Map();
    this.setDraft(answer);
    this.check();
    if (this.question?.form === "march") void this.#march(this.number, answer);
    if (this.question?.form === "move") void this.#weigh(this.number, this.steps);
  }

  /** Where pieces come to stand, as the server has planned it. */
  take(plan: Plan): void {
    const planned = new Map(this.planned);
    for (const piece of plan.pieces) planned.set(piece.id, piece);
    this.planned = planned;
    this.body = plan.pose ? { pose: plan.pose, facts: plan.facts ?? [] } : null;
  }

  async #march(number: number, answer: Json): Promise<void> {
    try {
      const plan = await this.live.request("plan", { number, answer });
      if (this.number === number && this.draft === answer) this.take(plan);
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      this.refusal = error.refusal;
    }
  }

  async #weigh(number: number, steps: Steps): Promise<void> {
    const { planned } = this;
    try {
      const landings = await Promise.all(
        Object.entries(steps).map(async ([piece, step]): Promise<[string, Landing]> => {
          const { facts } = await this.live.request("gauge", { piece, step });
          return [piece, { id: piece, at: step.to, facing: step.facing ?? this.movable(piece)?.facing ?? 0, facts }];
        }),
      );
      if (this.number === number && this.planned === planned) this.planned = new Map(landings);
    } catch (error) {
      // Without it the plain distance is shown.
      if (!(error instanceof NotDone)) throw error;
    }
  }

  /** The draft, or the answer that is meant when there is only one. */
  readonly answer: Json | undefined = $derived.by(() => {
    if (this.draft !== undefined) return this.draft;
    const asked = this.question;
    if (asked?.form === "choose" && asked.options.length === 1) return asked.options[0]?.id;
    if (asked?.form === "choose-some" && asked.least === asked.options.length) return asked.options.map(({ id }) => id);
    if (asked?.form === "number" && asked.low === asked.high) return asked.low;
    return undefined;
  });

  /** Send what is drafted; a piece that has just been dropped goes where it was dropped, not where the mouse passed. */
  async confirm(): Promise<boolean> {
    const { number } = this;
    await this.planning;
    return this.number !== number || this.answer === undefined ? false : this.send(this.answer);
  }

  /** Send an answer; true when it lies on the server's disk. */
  async send(answer: Json): Promise<boolean> {
    if (this.sending || !this.question) return false;
    const guard = this.live.state?.guards.find(({ before }) => before && before === answer) ?? null;
    if (guard && guard.message !== this.warning?.message) {
      this.setDraft(answer);
      this.warning = guard;
      return false;
    }
    this.sending = true;
    this.refusal = null;
    this.lapsed = [];
    this.stage.turnPage();
    try {
      await this.live.request("answer", { number: this.number, answer });
      this.#draft = null;
      return true;
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      this.refusal = error.refusal;
      return false;
    } finally {
      this.sending = false;
    }
  }

  #fetchPreview(answer: Json | undefined): void {
    clearTimeout(this.#previewTimer);
    const asked = this.question;
    const form = asked?.form;
    const foretold = form === "choose" || form === "choose-some" || form === "assign" || (asked?.form === "move" && asked.gamble);
    if (answer === undefined || !foretold) {
      this.preview = null;
      this.#previewFor = "";
      return;
    }
    const { number } = this;
    const about = JSON.stringify([number, answer]);
    if (about === this.#previewFor) return;
    this.#previewTimer = setTimeout(() => {
      this.#previewFor = about;
      this.live.request("preview", { number, answer }).then(
        ({ preview }) => {
          if (this.#previewFor === about) this.preview = preview;
        },
        () => {
          if (this.#previewFor === about) this.preview = null;
        },
      );
    }, PREVIEW_WAIT);
  }
}
