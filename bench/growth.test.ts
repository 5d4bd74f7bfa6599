import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { recombined } from "./growth.ts";

test("any number of different articles is made of a few, the same ones for the same numbers", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-recombined-"));
  mkdirSync(join(folder, "news"));
  for (const name of ["ant_v1_ar", "english"]) {
    const rows = Array.from({ length: 20 }, (_, i) => {
      const text = Array.from({ length: 12 }, (__, j) => `Sentence ${j} of ${name} ${i} is here to be read.`).join(" ");
      return JSON.stringify({ title: `Title ${name} ${i}`, text });
    });
    writeFileSync(join(folder, "news", `${name}.jsonl.gz`), gzipSync(rows.join("\n")));
  }
  const make = recombined(folder);
  const articles = Array.from({ length: 500 }, (_, n) => make(n));
  expect(new Set(articles.map(({ content }) => content)).size).toBe(500);
  expect(Math.min(...articles.map(({ content }) => content.length))).toBeGreaterThanOrEqual(200);
  expect(recombined(folder)(77)).toEqual(make(77));
  expect(make(1).title).toContain("english");
  expect(make(2).title).toContain("ant_v1_ar");
  rmSync(folder, { recursive: true });
});
