import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { analyse } from "./analyse.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "isnad-analyse-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function run(...given: string[]) {
  const { io, out, err } = captureIo({ DATA_DIR: join(dir, "data") });
  return { code: await runCommand(analyse, given, io), out: out(), err: err() };
}

test("each line is analysed or told why not, and a run that was cut short goes on where it was", async () => {
  const file = join(dir, "texts.jsonl");
  const out = join(dir, "out.jsonl");
  writeFileSync(file, ['{"text":"زار الوزير بيروت"}', "{}", "", '"كتب"', '{"content":"وصل القطار"}'].join("\n"));
  const first = await run(file, "--layers", "ner,dialect", "--out", out);
  expect([first.code, first.out]).toEqual([1, "3 analysed, 1 failed, 0 there already\n"]);
  const whole = readFileSync(out, "utf8");
  const lines = whole
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ line, error }) => [line, error])).toEqual([
    [1, undefined],
    [2, "has no text in text, content, body"],
    [4, undefined],
    [5, undefined],
  ]);
  expect(Object.keys(lines[0])).toEqual(["line", "tokens", "entities", "dialect"]);
  writeFileSync(out, `${whole.split("\n").slice(0, 2).join("\n")}\n`);
  appendFileSync(out, '{"line":4,"tok');
  const second = await run(file, "--layers", "ner,dialect", "--out", out);
  expect(second.out).toBe("2 analysed, 0 failed, 2 there already\n");
  expect(readFileSync(out, "utf8")).toBe(whole);
});

test("a table in, a table of tokens out, no cell of which is a formula", async () => {
  const file = join(dir, "texts.csv");
  writeFileSync(file, '\ufeffid,text\n1,"كتب ""الولد"""\n2,=كتب\n');
  const { code, out } = await run(file, "--layers", "morph", "--csv");
  expect(code).toBe(0);
  const [head, ...rows] = out.trim().split("\r\n");
  expect(head).toStartWith("line,start,end,token,lemma,pos");
  expect(rows.map((row) => row.split(",").slice(0, 4).join(","))).toEqual([
    "2,0,3,كتب",
    '2,4,5,""""',
    "2,5,10,الولد",
    '2,10,11,""""',
    "3,0,1,'=",
    "3,1,4,كتب",
  ]);
});

test("what is wrong is said before anything is opened", async () => {
  expect((await run(join(dir, "none.jsonl"))).code).toBe(1);
  writeFileSync(join(dir, "a.jsonl"), "");
  expect((await run(join(dir, "a.jsonl"), "--layers", "words")).code).toBe(2);
});
