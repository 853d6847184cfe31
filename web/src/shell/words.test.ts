import { describe, expect, it } from "vitest";
import { dots } from "./dots";
import { gathered } from "./gathered";
import { ending } from "./said";
import { assignWords, bySide, chosenWords, moveWords, pips, playerWords, sided } from "./words";

const same = (text: string) => text;

describe("the end of a battle", () => {
  it("says who has won, why, and with how many points", () => {
    expect(ending({ winner: null, reason: "" }, "")).toBe("The battle is drawn.");
    expect(ending({ winner: "red", reason: "blue resigns." }, "blue resigns.")).toBe("Red has won. Blue resigns.");
    const result = { winner: "red", reason: "time", points: { red: 2, blue: 1 }, points_for: "objectives held", degree: "decisive" };
    expect(ending(result, "time")).toBe("Red has won: decisive. Time. Objectives held: Red 2, Blue 1.");
  });
});

describe("a side in a sentence", () => {
  it("is called by its name, and nothing else is", () => {
    expect(sided("after 12 rounds red is 3 past its Break Limit and blue at its")).toBe("after 12 rounds Red is 3 past its Break Limit and Blue at its");
    expect(sided("a hundred bluebells")).toBe("a hundred bluebells");
  });
});

describe("who plays a seat", () => {
  it("is called by his name, a bot by its own", () => {
    const seats = { red: "person", blue: "bot:steady", green: "open" };
    const names = { red: "Ada", blue: "Grace" };
    expect(playerWords("red", seats, names)).toBe("Ada");
    expect(playerWords("blue", seats, names)).toBe("Steady, a bot");
    expect(playerWords("green", seats, names)).toBe("nobody yet");
    expect(playerWords("red", seats, {})).toBe("a person");
  });
});

describe("words for answers", () => {
  it("says a move by how far and whither", () => {
    const pieces = [{ id: "a", label: "A", at: [0, 0] as [number, number], facing: 0 }];
    expect(moveWords(pieces, { a: { to: [0, 6] } })).toBe("about 6 inches north");
    expect(moveWords(pieces, { a: { to: [0, 1.04] } })).toBe("about 1 inch north");
    expect(moveWords(pieces, { a: { to: [-4, 0] } })).toBe("about 4 inches west");
    expect(moveWords(pieces, { a: { to: [2, 5] } })).toBe("about 5.4 inches north-north-east");
    expect(moveWords(pieces, { a: { to: [0, 0], facing: 90 } })).toBe("turn in place");
    expect(moveWords(pieces, {})).toBe("stay");
  });

  it("says where somebody is set down", () => {
    const pieces = [{ id: "a", label: "A", at: null, facing: 0 }];
    expect(moveWords(pieces, { a: { to: [12.04, 3] } })).toBe("about 12 across, 3 up");
    const two = [...pieces, { id: "b", label: "B", at: null, facing: 0 }];
    expect(moveWords(two, { a: { to: [12.04, 3] } })).toBe("1 of 2, about 12 across, 3 up");
    expect(moveWords(two, { a: { to: [12.04, 3] }, b: { to: [14, 3] } })).toBe("about 12 across, 3 up");
  });

  it("counts pieces by the game's own word for them", () => {
    const men = ["a", "b"].map((id) => ({ id, label: id, at: [0, 0] as [number, number], facing: 0 }));
    const north = { to: [0, 6] as [number, number] };
    expect(moveWords(men, { a: north, b: north }, "figure")).toBe("2 figures, about 6 inches north");
    expect(moveWords(men, { a: north }, "figure")).toBe("1 of 2, about 6 inches north");
    expect(moveWords(men, { a: north, b: north })).toBe("2 of 2, about 6 inches north");
  });

  it("says how many are chosen of those that may be", () => {
    expect(chosenWords(0, 0, 3)).toBe("None chosen, 3 at most.");
    expect(chosenWords(2, 1, 3)).toBe("2 chosen, from 1 to 3.");
    expect(chosenWords(1, 2, 2)).toBe("1 of 2 chosen.");
  });

  it("says who is given what", () => {
    const option = [{ id: "move", label: "Move" }];
    const items = { a: option, b: option };
    expect(assignWords(items, { a: "move", b: "move" }, same)).toBe("all: Move");
    expect(assignWords(items, { a: "move" }, same)).toBe("a: Move");
    expect(assignWords(items, {}, same)).toBe("none");
  });
});

describe("facts", () => {
  it("shows small counts as dots", () => {
    const fact = (count?: [number, number]) => ({ name: "", value: "", ...(count ? { count } : {}) });
    expect(pips(fact([2, 3]))).toEqual({ full: 2, of: 3 });
    expect(pips(fact([4, 4]))).toEqual({ full: 4, of: 4 });
    expect(pips(fact([0, 19]))).toBeNull();
    expect(pips(fact())).toBeNull();
  });

  it("gives each side its own, and prefers what is known", () => {
    const facts = [
      { name: "Round", value: "1" },
      { name: "Hero Points", value: "?", side: "red", known: false },
      { name: "Hero Points", value: "3", side: "red" },
      { name: "Hero Points", value: "?", side: "blue", known: false },
    ];
    const { common, sides } = bySide(facts, ["red", "blue"]);
    expect(common.map(({ name }) => name)).toEqual(["Round"]);
    expect(sides.map(({ seat, facts: own }) => [seat, own.map(({ value }) => value)])).toEqual([
      ["red", ["3"]],
      ["blue", ["?"]],
    ]);
  });
});

describe("the log", () => {
  it("gathers lines by turn and beat, the newest first", () => {
    const event = (n: number, after: number) => ({ n, after, kind: "", text: `e${n}` });
    const beats = [
      { to: 2, turn: 1, seat: "red", words: "first", event: 0 },
      { to: 4, turn: 2, seat: "blue", words: "second", event: 9 },
    ];
    const lines = gathered([event(0, 1), event(1, 2), event(2, 3), event(3, 5)], beats, [{ after: 2, words: "note" }], 10);
    expect(lines.map(({ id }) => id)).toEqual(["e3", "e2", "n0", "e1", "e0"]);
    expect(lines.map(({ heading }) => heading)).toEqual([null, 2, 1, undefined, undefined]);
    expect(lines.map(({ beat }) => beat?.words)).toEqual([undefined, "second", "first", undefined, undefined]);
    // One of its lines says what the first beat is about, none what the second is.
    expect(lines.map(({ lone }) => lone)).toEqual([undefined, true, false, undefined, undefined]);
  });
});

describe("dice", () => {
  it("has as many dots as it shows", () => {
    for (const value of [1, 2, 3, 4, 5, 6]) expect(dots(value)).toHaveLength(value);
  });
});
