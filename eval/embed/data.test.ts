import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { dataFolder, isHeldOut, readJsonLines, readText } from "./data.ts";

const article = (i: number): string => `  خبر رقم ${i}:\n\n نص\tالخبر ${"كلمة ".repeat(100)}`;

test("the held-out articles are those that training leaves out", () => {
  // as isnad_embed.corpus.is_held_out of nlp/training says
  const held = Array.from({ length: 200 }, (_, i) => i).filter((i) => isHeldOut(article(i)));
  expect(held).toEqual([8, 26, 43, 44, 73, 108, 184, 196]);
});

test("line feeds and blanks do not decide, nor what comes after the first 200 characters", () => {
  for (const i of [0, 1, 2, 3]) {
    const plain = isHeldOut(article(i));
    expect(isHeldOut(article(i).replaceAll(" ", "\n "))).toBe(plain);
    expect(isHeldOut(`${article(i)} more`)).toBe(plain);
  }
});

test("a file is read plain or gzipped", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-eval-"));
  try {
    writeFileSync(join(dir, "a.jsonl"), '{"x":1}\n{"x":2}\n');
    writeFileSync(join(dir, "b.jsonl.gz"), gzipSync('{"x":3}\n'));
    expect(readJsonLines(join(dir, "a.jsonl"))).toEqual([{ x: 1 }, { x: 2 }]);
    expect(readText(join(dir, "b.jsonl"))).toBe('{"x":3}\n');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("the data folder is found by ISNAD_SHARED, and undefined where it is absent", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-eval-"));
  try {
    expect(dataFolder({ ISNAD_SHARED: dir })).toBeUndefined();
    mkdirSync(join(dir, "data", "news"), { recursive: true });
    expect(dataFolder({ ISNAD_SHARED: dir })).toBe(`${dir}/data`);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
