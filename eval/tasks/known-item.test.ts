import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  meanReciprocalRanks,
  misspelt,
  opensOneTitle,
  placesOfItems,
  QUERIES,
  QUERY_KINDS,
  readArticles,
  targetsOf,
} from "./known-item.ts";

const articles = ["First headline", "Second headline"].map((title) => ({ title, text: `${title} in a text` }));
/** Both branches find both articles, in these orders, whatever is asked. */
const branches = {
  keyword: async () => ({ hits: [2, 1].map((articleId) => ({ articleId, score: 1 })), corrections: [] }),
  vector: async () => ({
    hits: [1].map((articleId) => ({ articleId, score: 1, chunkNo: 0, start: 0, end: 1 })),
    candidates: 2,
  }),
};

test("each target is asked for in each way, and has its place in each mode", async () => {
  const places = await placesOfItems({ branches }, { articles, targets: [1, 0] });
  expect(places.map(({ kind }) => kind)).toEqual(QUERY_KINDS.flatMap((kind) => [kind, kind]));
  expect(places[0]).toEqual({ kind: "title", query: "Second headline", target: 1, keyword: 1, vector: 0, hybrid: 2 });
  expect(places[1]).toMatchObject({ query: "First headline", target: 0, keyword: 2, vector: 1, hybrid: 1 });
});

test("the reciprocal ranks are averaged by kind and mode; an article that is not found counts as 0", () => {
  const place = { query: "", target: 0, kind: "title" as const };
  const figures = meanReciprocalRanks([
    { ...place, keyword: 1, vector: 0, hybrid: 2 },
    { ...place, keyword: 4, vector: 0, hybrid: 1 },
  ]);
  expect(figures).toMatchObject({ "MRR title, keyword": 0.625, "MRR title, vector": 0, "MRR title, hybrid": 0.75 });
});

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

const article = {
  title: "الصفاقسي يبحث عن اربعة نقاط لضمان التأهل",
  text: "يخوض النادي الصفاقسي مساء اليوم مباراة حاسمة في كأس الاتحاد.",
};

test("an article is asked for by its headline, the first words of it, and those of its text", () => {
  expect(QUERIES.title(article)).toBe(article.title);
  expect(QUERIES["five words"](article)).toBe("الصفاقسي يبحث عن اربعة نقاط");
  expect(QUERIES.lead(article)).toBe("يخوض النادي الصفاقسي مساء اليوم");
});

test("a headline shorter than five words is asked for whole", () => {
  expect(QUERIES["five words"]({ ...article, title: "قراءات" })).toBe("قراءات");
});

test("one word is misspelt, the longest, and the same way every time", () => {
  const before = QUERIES["five words"](article).split(" ");
  const after = QUERIES.misspelt(article).split(" ");
  expect(after).toHaveLength(before.length);
  const changed = before.flatMap((word, i) => (word === after[i] ? [] : [word]));
  expect(changed).toEqual(["الصفاقسي"]);
  expect(QUERIES.misspelt(article)).toBe(QUERIES.misspelt(article));
});

test.each([
  ["the storm hit Galveston", "the storm hit Galvyston"],
  ["a storm hit Galveston", "a storm hit Galvston"],
  ["two storms hit Galveston", "two storms hit Galevston"],
  ["no storm hit Galveston", "no storm hit Galveeston"],
])("%s becomes %s", (text, wrong) => {
  expect(misspelt(text)).toBe(wrong);
});

test("words of fewer than four letters stay as they are", () => {
  expect(misspelt("oil up 3%")).toBe("oil up 3%");
});
