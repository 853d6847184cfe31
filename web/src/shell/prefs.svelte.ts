/** What this browser remembers of a player's wishes. */

export type Theme = "auto" | "light" | "dark";

const PLACE = "sandtable.wishes";
const THEMES: Theme[] = ["auto", "light", "dark"];

interface Kept {
  theme: Theme;
  speed: number;
  watch: boolean;
  open: string[];
}

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
  /** Beats are shown so many times faster than usual. */
  speed = $state(1);
  /** Show the other side's turn beat by beat before my own question. */
  watch = $state(false);
  /** Games in which one person plays both sides openly, without a hand-over. */
  open = $state<string[]>([]);

  constructor() {
    const kept = stored();
    if (kept.theme && THEMES.includes(kept.theme)) this.theme = kept.theme;
    if (typeof kept.speed === "number" && kept.speed > 0) this.speed = kept.speed;
    this.watch = kept.watch === true;
    if (Array.isArray(kept.open)) this.open = kept.open.map(String);
    this.#dress();
  }

  keep(): void {
    const { theme, speed, watch, open } = this;
    try {
      localStorage.setItem(PLACE, JSON.stringify({ theme, speed, watch, open }));
    } catch {
      // Without storage they last as long as the page does.
    }
    this.#dress();
  }

  nextTheme(): void {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length] ?? "auto";
    this.keep();
  }

  #dress(): void {
    if (this.theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.theme;
  }
}

export const wishes = new Wishes();
