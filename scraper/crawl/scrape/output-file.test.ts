import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendLines } from "./output-file.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "isnad-output-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function linesOf(name: string): Promise<unknown[]> {
  const text = await readFile(join(folder, "new", name), "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("lines go to the file of the day, in a folder that is made", async () => {
  const name = await appendLines(join(folder, "new"), [{ a: "line\nfeed" }, { b: "خبر" }], NOON);
  expect(name).toBe("scrape-2026-11-21.jsonl");
  expect(await appendLines(join(folder, "new"), [{ c: 1 }], NOON + 1)).toBe(name);
  expect(await linesOf(name)).toEqual([{ a: "line\nfeed" }, { b: "خبر" }, { c: 1 }]);
});

test("nothing to write leaves an empty file", async () => {
  const name = await appendLines(join(folder, "new"), [], NOON);
  expect(await readFile(join(folder, "new", name), "utf8")).toBe("");
});

test("a line that was never finished is closed before the next one", async () => {
  const name = await appendLines(join(folder, "new"), [{ a: 1 }], NOON);
  await appendFile(join(folder, "new", name), '{"torn":');
  await appendLines(join(folder, "new"), [{ b: 2 }], NOON);
  const lines = (await readFile(join(folder, "new", name), "utf8")).split("\n");
  expect(lines).toEqual(['{"a":1}', '{"torn":', '{"b":2}', ""]);
});

test("what several processes append at once does not mix", async () => {
  const code = `import { appendLines } from ${JSON.stringify(join(import.meta.dir, "output-file.ts"))};
    for (let i = 0; i < 20; i++) await appendLines(process.argv[1], [{ who: process.argv[2], i, text: "x".repeat(50_000) }], ${NOON});`;
  const children = ["one", "two", "three"].map((who) =>
    Bun.spawn([process.execPath, "-e", code, join(folder, "new"), who], { stderr: "inherit" }),
  );
  expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0]);
  const lines = await linesOf("scrape-2026-11-21.jsonl");
  expect(lines.length).toBe(60);
  expect(lines.filter((line) => JSON.stringify(line).includes('"who":"two"')).length).toBe(20);
}, 60_000);
