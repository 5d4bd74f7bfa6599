import { expect, test } from "bun:test";
import { attempt, attemptLater, PartUnavailable } from "./attempt.ts";

const fail = (error: Error) => (): never => {
  throw error;
};

test("a part is opened once, and what went wrong is thrown by each who asks for it", async () => {
  let times = 0;
  const part = attempt(() => ++times);
  expect([part(), part()]).toEqual([1, 1]);
  const broken = attempt(fail(new Error("lemmas.tsv is damaged")));
  for (let asked = 0; asked < 2; asked++) {
    expect(broken).toThrow(PartUnavailable);
    expect(broken).toThrow("lemmas.tsv is damaged");
  }
  const later = await attemptLater(async () => "part");
  expect(later()).toBe("part");
  expect(await attemptLater(async () => fail(new Error("cut short"))())).toThrow("cut short");
});

test("who named the part already is not named again", () => {
  const named = new PartUnavailable("model senses-ar: vectors.bin is missing");
  expect(attempt(fail(named))).toThrow(named);
});
