import { expect, test } from "vitest";
import { Pace } from "./pace";

test("whoever waits hears of the last question, not of the first", async () => {
  let place = "on the way";
  const asked: string[] = [];
  const pace = new Pace(async () => {
    const wanted = place;
    await new Promise((done) => setTimeout(done, 5));
    asked.push(wanted);
  });
  void pace.run();
  place = "farther on";
  void pace.run();
  place = "where it is dropped";
  await pace.run();
  expect(asked).toEqual(["on the way", "where it is dropped"]);
  await pace.run();
  expect(asked).toHaveLength(3);
});
