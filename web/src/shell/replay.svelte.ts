/** The game as it was: beats to step through, at any speed, from any seat's view that may be seen. */

import { beats, moment, Refused } from "../lib/api";
import type { Table } from "../lib/table.svelte";
import type { BeatCard, Event, Moment, Scene } from "../lib/types";
import { wishes } from "./prefs.svelte";

const BEAT_TIME = 1_600;
const BEATS_EVERY = 1_500;
const MOST_KEPT = 60;

export class Replay {
  beats = $state.raw<BeatCard[]>([]);
  playing = $state(false);
  /** Whose view is shown of a game that is over; "*" is everything. */
  view = $state<string | null>(null);
  trouble = $state("");

  #kept = new Map<string, Promise<Moment>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beatsTimer: ReturnType<typeof setTimeout> | undefined;
  #beatsAt = 0;
  #asked = 0;
  #mine: number | null = null;

  constructor(readonly table: Table) {
    $effect(() => {
      void table.live.state?.number;
      void this.seat;
      if (table.live.state) this.#soon();
    });
    $effect(() => this.#watchOthers(table.live.state?.asked?.seat ?? null, table.live.state?.number ?? 0));
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#beatsTimer);
  }

  get over(): boolean {
    return Boolean(this.table.live.state?.result);
  }

  /** The seat whose past is shown. */
  get seat(): string | null {
    return this.over && this.view !== null ? this.view : this.table.live.seat;
  }

  /** The place in the beats: how many of them lie behind what is shown. */
  readonly index: number = $derived.by(() =>
    this.table.moment ? this.beats.filter((beat) => beat.to <= this.table.number).length : this.beats.length,
  );

  readonly beat: BeatCard | null = $derived(this.beats[this.index - 1] ?? null);

  /** The turns and the number of the first beat of each. */
  readonly turns: { turn: number; index: number }[] = $derived.by(() => {
    const found: { turn: number; index: number }[] = [];
    this.beats.forEach((beat, index) => {
      if (found.at(-1)?.turn !== beat.turn) found.push({ turn: beat.turn, index });
    });
    return found;
  });

  /** The other side's last doings, which can be watched: the number from which on. */
  since = $state<number | null>(null);
  #until = 0;

  #watchOthers(asked: string | null, number: number): void {
    const { live } = this.table;
    // It is news until I have answered.
    if (number !== this.#until) this.since = null;
    if (live.seat === null || asked === null) return;
    if (asked !== live.seat) {
      this.#mine ??= number;
      return;
    }
    if (this.#mine !== null && this.#mine < number) {
      this.since = this.#mine;
      this.#until = number;
      if (wishes.watch && !this.table.moment) void this.watch();
    }
    this.#mine = null;
  }

  /** Show what the other side has just done. */
  async watch(): Promise<void> {
    const from = this.since;
    this.since = null;
    if (from !== null) await this.from(from);
  }

  /** Play from a number on. */
  async from(number: number): Promise<void> {
    await this.#fetchBeats();
    if (await this.show(number)) this.play();
  }

  #soon(): void {
    if (this.#beatsTimer !== undefined) return;
    const wait = Math.max(0, this.#beatsAt + BEATS_EVERY - Date.now());
    this.#beatsTimer = setTimeout(() => {
      this.#beatsTimer = undefined;
      void this.#fetchBeats();
    }, wait);
  }

  async #fetchBeats(): Promise<void> {
    this.#beatsAt = Date.now();
    const { live } = this.table;
    try {
      this.beats = await beats(live.game, live.key, this.seat);
      this.trouble = "";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble = error.message;
    }
  }

  #fetch(number: number): Promise<Moment> {
    const { live } = this.table;
    const name = `${number} ${this.seat ?? ""}`;
    let found = this.#kept.get(name);
    if (!found) {
      found = moment(live.game, live.key, number, this.seat);
      found.catch(() => this.#kept.delete(name));
      this.#kept.set(name, found);
      const oldest = this.#kept.keys().next();
      if (this.#kept.size > MOST_KEPT && !oldest.done) this.#kept.delete(oldest.value);
    }
    return found;
  }

  /** Show the table at a number; true if it could be had. */
  async show(number: number): Promise<boolean> {
    const asked = ++this.#asked;
    try {
      const found = await this.#fetch(number);
      // Only the last wish counts when somebody drags along the timeline.
      if (asked === this.#asked) this.table.moment = found;
      this.trouble = "";
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble = error.message;
      this.pause();
      return false;
    }
  }

  /** Show the table after so many beats; after the last it is the present. */
  async at(index: number): Promise<void> {
    const wanted = Math.max(0, Math.min(index, this.beats.length));
    const last = wanted === this.beats.length;
    if (last && (this.view === null || this.view === this.table.live.seat || !this.over)) {
      this.now();
      return;
    }
    await this.show(this.beats[wanted - 1]?.to ?? 0);
  }

  now(): void {
    this.#asked++;
    this.pause();
    this.table.moment = null;
  }

  step(by: number): void {
    this.pause();
    void this.at(this.index + by);
  }

  play(): void {
    this.playing = true;
    this.#next();
  }

  pause(): void {
    this.playing = false;
    this.table.stage.skip();
    clearTimeout(this.#timer);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else if (this.index >= this.beats.length) void this.at(0).then(() => this.play());
    else this.play();
  }

  async look(view: string): Promise<void> {
    this.view = view;
    this.#kept.clear();
    await this.#fetchBeats();
    await this.show(this.table.number);
  }

  /** One beat on: what happened in it is staged as it was when it was played. */
  async #on(): Promise<void> {
    if (!this.playing) return;
    const wanted = this.index + 1;
    const before = this.table.moment;
    const last = wanted >= this.beats.length;
    await this.at(wanted);
    const after: { scene: Scene; events: Event[] } = this.table.moment ?? this.table.live;
    if (before && (this.playing || last)) {
      const known = before.events.at(-1)?.n ?? -1;
      await this.table.stage.take(before, after.scene, after.events.filter((event) => event.n > known));
    }
    if (this.playing && !last) this.#next();
  }

  #next(): void {
    clearTimeout(this.#timer);
    const following = this.beats[this.index];
    if (following) void this.#fetch(following.to).catch(() => undefined);
    this.#timer = setTimeout(() => void this.#on(), wishes.pace === "off" ? BEAT_TIME / wishes.speed : 0);
  }
}
