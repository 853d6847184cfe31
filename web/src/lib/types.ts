/** Everything that the server says and hears, as docs/server.md and the engine's cards describe it. */

export type Point = [number, number];

/** Plain JSON: what an answer is made of. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

// The scene: what is drawn.

export interface Badge {
  icon: string;
  words: string;
  count: number;
}

export interface Footprint {
  width: number;
  depth: number;
  shape: "rectangle" | "circle";
}

/** Inches from the near left corner; facings in degrees from north, clockwise. */
export interface Place {
  x: number;
  y: number;
  facing: number;
  level: number;
  turret: number | null;
}

export interface ScenePiece {
  id: string;
  footprint: Footprint;
  place: Place;
  side: string;
  kind: string;
  label: string;
  leader: string;
  badges: Badge[];
  title: string;
  arc: number | null;
  hidden: boolean;
  unit: string;
}

export interface Feature {
  id: string;
  kind: string;
  points: Point[];
  /** Left out when it is an area. */
  closed?: boolean;
  height?: number;
  floor?: number;
  levels?: number;
  name?: string;
}

export interface Spot {
  x: number;
  y: number;
  radius: number;
  label: string;
  holder: string;
}

export interface Area {
  points: Point[];
  kind: string;
  label: string;
}

export interface Path {
  points: Point[];
  side: string;
  label: string;
}

export interface Scene {
  width: number;
  depth: number;
  features: Feature[];
  pieces: ScenePiece[];
  spots: Spot[];
  areas: Area[];
  paths: Path[];
  title: string;
  caption: string;
  hills: string[];
}

// Cards.

export interface Fact {
  name: string;
  value: string;
  rule?: string;
}

export interface Profile {
  name: string;
  facts?: Fact[];
  columns?: string[];
  weapons?: string[][];
  notes?: Fact[];
  /** How such a Team is drawn: the kind of a scene's piece. */
  look?: string;
}

export interface TeamCard {
  id: string;
  name: string;
  profile: string;
  badges?: Badge[];
  where?: string;
  lost?: boolean;
}

export interface UnitCard {
  id: string;
  side: string;
  name: string;
  note: string;
  strength: [number, number];
  badges?: Badge[];
  teams?: TeamCard[];
}

export interface Outlook {
  at: Point;
  facing: number;
  cell: number;
  /** From the near edge up; "1" is seen. */
  rows: string[];
  seen?: string[];
  rings?: [number, string][];
  arc?: number;
  notes?: Fact[];
}

export interface Slice {
  start: number;
  end: number;
  floor: number;
  top: number;
  kind: string;
  name: string;
  stops?: boolean;
}

export interface SideView {
  length: number;
  eye: number;
  target: number;
  clear: boolean;
  ground?: Point[];
  slices?: Slice[];
  notes?: Fact[];
}

export interface Reason {
  amount: number;
  rule: string;
  words: string;
}

export interface PreviewLine {
  words: string;
  dice?: number;
  needs?: number;
  reasons?: Reason[];
}

export interface Chance {
  words: string;
  share: number;
}

export interface Preview {
  lines?: PreviewLine[];
  chances?: Chance[];
  trials?: number;
  notes?: Fact[];
}

// What happened.

export interface Throw {
  seat: string;
  why: string;
  values: number[];
  sides?: number;
  before?: Record<string, number>;
}

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

export interface Note {
  after: number;
  words: string;
}

export interface Guard {
  seat: string;
  message: string;
  rule?: string;
  stops?: boolean;
  before?: string;
}

export interface Refusal {
  kind: "malformed" | "unknown" | "illegal" | "unasked";
  message: string;
  rule?: string;
  field?: string;
  legal?: string;
}

export interface Result {
  winner: string | null;
  reason: string;
  rule?: string;
}

// Questions, as they describe themselves.

export interface Option {
  id: string;
  label: string;
  rules?: string[];
  note?: string;
}

/** A base that may be moved or set down; `at` is null while it waits beside the table. */
export interface MovePiece {
  id: string;
  label: string;
  at: Point | null;
  facing: number;
  reach?: number;
  /** Width and depth of its base. */
  base?: Point;
  /** The kind of terrain that it becomes, if it is no base of troops. */
  ground?: string;
}

export interface Step {
  to: Point;
  facing?: number;
  turret?: number;
  via?: Point[];
}

export type Steps = Record<string, Step>;

interface Asked {
  seat: string;
  topic: string;
  words: string;
  rules: string[];
  facts: Record<string, Json>;
  candidates: Json[];
}

export type Question = Asked &
  (
    | { form: "choose"; options: Option[] }
    | { form: "choose-some"; options: Option[]; least: number; most: number }
    | { form: "assign"; items: Record<string, Option[]> }
    | { form: "move"; pieces: MovePiece[] }
    | { form: "point" }
    | { form: "number"; low: number; high: number }
    | { form: "dice"; number: number; sides: number }
  );

export type Form = Question["form"];

/** Whoever is not asked learns only who is. */
export type MaybeQuestion = Question | { seat: string; form?: undefined };

// The socket.

export interface Habit {
  id: string;
  words: string;
  topic: string;
  usual?: boolean;
}

export interface Switch {
  id: string;
  title: string;
  about: string;
  rules?: string[];
  club?: boolean;
  core?: boolean;
}

export interface DiceSource {
  source: string;
  commitment?: string;
  secret?: string;
}

export interface Static {
  ruleset: string;
  title: string;
  scenario: string;
  you: string[];
  seat: string | null;
  seats: Record<string, string>;
  profiles: Record<string, Profile>;
  habits: Habit[];
  switches: Switch[];
  dice: DiceSource;
  table: { width: number; depth: number };
}

export interface StandingAnswer {
  index: number;
  words: string;
  habit?: string;
}

/** A scene as a state carries it: the features only when they changed. */
export interface SceneChange extends Partial<Omit<Scene, "pieces">> {
  pieces: ScenePiece[];
}

export interface State {
  number: number;
  turn: number;
  status: Fact[];
  scene: SceneChange;
  roster: UnitCard[];
  asked: MaybeQuestion | null;
  events: Event[];
  from?: number;
  notes: Note[];
  standing: StandingAnswer[];
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

export interface PlannedPiece {
  id: string;
  at: Point;
  facing: number;
  inches: number;
  facts: Fact[];
}

export interface Plan {
  answer: Steps;
  pieces: PlannedPiece[];
  refusal?: Refusal;
}

/** The requests of the page: what each sends and what its reply brings. */
export interface Requests {
  answer: [{ number: number; answer: Json }, { number: number }];
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
  plan: [{ number: number; pieces: string[]; to: Point; facing?: number; from?: string }, Plan];
  gauge: [{ piece: string; step: Step }, { facts: Fact[] }];
  look: [{ piece: string; at?: Point; facing?: number }, { outlook: Outlook | null }];
  line: [{ piece: string; at?: Point; to: Point }, { side_view: SideView | null }];
  preview: [{ number: number; answer: Json }, { preview: Preview | null }];
  sit: [{ seat: string }, object];
}

// HTTP.

export interface ScenarioAbout {
  name: string;
  title: string;
  about: string;
  width: number;
  depth: number;
  forces: Record<string, string>;
}

export interface ForceAbout {
  name: string;
  title: string;
  side?: string;
}

export interface RulesetAbout {
  name: string;
  title: string;
  seats: string[];
  scenarios: ScenarioAbout[];
  forces: ForceAbout[];
  switches: Switch[];
  presets: Record<"core" | "club" | "all", string[]>;
  habits: Habit[];
  bots: string[];
}

export interface RuleEntry {
  id: string;
  kind: string;
  title: string;
  chapter: string;
  text: string;
  example?: string;
  unclear?: string;
  reading?: string;
}

export interface GameAbout {
  id: string;
  title: string;
  ruleset: string;
  scenario: string;
  seats: Record<string, string>;
  turn: number;
  asked: string | null;
  result?: Result | null;
  /** Seconds since 1970. */
  updated: number;
  dice?: DiceSource;
}

export interface NewGame {
  ruleset: string;
  scenario: string;
  forces?: Record<string, string>;
  options?: string[] | string;
  seats: Record<string, string>;
  dice?: "sealed" | "typed";
  title?: string;
}

export interface MadeGame {
  id: string;
  keys: Record<string, string>;
  dice: DiceSource;
}

export interface Beat {
  to: number;
  turn: number;
  seat: string;
  words: string;
}

/** The table as it was at one number. */
export interface Moment {
  number: number;
  turn: number;
  scene: Scene;
  status: Fact[];
  roster: UnitCard[];
  events: Event[];
  profiles?: Record<string, Profile>;
}

export interface ApiError {
  kind: string;
  message: string;
  rule?: string;
  field?: string;
  legal?: string;
}
