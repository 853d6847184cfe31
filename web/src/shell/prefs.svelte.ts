/** What this browser remembers of a player's wishes. */

export type Theme = "auto" | "light" | "dark";

/** How fast what happens is shown: a key ends each beat, at a pace to follow, faster, or not at all. */
export type Pace = "calm" | "follow" | "brisk" | "off";

const PLACE = "sandtable.wishes";
const THEMES: Theme[] = ["auto", "light", "dark"];
/** So many briefings are remembered. */
const BRIEFINGS = 200;
/** As the server takes them. */
export const LONGEST_NAME = 40;
const PACES: Pace[] = ["calm", "follow", "brisk", "off"];

interface Kept {
  theme: Theme;
  pace: Pace;
  sound: boolean;
  speed: number;
  watch: boolean;
  open: string[];
  briefed: boolean;
  briefings: string[];
  unguided: string[];
  name: string;
  notices: boolean;
  reasons: boolean;
  folded: Record<Part, boolean>;
}

/** What lies at the edges of the table and can be folded away. */
export type Part = "roster" | "panel" | "time" | "legend";
const FOLDED: Record<Part, boolean> = { roster: false, panel: true, time: true, legend: false };

function stored(): Partial<Kept> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    return value && typeof value === "object" ? (value as Partial<Kept>) : {};
  } catch {
    // Storage may be forbidden or hold something foreign: then the usual wishes apply.
    return {};
  }
}

class Wishes {
  theme = $state<Theme>("auto");
  pace = $state<Pace>("follow");
  /** Small sounds while it is shown. */
  sound = $state(false);
  /** Beats are shown so many times faster than usual. */
  speed = $state(1);
  /** Show the other side's turn beat by beat before my own question. */
  watch = $state(false);
  /** Games in which one person plays both sides openly, without a hand-over. */
  open = $state<string[]>([]);
  /** Briefings are opened only by their button. */
  briefed = $state(false);
  /** The seats of games whose briefing has been shown here, the latest last. */
  briefings = $state<string[]>([]);
  /** Games whose guide has been sent away, the latest last. */
  unguided = $state<string[]>([]);
  /** What the others read of me. */
  name = $state("");
  /** A notice of the browser when it is my turn and I look elsewhere. */
  notices = $state(false);
  /** Why bots chose as they did stands in the log. */
  reasons = $state(false);
  folded = $state<Record<Part, boolean>>({ ...FOLDED });

  constructor() {
    const kept = stored();
    if (kept.theme && THEMES.includes(kept.theme)) this.theme = kept.theme;
    if (kept.pace && PACES.includes(kept.pace)) this.pace = kept.pace;
    this.sound = kept.sound === true;
    if (typeof kept.speed === "number" && kept.speed > 0) this.speed = kept.speed;
    this.watch = kept.watch === true;
    if (Array.isArray(kept.open)) this.open = kept.open.map(String);
    this.briefed = kept.briefed === true;
    if (Array.isArray(kept.briefings)) this.briefings = kept.briefings.map(String);
    if (Array.isArray(kept.unguided)) this.unguided = kept.unguided.map(String);
    if (typeof kept.name === "string") this.name = kept.name;
    this.notices = kept.notices === true;
    this.reasons = kept.reasons === true;
    for (const part of Object.keys(FOLDED) as Part[]) {
      const wish = kept.folded?.[part];
      if (typeof wish === "boolean") this.folded[part] = wish;
    }
    this.#dress();
  }

  keep(): void {
    const { theme, pace, sound, speed, watch, open, briefed, briefings, unguided, name, notices, reasons, folded } = this;
    const kept: Kept = { theme, pace, sound, speed, watch, open, briefed, briefings, unguided, name, notices, reasons, folded };
    try {
      localStorage.setItem(PLACE, JSON.stringify(kept));
    } catch {
      // Without storage they last as long as the page does.
    }
    this.#dress();
  }

  fold(part: Part, away: boolean): void {
    if (this.folded[part] === away) return;
    this.folded[part] = away;
    this.keep();
  }

  /** Whether a seat of a game is to be briefed without being asked; it is then counted as told. */
  brief(game: string, seat: string): boolean {
    const name = `${game}/${seat}`;
    if (this.briefed || this.briefings.includes(name)) return false;
    this.briefings = [...this.briefings, name].slice(-BRIEFINGS);
    this.keep();
    return true;
  }

  /** Listen to the guide of a game, or send him away. */
  guide(game: string, listen: boolean): void {
    const others = this.unguided.filter((each) => each !== game);
    this.unguided = listen ? others : [...others, game].slice(-BRIEFINGS);
    this.keep();
  }

  call(name: string): void {
    this.name = name.trim().slice(0, LONGEST_NAME);
    this.keep();
  }

  nextTheme(): void {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length] ?? "auto";
    this.keep();
  }

  nextPace(): void {
    this.pace = PACES[(PACES.indexOf(this.pace) + 1) % PACES.length] ?? "follow";
    this.keep();
  }

  turnSound(): void {
    this.sound = !this.sound;
    this.keep();
  }

  #dress(): void {
    if (this.theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.theme;
  }
}

export const wishes = new Wishes();
