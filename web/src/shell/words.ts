/** Plain words for answers, seats and numbers: what people read instead of ids and JSON. */

import { plain } from "../lib/tokens";
import type { Fact, Json, MovePiece, Option, Question, Steps } from "../lib/types";

type NameOf = (id: string) => string;

/** Of sixteen, so that proposals which differ a little are not called the same. */
const WINDS = [
  "north", "north-north-east", "north-east", "east-north-east", "east", "east-south-east", "south-east", "south-south-east",
  "south", "south-south-west", "south-west", "west-south-west", "west", "west-north-west", "north-west", "north-north-west",
];
const SIDES = new Set(["red", "blue"]);
const SIDE = new RegExp(`\\b(${[...SIDES].join("|")})\\b`, "g");

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence in which the sides are called by name: "red is past its limit" is said of Red. */
export function sided(text: string): string {
  return text.replaceAll(SIDE, (side) => capital(side));
}

/** A name like "hedgerow-village" as a title. */
export function title(name: string): string {
  return capital(name.replace(/[-_]+/g, " "));
}

export function plural(count: number, word: string, many = `${word}s`): string {
  return `${count} ${count === 1 ? word : many}`;
}

/** The colour of a seat's words; seats that are no known side are neutral. */
export function sideOf(seat: string | null | undefined): string {
  return seat && SIDES.has(seat) ? seat : "neutral";
}

/** Who holds a seat: "bot:greedy" is "Greedy, a bot". */
export function holderWords(holder: string | undefined): string {
  if (!holder || holder === "open") return "nobody yet";
  if (holder.startsWith("bot:")) return `${capital(holder.slice(4))}, a bot`;
  return "a person";
}

/** Who plays a seat: his name, or what holds it. */
export function playerWords(seat: string, seats: Record<string, string>, names: Record<string, string>): string {
  const holder = seats[seat];
  return (holder?.startsWith("bot:") ? "" : names[seat]) || holderWords(holder);
}

/** An answer as a person reads it; `nameOf` says what people call the thing with an id. */
export function answerWords(asked: Question, answer: Json, nameOf: NameOf): string {
  switch (asked.form) {
    case "choose":
      return typeof answer === "string" ? optionWords(asked.options, answer, nameOf) : "";
    case "choose-some":
      return Array.isArray(answer)
        ? answer.map((id) => optionWords(asked.options, String(id), nameOf)).join(", ") || "none"
        : "";
    case "assign":
      return assignWords(asked.items, answer as Record<string, string>, nameOf);
    case "move":
      return moveWords(asked.pieces, answer as unknown as Steps, asked.noun);
    case "march":
      return marchWords(answer);
    case "point":
      return Array.isArray(answer) ? `${inches(Number(answer[0]))} across, ${inches(Number(answer[1]))} up` : "";
    case "number":
      return String(answer);
    case "dice":
      return Array.isArray(answer) ? answer.join(" ") : "";
  }
}

function optionWords(options: Option[], id: string, nameOf: NameOf): string {
  const option = options.find((each) => each.id === id);
  return option ? plain(option.label) : nameOf(id);
}

/** Who is given what: "all: Move", or one part after the other. */
export function assignWords(items: Record<string, Option[]>, given: Record<string, string>, nameOf: NameOf): string {
  const groups = new Map<string, string[]>();
  for (const [item, option] of Object.entries(given)) groups.set(option, [...(groups.get(option) ?? []), item]);
  const label = (item: string, option: string) => optionWords(items[item] ?? [], option, nameOf);
  const parts = [...groups].map(([option, names]) => {
    const who = names.length === Object.keys(items).length && names.length > 1 ? "all" : several(names.map(nameOf));
    return `${who}: ${label(names[0] ?? "", option)}`;
  });
  return parts.join("; ") || "none";
}

function several(names: string[]): string {
  return names.length > 3 ? `${names.length} of them` : names.join(", ");
}

/** How far and whither, about; where the game has a word of its own for its pieces, how many of them. */
export function moveWords(pieces: MovePiece[], steps: Steps, noun?: string): string {
  const named = Object.entries(steps);
  const first = named[0];
  if (!first) return "stay";
  const starts = new Map(pieces.map((piece) => [piece.id, piece.at]));
  const moves = named.flatMap(([id, step]) => {
    const start = starts.get(id);
    return start ? [[step.to[0] - start[0], step.to[1] - start[1]] as const] : [];
  });
  const all = noun !== undefined && named.length === pieces.length;
  const who = pieces.length > 1 ? `${all ? plural(named.length, noun) : `${named.length} of ${pieces.length}`}, ` : "";
  if (moves.length < named.length) {
    const [x, y] = first[1].to;
    return `${named.length < pieces.length ? who : ""}about ${inches(x)} across, ${inches(y)} up`;
  }
  const dx = moves.reduce((sum, [x]) => sum + x, 0) / moves.length;
  const dy = moves.reduce((sum, [, y]) => sum + y, 0) / moves.length;
  const far = Math.hypot(dx, dy);
  if (far < 0.05) return "turn in place";
  const wind = WINDS[(Math.round((Math.atan2(dx, dy) / Math.PI) * 8) + 16) % 16] ?? "";
  return `${who}about ${plural(tenths(far), "inch", "inches")} ${wind}`;
}

/** A march in words: "wheel 30° left, 4.5 inches ahead". */
export function marchWords(answer: Json): string {
  const { legs = [], to } = (answer ?? {}) as { legs?: { ahead?: number; wheel?: number }[]; to?: { files: number } };
  const parts = legs.flatMap(({ ahead, wheel }) => [
    ...(wheel ? [`wheel ${Math.round(Math.abs(wheel))}° ${wheel > 0 ? "right" : "left"}`] : []),
    ...(ahead ? [`${plural(tenths(ahead), "inch", "inches")} ahead`] : []),
  ]);
  return [...(to ? [`form up ${to.files} abreast`] : []), ...parts].join(", ") || "stay";
}

/** How many are chosen of those that may be. */
export function chosenWords(count: number, least: number, most: number): string {
  if (least === most) return `${count} of ${most} chosen.`;
  return `${count || "None"} chosen, ${least ? `from ${least} to ${most}` : `${most} at most`}.`;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

export function inches(value: number): string {
  return String(tenths(value));
}

/** A small count that can be shown as dots: how many are full, and of how many. */
export function pips({ count }: Fact): { full: number; of: number } | null {
  if (!count) return null;
  const [full, of] = [count[0], Math.max(...count)];
  return of > 0 && of <= 6 ? { full, of } : null;
}

export interface SideFacts {
  seat: string;
  facts: Fact[];
}

/** Of facts with one name the one that is known: a view of everything brings each side's. */
function known(facts: Fact[]): Fact[] {
  const found = new Map<string, Fact>();
  for (const fact of facts) {
    const name = `${fact.side ?? ""} ${fact.name}`;
    const have = found.get(name);
    if (!have || have.known === false) found.set(name, fact);
  }
  return [...found.values()];
}

/** The facts that are everybody's, and each side's own. */
export function bySide(facts: Fact[], seats: string[]): { common: Fact[]; sides: SideFacts[] } {
  const sides = seats.map((seat) => ({ seat, facts: [] as Fact[] }));
  const common: Fact[] = [];
  for (const fact of known(facts)) {
    (sides.find(({ seat }) => seat === fact.side)?.facts ?? common).push(fact);
  }
  return { common, sides: sides.filter((side) => side.facts.length) };
}

/** "three minutes ago", about. */
export function ago(seconds: number, now = Date.now()): string {
  const minutes = Math.max(0, Math.round((now - seconds * 1000) / 60_000));
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${plural(minutes, "minute")} ago`;
  if (minutes < 60 * 36) return `${plural(Math.round(minutes / 60), "hour")} ago`;
  return `${plural(Math.round(minutes / 60 / 24), "day")} ago`;
}
