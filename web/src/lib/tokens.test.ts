import { describe, expect, it } from "vitest";
import { parts, plain } from "./tokens";

const FIRES = "[[team:red-1-rifle-2|Red Rifle 2]] fires at [[unit:blue-1|Blue Platoon]].";

describe("names within a text", () => {
  it("are read as names", () => {
    expect(plain(FIRES)).toBe("Red Rifle 2 fires at Blue Platoon.");
    expect(plain("No token, but [brackets] and [[two of them]].")).toBe("No token, but [brackets] and [[two of them]].");
    expect(plain("")).toBe("");
  });

  it("say what is meant", () => {
    expect(parts(FIRES)).toEqual([
      { kind: "team", id: "red-1-rifle-2", name: "Red Rifle 2" },
      " fires at ",
      { kind: "unit", id: "blue-1", name: "Blue Platoon" },
      ".",
    ]);
    expect(parts("[[place:12.5,30|12.5, 30]]")).toEqual([{ kind: "place", id: "12.5,30", name: "12.5, 30" }]);
  });
});
