import { expect, test } from "vitest";
import { mergedList } from "./changes";

const thing = (id: string, value = 0) => ({ id, value });

test("what has not changed stays the very same object", () => {
  const old = [thing("a"), thing("b"), thing("c")];
  const now = mergedList(old, { put: [], change: [{ id: "b", value: 1 }] });
  expect(now).toEqual([thing("a"), thing("b", 1), thing("c")]);
  expect(now[0]).toBe(old[0]);
});

test("of a thing only what differs is told, and what it has no more", () => {
  const old = [{ id: "a", value: 1, note: "loose" }] as { id: string; value: number; note?: string; badge?: string }[];
  const now = mergedList(old, { put: [], change: [{ id: "a", badge: "tick", less: ["note"] }] });
  expect(now).toEqual([{ id: "a", value: 1, badge: "tick" }]);
});

test("ids say who is left, and in which order", () => {
  const old = [thing("a"), thing("b"), thing("c")];
  expect(mergedList(old, { ids: ["c", "d", "a"], put: [thing("d")] })).toEqual([thing("c"), thing("d"), thing("a")]);
});

test("without a change the list itself is kept", () => {
  const old = [thing("a")];
  expect(mergedList(old, undefined)).toBe(old);
});
