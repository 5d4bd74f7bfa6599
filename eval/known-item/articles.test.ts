import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { opensOneTitle, readArticles, targetsOf } from "./articles.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-items-"));
afterAll(() => rmSync(dir, { recursive: true }));

function file(rows: readonly object[]): string {
  const path = join(dir, `${crypto.randomUUID()}.jsonl.gz`);
  writeFileSync(path, gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join("")));
  return path;
}

const row = (n: number) => ({ title: `Headline ${n}`, text: `The body of article ${n}.` });

test("articles are cleaned as the platform cleans them; those without title or text are left out", () => {
  const path = file([
    { title: "NEUTROGENA &lt;NGNA>", content: "Neutrogena <b>Corp</b>\nsaid" },
    { title: "", text: "a body" },
    { title: "A headline", text: " " },
  ]);
  expect(readArticles(path)).toEqual([{ title: "NEUTROGENA <NGNA>", text: "Neutrogena Corp said" }]);
});

test("articles of one title or of one text are searched, and are no targets; repeated ones count once", () => {
  const path = file([
    row(1),
    row(2),
    { ...row(3), title: "HEADLINE 2" },
    { ...row(4), text: row(5).text },
    row(5),
    row(1),
  ]);
  const articles = readArticles(path);
  expect(articles).toHaveLength(5);
  expect(targetsOf(articles).map((place) => articles[place]?.title)).toEqual(["Headline 1"]);
});

test("targets are spread evenly, and every nth line is taken", () => {
  const path = file(Array.from({ length: 100 }, (_, n) => row(n)));
  expect(targetsOf(readArticles(path), 4)).toEqual([0, 25, 50, 75]);
  expect(targetsOf(readArticles(path), 1000)).toHaveLength(100);
  expect(readArticles(path, { every: 30 }).map(({ title }) => title)).toEqual([0, 30, 60, 90].map((n) => row(n).title));
});

test("a text that several titles begin with tells none of them, however they are written", () => {
  const titled = (title: string) => ({ title, text: "A body." });
  const opensOne = opensOneTitle([
    titled("MOTEL 6 LP <SIX> SETS PAYOUT"),
    titled("Motel 6 L.P. <SIX> sets quarterly"),
    titled("Harbour opens again"),
  ]);
  expect(opensOne("MOTEL 6 LP <SIX> SETS")).toBe(false);
  expect(opensOne("MOTEL 6 LP <SIX> SETS PAYOUT")).toBe(true);
  expect(opensOne("harbour opens")).toBe(true);
  expect(opensOne("opens again")).toBe(false);
});
