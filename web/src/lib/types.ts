/** What the server says and hears that has no structure of its own; the structures are in wire.ts. */

import type {
  Area,
  Body,
  Briefing,
  DiceCard,
  Fact,
  Feature,
  Guard,
  HabitCard,
  Landing,
  MovePiece,
  Option,
  Outlook,
  Pose,
  Preview,
  Profile,
  Rail,
  Reason,
  Refusal,
  Result,
  Scene,
  ScenePiece,
  Settled,
  SideView,
  Step,
  SwitchCard,
  Throw,
  UnitCard,
} from "./wire";

export type * from "./wire";

export type Point = [number, number];

/** Plain JSON: what an answer is made of. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

// What happened.

export interface Event {
  n: number;
  after: number;
  kind: string;
  text: string;
  rules?: string[];
  seat?: string;
  dice?: Throw[];
  modifiers?: Reason[];
  data?: Record<string, Json>;
  reveals?: boolean;
}

/** Why the bot of a seat chose as it did, after so many answers. */
export interface Thought {
  after: number;
  seat: string;
  words: string;
}

export interface Note {
  after: number;
  words: string;
}

// Questions, as they describe themselves.

export type Steps = Record<string, Step>;

interface Asked {
  seat: string;
  topic: string;
  words: string;
  rules: string[];
  facts: Record<string, Json>;
  /** The part of an order that it settles: who, what, where, whom, a detail; or deploying, or a reply to the enemy. */
  step?: "deploy" | "who" | "what" | "where" | "whom" | "detail" | "reply";
  /** A die falls at once: the answer cannot be taken back. */
  commits?: boolean;
  candidates: Json[];
  /** Where the answer may lie, drawn while it is asked. */
  areas?: Area[];
}

export type Question = Asked &
  (
    | { form: "choose"; options: Option[] }
    | { form: "choose-some"; options: Option[]; least: number; most: number }
    | { form: "assign"; items: Record<string, Option[]> }
    | { form: "move"; pieces: MovePiece[]; gamble?: boolean; noun?: string }
    | { form: "march"; unit: string; pose: Pose | null; pitch: number; reach: number; pieces: MovePiece[]; files: number[] }
    | { form: "point" }
    | { form: "number"; low: number; high: number }
    | { form: "dice"; number: number; sides: number }
  );

export type Form = Question["form"];

/** A question where pieces go: each as it likes, or all as one body. */
export type Moving = Extract<Question, { form: "move" | "march" }>;

export const isMoving = (asked: Question | null | undefined): asked is Moving => asked?.form === "move" || asked?.form === "march";

/** Whoever is not asked learns only who is. */
/** Somebody else's question has no form; nor has one's own that is answered by itself in a moment. */
export type MaybeQuestion = Question | { seat: string; form?: undefined; held?: boolean };

// Lessons.

/** What a guide says: which step of how many it is (none for an aside), what it points at, and an answer to try. */
export interface GuideStep {
  number?: number;
  title: string;
  says: string;
  points?: string[];
  places?: Point[];
  answer?: Json;
  /** The answer in words. */
  said?: string;
  rules?: string[];
}

/** What he says at the question now asked, looks first; or, when all is over, his leave. */
export interface GuideCard {
  of: number;
  steps?: GuideStep[];
  ends?: string;
}

// The socket.

export interface Static {
  ruleset: string;
  title: string;
  scenario: string;
  /** What the battle says of itself, and what this seat is told before its first question. */
  about: string;
  briefing: Briefing;
  you: string[];
  seat: string | null;
  seats: Record<string, string>;
  profiles: Record<string, Profile>;
  habits: HabitCard[];
  switches: SwitchCard[];
  dice: DiceCard;
  table: { width: number; depth: number };
  /** What each kind of ground does in this game, and what each sign says. */
  terrain: Record<string, Fact[]>;
  legend: Record<string, Fact>;
}

export interface StandingAnswer {
  index: number;
  words: string;
  habit?: string;
}

export interface State {
  number: number;
  turn: number;
  status: Fact[];
  roster: UnitCard[];
  /** Dice at the table's edge, in a game that has such. */
  rail: Rail | null;
  asked: MaybeQuestion | null;
  notes: Note[];
  standing: StandingAnswer[];
  /** What has been answered by itself since this seat's last own answer. */
  settled: Settled[];
  /** The guide of a lesson, to the seat that he guides. */
  guide: GuideCard | null;
  guards: Guard[];
  may_undo: true | string;
  may_redo: true | string;
  takeback: { seat: string; to: number } | null;
  present: Record<string, boolean>;
  result: Result | null;
  thinking: string | null;
  /** How often the game went back: said again at the next hello. */
  rewinds: number;
  seats: Record<string, string>;
  names: Record<string, string>;
  /** Of the dice, when all is over. */
  secret?: string;
}

/** A list of things with ids: what is new, what of others differs now, and all ids in their order if that is another. */
export interface ListChange<T> {
  ids?: string[];
  put: T[];
  change?: (Partial<T> & { id: string; less?: string[] })[];
}

/** A scene as a message carries it. */
export interface SceneChange extends Partial<Omit<Scene, "pieces" | "features" | "bodies">> {
  pieces?: ListChange<ScenePiece>;
  bodies?: ListChange<Body>;
  features?: ListChange<Feature>;
}

/** A state as a message carries it: all of it at first, then only what has changed, and what has happened since. */
export interface StateChange extends Partial<Omit<State, "number" | "rewinds" | "roster">> {
  number: number;
  rewinds: number;
  roster?: ListChange<UnitCard>;
  scene?: SceneChange;
  events: Event[];
  from?: number;
}

export interface Plan {
  answer: Json;
  pieces: Landing[];
  refusal?: Refusal;
  /** Of a body in ranks: where it comes to stand, and what its march is made of. */
  pose?: Pose;
  facts?: Fact[];
}

/** The requests of the page: what each sends and what its reply brings. */
export interface Requests {
  answer: [{ number: number; answer: Json }, { number: number }];
  answers: [
    { number: number; answers: { topic: string; answer: Json }[] },
    { number: number; given: number; stopped: string },
  ];
  change: [{ number: number }, object];
  "deploy-rest": [object, object];
  "as-proposed": [object, object];
  undo: [object, object];
  redo: [object, object];
  takeback: [{ to: number } | { agree: boolean }, object];
  standing: [
    | { habit: string }
    | { drop: number }
    | { topic: string; answer: Json; only?: Json; until?: Json; last_turn?: number },
    object,
  ];
  resign: [object, object];
  check: [{ number: number; answer: Json }, { legal: true }];
  reach: [{ number: number; piece: string }, { reach: number[] }];
  plan: [
    | { number: number; pieces: string[]; to: Point; facing?: number; from?: string; files?: number }
    | { number: number; answer: Json },
    Plan,
  ];
  gauge: [{ piece: string; step: Step }, { facts: Fact[] }];
  look: [{ piece: string; at?: Point; facing?: number }, { outlook: Outlook | null }];
  line: [{ piece: string; at?: Point; to: Point }, { side_view: SideView | null }];
  preview: [{ number: number; answer: Json }, { preview: Preview | null }];
  reasons: [{ number: number }, { reasons: Thought[] }];
  sit: [{ seat: string }, { briefing: Briefing }];
}

// HTTP.

/** The table as it was at one number. */
export interface Moment {
  number: number;
  turn: number;
  scene: Scene;
  status: Fact[];
  roster: UnitCard[];
  rail?: Rail | null;
  events: Event[];
  profiles?: Record<string, Profile>;
}
