import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../../lib/std/random.ts";
import { madeUpArticle } from "./stack.ts";
import { auditOf, faultsFound, runTrial, type Told } from "./trial.ts";

const dataDir = mkdtempSync(join(tmpdir(), "isnad-trial-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test("made-up articles are the same for the same number, and different otherwise", () => {
  expect(madeUpArticle(7)).toEqual(madeUpArticle(7));
  const contents = Array.from({ length: 500 }, (_, n) => madeUpArticle(n).content);
  expect(new Set(contents).size).toBe(500);
  expect(Math.min(...contents.map((content) => content.length))).toBeGreaterThan(200);
  expect(seeded(3)()).toBe(seeded(3)());
});

test("workers, database and connections are killed during an import: each accepted article is indexed once in both indexes", async () => {
  const faults = ["connections", "workers", "postgres"] as const;
  const services = ["api", "workers", "retrieval"];
  const report = await runTrial({ dataDir, articles: 150, batch: 10, pauseMs: 200, faults, seed: 7, services });
  expect(report.struck).toBe(3);
  expect(report.articles).toBe(150);
  expect(faultsFound(report)).toEqual([]);
}, 300_000);

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
