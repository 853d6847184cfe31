/** One seat's socket: says hello, keeps what the server told, asks and waits for replies, and comes back when it is lost. */

import { livePath } from "./api";
import type { Standing } from "../stage/stage.svelte";
import { mergedScene, mergedState } from "./changes";
import type { Event, MaybeQuestion, Question, Refusal, Requests, Scene, State, StateChange, Static } from "./types";

/** Why a request was not done: the refusal of the rules, or a lost connection. */
export class NotDone extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

export type Connection = "connecting" | "live" | "lost" | "closed";

/** Closed for good: to knock again would not help. */
const FINAL: Record<number, string> = {
  4403: "This key opens no seat of this game.",
  4404: "There is no such game.",
  4413: "The message was too large.",
};

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;

interface Waiting {
  message: string;
  /** Sent again after a dropped connection: the server recognises an answer that it has already. */
  again: boolean;
  done: (reply: never) => void;
  failed: (error: NotDone) => void;
}

const EMPTY: Scene = {
  width: 0,
  depth: 0,
  features: [],
  pieces: [],
  spots: [],
  areas: [],
  paths: [],
  title: "",
  caption: "",
  looks: {},
  bodies: [],
  rings: [],
};

export class Live {
  /** What opens this seat; null for one who watches. */
  key = $state<string | null>(null);
  connection = $state<Connection>("connecting");
  /** Why the socket is closed for good, in words. */
  reason = $state("");
  about = $state.raw<Static | null>(null);
  state = $state.raw<State | null>(null);
  scene = $state.raw<Scene>(EMPTY);
  events = $state.raw<Event[]>([]);
  /** The events that the last state brought: what a page shows moving. */
  fresh = $state.raw<Event[]>([]);

  readonly question: Question | null = $derived(asked(this.state?.asked ?? null));

  /** Told of every state that brought news: how things stood before, the table after it, and what happened between. */
  onnews: (before: Standing, after: Scene, events: Event[]) => void = () => {};
  /** Told when the game went back: what was news is none any more. */
  onback: () => void = () => {};

  #socket: WebSocket | null = null;
  #waiting = new Map<number, Waiting>();
  #next = 1;
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #seat: string | null;
  #stopped = false;
  /** The key is being changed: with the old one there is no coming back. */
  #renewing = false;

  constructor(
    readonly game: string,
    key: string | null,
    seat: string | null = null,
  ) {
    this.key = key;
    this.#seat = seat;
    window.addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#connect();
  }

  get seat(): string | null {
    return this.about?.seat ?? null;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    window.removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
    this.#giveUp("The table was left.");
  }

  request<T extends keyof Requests>(t: T, fields: Requests[T][0]): Promise<Requests[T][1]> {
    const id = this.#next++;
    const message = JSON.stringify({ t, id, ...fields });
    return new Promise((done, failed) => {
      const again = t === "answer";
      if (this.connection === "live") this.#socket?.send(message);
      else if (!again || this.connection === "closed") {
        failed(new NotDone(lost));
        return;
      }
      this.#waiting.set(id, { message, again, done, failed });
    });
  }

  /** Hot-seat: another of this key's seats looks at the table. */
  async sit(seat: string): Promise<void> {
    const { briefing } = await this.request("sit", { seat });
    this.#seat = seat;
    if (this.about) this.about = { ...this.about, seat, briefing };
  }

  /** Change the key of this seat. The server closes the socket of the old one; we come back with the new one. */
  async renew(deed: () => Promise<string>): Promise<void> {
    this.#renewing = true;
    try {
      this.key = await deed();
    } finally {
      this.#renewing = false;
      this.#hurry();
    }
  }

  #hurry = () => {
    if (this.connection !== "lost" || document.hidden || this.#renewing) return;
    clearTimeout(this.#timer);
    this.#connect();
  };

  #connect(): void {
    const url = new URL(livePath(this.game), location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      const rewinds = this.state ? { rewinds: this.state.rewinds } : {};
      socket.send(JSON.stringify({ t: "hello", key: this.key, seat: this.#seat, events: this.events.length, ...rewinds }));
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(String(event.data)) as Heard);
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.#socket || this.#stopped) return;
      const final = FINAL[event.code];
      if (final) {
        this.connection = "closed";
        this.reason = final;
        this.#giveUp(final);
        return;
      }
      this.connection = "lost";
      for (const [id, waiting] of this.#waiting) {
        if (waiting.again) continue;
        this.#waiting.delete(id);
        waiting.failed(new NotDone(lost));
      }
      if (this.#renewing) return;
      this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2));
      this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
    });
  }

  #giveUp(message: string): void {
    for (const waiting of this.#waiting.values()) waiting.failed(new NotDone({ kind: "unasked", message }));
    this.#waiting.clear();
  }

  #hear(said: Heard): void {
    switch (said.t) {
      case "static": {
        const { t: _, ...about } = said;
        this.about = about;
        this.#seat = about.seat;
        break;
      }
      case "state":
        this.#take(said);
        if (this.connection !== "live") {
          this.connection = "live";
          this.#wait = FIRST_WAIT;
          for (const waiting of this.#waiting.values()) this.#socket?.send(waiting.message);
        }
        break;
      case "reply":
      case "refused": {
        const waiting = this.#waiting.get(said.id);
        this.#waiting.delete(said.id);
        if (said.t === "refused") waiting?.failed(new NotDone(said.refusal));
        else waiting?.done(said as never);
      }
    }
  }

  #take(change: StateChange): void {
    const { from } = change;
    const kept = from === undefined ? this.events : this.events.filter((event) => event.n < from);
    const last = kept.at(-1)?.n ?? -1;
    const fresh = change.events.filter((event) => event.n > last);
    // A first state brings the whole log; only what comes after it is news.
    this.fresh = this.state && from === undefined ? fresh : [];
    this.events = [...kept, ...fresh];
    const { roster = [], status = [], rail = null } = this.state ?? {};
    const before = { scene: this.scene, roster, status, rail, events: kept };
    this.scene = mergedScene(this.scene, change.scene ?? {});
    this.state = mergedState(this.state, change);
    if (from !== undefined) this.onback();
    else if (this.fresh.length) this.onnews(before, this.scene, this.fresh);
  }
}

type Heard =
  | ({ t: "static" } & Static)
  | ({ t: "state" } & StateChange)
  | { t: "reply"; id: number }
  | { t: "refused"; id: number; refusal: Refusal };

const lost: Refusal = { kind: "unasked", message: "The connection is lost. It is being sought." };

function asked(asked: MaybeQuestion | null): Question | null {
  return asked?.form ? asked : null;
}
