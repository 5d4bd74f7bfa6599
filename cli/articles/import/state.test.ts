import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyTally } from "./outcome.ts";
import { openState } from "./state.ts";

const root = mkdtempSync(join(tmpdir(), "isnad-state-"));
afterAll(() => rmSync(root, { recursive: true }));

const facts = { file: "news.jsonl", size: 10, mtimeMs: 5, api: "http://127.0.0.1:8080", variant: "" };
const state = { runId: "r", line: 7, tally: { ...emptyTally(), received: 7, accepted: 7 } };

test("what was saved is loaded, and gone once removed", () => {
  const file = openState(join(root, "a", "b"), facts);
  expect(file.load()).toBeUndefined();
  file.save(state);
  file.save({ ...state, line: 8 });
  expect(file.load()).toEqual({ ...state, line: 8 });
  expect(readdirSync(join(root, "a", "b")).length).toBe(1);
  file.remove();
  file.remove();
  expect(file.load()).toBeUndefined();
});

test.each([
  { file: "other.jsonl" },
  { size: 11 },
  { mtimeMs: 6 },
  { api: "http://127.0.0.1:8081" },
  { variant: "--set lang=en" },
])("an import with %j is another import", (change) => {
  const dir = join(root, "c");
  openState(dir, facts).save(state);
  expect(openState(dir, { ...facts, ...change }).load()).toBeUndefined();
  expect(openState(dir, facts).load()).toEqual(state);
});

test.each(["", "{", "null", "[]", '{"runId": 1, "line": 7, "tally": {}}', '{"runId": "r", "line": "7", "tally": {}}'])(
  "a damaged file, %p, counts as none",
  (content) => {
    const dir = join(root, "d");
    const file = openState(dir, facts);
    file.save(state);
    for (const name of readdirSync(dir)) writeFileSync(join(dir, name), content);
    expect(file.load()).toBeUndefined();
  },
);
