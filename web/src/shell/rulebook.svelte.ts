/** The rules that somebody has looked at, fetched once each. */

import { rule } from "../lib/api";
import type { RuleCard } from "../lib/types";

class Rulebook {
  #known = new Map<string, Promise<RuleCard>>();

  find(id: string): Promise<RuleCard> {
    let found = this.#known.get(id);
    if (!found) {
      found = rule(id);
      // A rule that could not be fetched is asked for again next time.
      found.catch(() => this.#known.delete(id));
      this.#known.set(id, found);
    }
    return found;
  }
}

export const rulebook = new Rulebook();
