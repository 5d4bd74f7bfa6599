import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeUpArticle } from "./stack.ts";
import { seeded } from "../../lib/std/random.ts";
import { faultsFound, runTrial } from "./trial.ts";

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
  const report = await runTrial({ dataDir, articles: 300, batch: 10, pauseMs: 100, faults, seed: 7, services });
  expect(report.struck).toBe(3);
  expect(report.articles).toBe(300);
  expect(faultsFound(report)).toEqual([]);
}, 300_000);
