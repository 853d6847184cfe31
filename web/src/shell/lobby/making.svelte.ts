/** The wish for a new game, as the form of the lobby fills it in. */

import type { NewGame, RulesetCard, ScenarioCard } from "../../lib/types";

export type Preset = "core" | "club" | "all";
export const PRESETS: [Preset, string][] = [
  ["core", "The rules alone"],
  ["club", "As in a club"],
  ["all", "Everything"],
];

const STRONGEST = ["greedy", "random"];

/** The bot that a newcomer meets. */
export function usualBot(ruleset: RulesetCard): string {
  return STRONGEST.find((name) => ruleset.bots.includes(name)) ?? ruleset.bots[0] ?? "random";
}

/** The battle with the fewest Units, as in the terminal: for a first game. */
function firstScenario(ruleset: RulesetCard): string {
  const size = ({ units }: ScenarioCard) => Object.values(units ?? {}).reduce((sum, count) => sum + count, 0);
  return ruleset.scenarios.toSorted((a, b) => size(a) - size(b))[0]?.name ?? "";
}

/** One click: a scenario as a club plays it, the smallest if none is named; the first seat is mine, a bot's the others. */
export function quickGame(ruleset: RulesetCard, scenario = firstScenario(ruleset)): NewGame {
  const bot = `bot:${usualBot(ruleset)}`;
  return {
    ruleset: ruleset.name,
    scenario,
    seats: Object.fromEntries(ruleset.seats.map((seat, index) => [seat, index === 0 ? "me" : bot])),
    ...(ruleset.switches.length ? { options: "club" } : {}),
  };
}

export class Making {
  ruleset = $state.raw<RulesetCard>() as RulesetCard;
  scenario = $state("");
  forces = $state<Record<string, string>>({});
  options = $state<Set<string>>(new Set());
  seats = $state<Record<string, string>>({});
  dice = $state<"sealed" | "typed">("sealed");
  title = $state("");

  readonly about: ScenarioCard | undefined = $derived.by(() =>
    this.ruleset.scenarios.find(({ name }) => name === this.scenario),
  );

  /** The preset that the switches now amount to, if any. */
  readonly preset: Preset | null = $derived.by(() => {
    const same = ([name]: [Preset, string]) => {
      const ids = this.ruleset.presets[name];
      return ids.length === this.options.size && ids.every((id) => this.options.has(id));
    };
    return PRESETS.find(same)?.[0] ?? null;
  });

  constructor(ruleset: RulesetCard) {
    this.choose(ruleset);
  }

  choose(ruleset: RulesetCard): void {
    this.ruleset = ruleset;
    this.seats = { ...quickGame(ruleset).seats };
    this.take("club");
    this.play(ruleset.scenarios[0]?.name ?? "");
  }

  play(scenario: string): void {
    this.scenario = scenario;
    this.forces = {};
  }

  take(preset: Preset): void {
    this.options = new Set(this.ruleset.presets[preset]);
  }

  toggle(id: string): void {
    const options = new Set(this.options);
    if (!options.delete(id)) options.add(id);
    this.options = options;
  }

  wish(): NewGame {
    const { title, forces } = this;
    return {
      ruleset: this.ruleset.name,
      scenario: this.scenario,
      seats: { ...this.seats },
      dice: this.dice,
      ...(this.ruleset.switches.length ? { options: [...this.options] } : {}),
      ...(Object.keys(forces).length ? { forces: { ...forces } } : {}),
      ...(title.trim() ? { title: title.trim() } : {}),
    };
  }
}
