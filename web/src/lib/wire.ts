/** What the server sends, structure by structure. Made by `python -m sandtable.testing.page_types write`. */

export const LOOKS = [
  "hill",
  "other",
  "field",
  "rough",
  "marsh",
  "mines",
  "stream",
  "river",
  "trench",
  "track",
  "road",
  "railway",
  "bridge",
  "orchard",
  "wood",
  "ruin",
  "wire",
  "fence",
  "hedge",
  "bocage",
  "wall",
  "high-wall",
  "wreck",
  "building",
  "smoke",
] as const;
export type Look = (typeof LOOKS)[number];

/** A state of a piece: a short word, and what it says when asked. */
export interface Badge {
  icon: string;
  words: string;
  count: number;
  sign: string;
}

/** A base: width across the front, depth along the facing; a circle's width is its diameter. */
export interface Footprint {
  width: number;
  depth: number;
  shape: "circle" | "rectangle";
}

/** Where a base's centre stands and which way it looks; `turret` is the compass facing of its turret. */
export interface Place {
  x: number;
  y: number;
  facing: number;
  level: number;
  turret: number | null;
}

/** A base on the table. Pieces of one `unit` share one label, the first that is not empty. */
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

/** A piece of terrain: an area (closed polygon, concave if it likes) or a line obstacle (not closed). */
export interface Feature {
  id: string;
  kind: string;
  points: [number, number][];
  closed?: boolean;
  height?: number;
  floor?: number;
  levels?: number;
  name?: string;
}

/** A unit that is drawn as one: an outline round its pieces, and its signs once, on its label. */
export interface Body {
  id: string;
  side: string;
  label: string;
  hull: [number, number][];
  rim: number;
  note?: string;
  badges?: Badge[];
}

/** How far something carries about a piece, such as a voice: from its middle. Drawn when it is wanted. */
export interface Ring {
  id: string;
  radius: number;
  label: string;
  arc?: number;
  threat?: boolean;
}

/** An objective and the side that holds it. */
export interface Spot {
  x: number;
  y: number;
  radius: number;
  label: string;
  holder: string;
}

/** Something laid over the ground: "smoke", "template", "zone"; a zone may be a side's. */
export interface Area {
  points: [number, number][];
  kind: string;
  label: string;
  side: string;
}

/** A move just made. */
export interface Path {
  points: [number, number][];
  side: string;
  label: string;
}

/** All that a picture shows, in inches; `looks` says how each kind of terrain is drawn. */
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
  looks: Record<string, Look>;
  bodies: Body[];
  rings: Ring[];
}

/** One thing worth showing: "Order Points", "2 of 3", and the rule behind it. */
export interface Fact {
  name: string;
  value: string;
  rule?: string;
  side?: string;
  known?: boolean;
  count?: [number, number];
}

/** A die that lies on the rail: what it shows, whose it is, whether it is spent, and what more is to be said. */
export interface RailDie {
  value: number;
  side: string;
  spent?: boolean;
  title?: string;
}

/** A step of a turn on the rail, with the dice that can be spent in it; `now` is the one that is played. */
export interface RailStep {
  name: string;
  dice?: RailDie[];
  now?: boolean;
  past?: boolean;
}

/** Dice at the table's edge that each side spends in the steps of a turn, and in which order these come. */
export interface Rail {
  title: string;
  steps: RailStep[];
  note?: string;
}

/** What a kind of Team can do: its numbers, its weapons as a small table, its special rules. */
export interface Profile {
  name: string;
  facts?: Fact[];
  columns?: string[];
  weapons?: string[][];
  notes?: Fact[];
  look?: string;
}

/** One Team of the roster: `where` says in a word where it is when it is not on the table. */
export interface TeamCard {
  id: string;
  name: string;
  profile: string;
  badges?: Badge[];
  where?: string;
  lost?: boolean;
}

/** A Unit as a player may know it, and its Teams. */
export interface UnitCard {
  id: string;
  side: string;
  name: string;
  note: string;
  strength: [number, number];
  badges?: Badge[];
  teams?: TeamCard[];
}

/** What a seat is told before its first question, beside the title of the battle and what that says of itself. */
export interface Briefing {
  task?: string;
  lines?: Fact[];
  force?: Fact[];
}

/** What a piece sees, or would see from a place where it does not stand yet. */
export interface Outlook {
  at: [number, number];
  facing: number;
  cell: number;
  rows: string[];
  seen?: string[];
  rings?: [number, string][];
  arc?: number;
  notes?: Fact[];
}

/** Something that a line crosses: from and to so many inches along it, from `floor` up to `top`. */
export interface Slice {
  start: number;
  end: number;
  floor: number;
  top: number;
  kind: string;
  name: string;
  stops?: boolean;
}

/** A line of sight from the side: its length, the ground under it, what stands on it, and whether it is clear. */
export interface SideView {
  length: number;
  eye: number;
  target: number;
  clear: boolean;
  ground?: [number, number][];
  slices?: Slice[];
  notes?: Fact[];
}

/** A modifier before the dice fall. */
export interface Reason {
  amount: number;
  rule: string;
  words: string;
}

/** One throw of dice that the answer would cause: who, how many dice, what each needs, and why. */
export interface PreviewLine {
  words: string;
  dice?: number;
  needs?: number;
  reasons?: Reason[];
  rule?: string;
}

/** One way in which an attack may end, and how often. */
export interface Chance {
  words: string;
  share: number;
}

/** A number that depends on dice, such as hits: each value that it may have with its chance, and the mean. */
export interface Spread {
  name: string;
  mean: number;
  chances: [number, number][];
}

/** What an answer would lead to: each number with its reasons, and the chances of how it ends. */
export interface Preview {
  lines?: PreviewLine[];
  chances?: Chance[];
  trials?: number;
  notes?: Fact[];
  spreads?: Spread[];
  assumes?: string[];
  follows?: Preview[];
}

/** Dice that were thrown together: what they show, and what re-rolled dice showed before. */
export interface Throw {
  seat: string;
  why: string;
  values: number[];
  sides?: number;
  before?: Record<number, number>;
}

/** Something undone or illegal that a seat should hear of before the game moves on. */
export interface Guard {
  seat: string;
  message: string;
  rule?: string;
  stops?: boolean;
  before?: string;
}

/** Why an answer was not taken. */
export interface Refusal {
  kind: "illegal" | "malformed" | "unasked" | "unknown";
  message: string;
  rule?: string;
  field?: string;
  legal?: string;
}

/** How a game ended: the winner's seat (None for a draw) and the reason, with its rule. */
export interface Result {
  winner: string | null;
  reason: string;
  rule?: string;
  points?: Record<string, number>;
  points_for?: string;
  degree?: string;
}

/** One thing that can be chosen: its id goes into the answer, its label is for people. */
export interface Option {
  id: string;
  label: string;
  rules?: string[];
  pieces?: string[];
  act?: string;
  warning?: string;
  shape?: string;
  then?: Option[];
  goes?: number;
}

/** A base that may be moved or set down, as the page must know it; `base` is its width and depth. */
export interface MovePiece {
  id: string;
  label: string;
  at: [number, number] | null;
  facing: number;
  reach?: number;
  base?: [number, number];
  ground?: string;
  round?: boolean;
}

/** Where one piece goes: by way of some points to its end, and how it faces there. */
export interface Step {
  to: [number, number];
  facing?: number;
  turret?: number;
  via?: [number, number][];
}

/** Where a body stands: the middle of its front rank, how it faces, and how many stand abreast. */
export interface Pose {
  at: [number, number];
  facing: number;
  files: number;
}

/** Where one piece would come to stand, how far that is, and what it costs or had to give way to (`facts`). */
export interface Landing {
  id: string;
  at: [number, number];
  facing: number;
  inches?: number;
  facts?: Fact[];
  way?: [number, number][];
}

/** An answer that a seat did not have to give itself, as a line of an order's card: "Pay: An Order Point". */
export interface Settled {
  number: number;
  title: string;
  said: string;
  by: string;
  habit?: string;
  changes?: boolean;
  shapes?: Option[];
  chosen?: string;
  unit?: string;
}

/** A first battle with a guide: what it is about, what is learnt, and how long it takes. */
export interface LessonCard {
  name: string;
  title: string;
  about: string;
  learns: string[];
  minutes: number;
  seat: string;
  bot: string;
  steps: number;
}

/** A battle to choose: what it says of itself, and how large it is, where its set-up says so. */
export interface ScenarioCard {
  name: string;
  title: string;
  about: string;
  width: number;
  depth: number;
  forces: Record<string, string>;
  rounds?: number;
  units?: Record<string, number>;
}

export interface ForceCard {
  name: string;
  title: string;
  side?: string;
}

export interface SwitchCard {
  id: string;
  title: string;
  about: string;
  rules: string[];
  club: boolean;
  core: boolean;
}

export interface HabitCard {
  id: string;
  words: string;
  topic: string;
  usual: boolean;
}

export interface RulesetCard {
  name: string;
  title: string;
  seats: string[];
  scenarios: ScenarioCard[];
  lessons: LessonCard[];
  forces: ForceCard[];
  switches: SwitchCard[];
  presets: Record<"all" | "club" | "core", string[]>;
  habits: HabitCard[];
  bots: string[];
}

export interface RuleCard {
  id: string;
  kind: string;
  title: string;
  chapter: string;
  text: string;
  example?: string;
  unclear?: string;
  reading?: string;
}

/** A chapter of a game's rules, and how many of them are among those that were sought. */
export interface ChapterCard {
  ruleset: string;
  chapter: string;
  rules: number;
}

/** A part of the rules that were sought: how many there are in all, and in which chapters, whichever was chosen. */
export interface FoundRules {
  total: number;
  chapters: ChapterCard[];
  rules: RuleCard[];
}

export interface DiceCard {
  source: string;
  commitment?: string;
  secret?: string;
}

export interface GameCard {
  id: string;
  title: string;
  ruleset: string;
  scenario: string;
  seats: Record<string, string>;
  names: Record<string, string>;
  turn: number;
  asked: string | null;
  updated: number;
  state: string;
  result?: Result;
  dice?: DiceCard;
}

/** A game to be made. Seats: "me", "link" or "bot:NAME"; `substitute` may play for one who is away. */
export interface NewGame {
  ruleset: string;
  scenario: string;
  seats: Record<string, string>;
  forces?: Record<string, string>;
  options?: string[] | string;
  dice?: "sealed" | "typed";
  title?: string;
  substitute?: string;
}

export interface Created {
  id: string;
  keys: Record<string, string>;
  dice: DiceCard;
}

/** A step of the game: it ends before question `to`, and `event` is the place of its first event in the log. */
export interface BeatCard {
  to: number;
  turn: number;
  seat: string;
  words: string;
  event: number;
}

/** A value of a curve: after so many answers, in which turn. */
export interface Mark {
  number: number;
  turn: number;
  value: number;
}

/** One figure of one side over the battle; `limit` is what it is counted against, 0 for nothing. */
export interface Curve {
  name: string;
  side: string;
  marks: Mark[];
  limit?: number;
}

/** So many pieces of a side were lost in a turn. */
export interface Fallen {
  turn: number;
  side: string;
  count: number;
}

/** A moment that changed much: where it begins and ends in answers, whom it favoured, how much, and what happened. */
export interface Swing {
  start: number;
  end: number;
  turn: number;
  side: string;
  share: number;
  told: string[];
}

/** So many of a kind that fell to another kind, by name; an empty `by` is nobody in particular. */
export interface Kill {
  side: string;
  what: string;
  by: string;
  weapon: string;
  count: number;
}

/** A side's dice that needed a number: how many showed it, how many were to be expected, and the usual band. */
export interface Luck {
  side: string;
  dice: number;
  good: number;
  expected: number;
  low: number;
  high: number;
  better: number;
  words: string;
}

/** A battle that is over, as it is told afterwards. */
export interface Account {
  winner: string | null;
  sentence: string;
  rule: string;
  turns: number;
  answers: number;
  curves?: Curve[];
  fallen?: Fallen[];
  swings?: Swing[];
  kills?: Kill[];
  luck?: Luck[];
}

export interface Problem {
  kind: string;
  message: string;
  rule?: string;
  field?: string;
  legal?: string;
}
