import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Line, measureInProcesses } from "./processes.ts";
import { entities } from "./tasks/entities.ts";

const shared = mkdtempSync(join(tmpdir(), "isnad-eval-"));
afterAll(() => rmSync(shared, { recursive: true }));

const env = { ...process.env, ISNAD_SHARED: shared };
mkdirSync(join(shared, "data/news"), { recursive: true });
for (const { path } of entities.sets(join(shared, "data"), { full: false })) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "Angela B-PER\nMerkel I-PER\nvisited O\nParis B-LOC\n\n".repeat(5));
}

test("each task is measured in a process of its own, and printed as it ends", async () => {
  const printed: Line[] = [];
  const tasks = [{ name: "entities" }, { name: "feeds" }];
  const lines = await measureInProcesses(tasks, { full: false, env, print: (line) => printed.push(line) });
  expect(new Set(lines.map(({ set }) => set)).size).toBe(3);
  for (const { task, corpus, value } of lines) {
    expect([task, corpus.length]).toEqual(["entities", 64]);
    expect(value).toBeWithin(0, 1.0001);
  }
  expect(printed).toEqual(lines);
}, 300_000);

test("a task that fails is named with what it said", () => {
  const failing = measureInProcesses([{ name: "keyword" }], { full: false, env, print: () => {} });
  return expect(failing).rejects.toThrow(/^keyword failed: .*corpus/s);
}, 300_000);
