import { describe, expect, it } from "vitest";
import type { Option } from "./types";
import { farEnough } from "./ways";

const walk: Option = { id: "walk", label: "Walk", act: "move", goes: 8 };
const run: Option = { id: "run", label: "Run", act: "move", goes: 12 };
const flee: Option = { id: "flee", label: "Flee", act: "move" };

describe("a drag among several ways to move", () => {
  it("takes the first that goes so far", () => {
    expect(farEnough([walk, run, flee], 6)?.id).toBe("walk");
    expect(farEnough([walk, run, flee], 8.6)?.id).toBe("walk");
    expect(farEnough([walk, run, flee], 11)?.id).toBe("run");
  });

  it("takes the farthest if none does", () => {
    expect(farEnough([flee, walk, run], 40)?.id).toBe("run");
  });

  it("takes the first where nothing is said of inches, and nothing where there is none", () => {
    const march: Option = { id: "march", label: "March", act: "move" };
    expect(farEnough([march, flee], 20)?.id).toBe("march");
    expect(farEnough([], 3)).toBeUndefined();
  });
});
