import { describe, expect, it } from "vitest";
import type { Event } from "../lib/types";
import { lapses, moreWords } from "./lapsed";

let n = 0;
const fell = (team: string, rule = "r.suppressed"): Event => ({ n: n++, after: 1, kind: "holds-fire", text: `${team} does not fire`, rules: [rule], data: { team } });
const unitOf = (id: string) => id.split("-")[0]!;

describe("parts of an order that fell away", () => {
  it("says once what holds for several of a Unit", () => {
    const found = lapses([fell("a-1"), fell("a-2"), fell("a-3")], unitOf);
    expect(found.map(({ first, more, whom }) => [first.text, more, whom])).toEqual([["a-1 does not fire", 2, ["a-1", "a-2", "a-3"]]]);
  });

  it("keeps other Units and other reasons apart", () => {
    const found = lapses([fell("a-1"), fell("b-1"), fell("a-2", "r.range")], unitOf);
    expect(found.map(({ first, more }) => [first.text, more])).toEqual([["a-1 does not fire", 0], ["b-1 does not fire", 0], ["a-2 does not fire", 0]]);
  });

  it("says nothing of more where there are none", () => {
    expect([moreWords(0), moreWords(2)]).toEqual(["", "The same holds for 2 more."]);
  });
});
