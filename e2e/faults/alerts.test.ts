import { expect, test } from "bun:test";
import { auditOf, type Told } from "./alerts.ts";

const told = (eventId: number, articleId: number, repeated = false): Told => {
  return { searchId: 1, eventId, articleId, repeated };
};
const wrong = (events: readonly Told[]) =>
  Object.entries(auditOf(events, new Map([[1, new Set([10, 20, 30])]]))).filter(([, count]) => count > 0);

test("what was told is compared with what matches: each once, in order, marked when it comes again", () => {
  const all = [told(1, 10), told(2, 20), told(2, 20, true), told(3, 30)];
  expect(wrong(all)).toEqual([]);
  expect(wrong(all.slice(0, 3))).toEqual([["alertsMissing", 1]]);
  expect(wrong([...all, told(4, 40)])).toEqual([["alertsWrong", 1]]);
  expect(wrong([...all, told(4, 10)])).toEqual([["alertsWrong", 1]]);
  expect(wrong([told(2, 20), told(1, 10), told(3, 30)])).toEqual([["alertsUnordered", 1]]);
  expect(wrong([...all, told(1, 10)])).toEqual([["alertsUnmarked", 1]]);
  expect(auditOf([told(1, 10)], new Map([[2, new Set([10])]]))).toMatchObject({ alertsMissing: 1 });
});
