/**
 * The fight as it is seen: whatever a state brought is played in beats, one state after the other, before the table shows
 * how it stands now. Nobody is asked anything meanwhile, and no later state overtakes an earlier one.
 */

import type { Event, Fact, Rail, Scene, UnitCard } from "../lib/types";
import { wishes } from "../shell/prefs.svelte";
import { beatsOf, type Beat } from "./beats";
import { moved } from "./moved";
import { play as sound } from "./sounds";
import { inStages, type Rest } from "./ways";

/** More news than this is not staged: whoever was away for long wants to see how things stand. */
const MOST_EVENTS = 80;

/** How much longer a beat lasts at each pace; at `calm` a key ends it. */
export const PACES = { calm: Infinity, follow: 1, brisk: 0.5 } as const;

/** How things stood: the table, the Units, what the head of the page tells, and all that had happened. */
export interface Standing {
  scene: Scene;
  roster: UnitCard[];
  status: Fact[];
  rail?: Rail | null;
  events: Event[];
}

interface Act {
  before: Standing;
  after: Scene;
  beats: Beat[];
  done: () => void;
}

type Seen = Omit<Act, "done">;

export class Stage {
  /** The table as it is shown while something is staged; null when nothing is. */
  scene = $state.raw<Scene | null>(null);
  beat = $state.raw<Beat | null>(null);
  /** How things stood before what is staged now: nothing on the page tells how it ends. */
  before = $state.raw<Standing | null>(null);
  held = $state(false);
  readonly busy: boolean = $derived(this.scene !== null);
  /** What was staged last, to be seen again. */
  last = $state.raw<Seen[]>([]);

  /** Pieces that have set out and are not there yet. */
  #rest: Rest = new Map();
  #acts: Act[] = [];
  #at = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #fresh = true;

  /** News: what happened between two states. Resolves when it has been seen. */
  take(before: Standing, after: Scene, events: Event[]): Promise<void> {
    const { scene } = before;
    const beats = events.length > MOST_EVENTS || !scene.width || document.hidden ? [] : inStages(beatsOf(events), scene, after, this.#rest);
    if (wishes.pace === "off" || !beats.length) {
      this.#rest.clear();
      if (this.#acts.length) this.#acts.at(-1)!.after = after;
      return Promise.resolve();
    }
    if (this.#fresh) this.last = [];
    this.#fresh = false;
    const seen = { before, after, beats };
    this.last = [...this.last, seen];
    return this.#enqueue(seen);
  }

  #enqueue(seen: Seen): Promise<void> {
    return new Promise((done) => {
      this.#acts.push({ ...seen, done });
      if (this.#acts.length === 1) this.#begin();
    });
  }

  /** See once more what was staged last. */
  again(): void {
    if (this.busy) return;
    for (const seen of this.last) void this.#enqueue(seen);
  }

  /** A person has answered: what comes now is a new piece of news. */
  turnPage(): void {
    this.#fresh = true;
  }

  #begin(): void {
    this.#at = 0;
    this.before = this.#acts[0]!.before;
    this.scene = this.before.scene;
    this.#show();
  }

  #show(): void {
    const act = this.#acts[0];
    if (!act) return;
    const beat = act.beats[this.#at];
    if (!beat) {
      this.#end();
      return;
    }
    this.beat = beat;
    if (wishes.sound) sound(beat);
    if (beat.kind === "move") this.#glide(act, beat);
    this.#wait(beat.time);
  }

  #wait(time: number): void {
    clearTimeout(this.#timer);
    const factor = PACES[wishes.pace === "off" ? "follow" : wishes.pace];
    if (this.held || factor === Infinity) return;
    this.#timer = setTimeout(() => this.next(), (time * factor) / wishes.speed);
  }

  /** End this beat now. */
  next(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    const act = this.#acts[0];
    const beat = act?.beats[this.#at];
    if (!act) return;
    if (beat?.kind === "move") this.scene = moved(this.scene ?? act.before.scene, beat, 1);
    this.#at += 1;
    this.#show();
  }

  #end(): void {
    const act = this.#acts.shift();
    act?.done();
    if (this.#acts.length) {
      this.#begin();
      return;
    }
    this.#clear();
  }

  #clear(): void {
    this.beat = null;
    this.before = null;
    this.scene = null;
    this.held = false;
  }

  hold(held: boolean): void {
    this.held = held;
    if (held) clearTimeout(this.#timer);
    else if (this.beat) this.#wait(this.beat.time / 2);
  }

  /** To how things stand now. */
  skip(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    for (const act of this.#acts.splice(0)) act.done();
    this.#clear();
  }

  #glide(act: Act, beat: Beat): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.scene = moved(this.scene ?? act.before.scene, beat, 1);
      return;
    }
    const from = this.scene ?? act.before.scene;
    const factor = PACES[wishes.pace === "brisk" ? "brisk" : "follow"];
    const time = (beat.time * factor * 0.8) / wishes.speed;
    const start = performance.now();
    const step = (now: number) => {
      if (this.beat !== beat) return;
      const part = Math.min(1, (now - start) / time);
      this.scene = moved(from, beat, eased(part));
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }
}

const eased = (part: number) => part * part * (3 - 2 * part);
