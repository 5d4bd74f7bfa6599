import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { holdsGold, readNewsArchive, readNewsQuestions } from "./answers-news.ts";

test("the questions are whole: topics are of one part, and what is answered names its article and where", () => {
  const questions = readNewsQuestions();
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  const parts = Map.groupBy(
    questions.filter(({ topic, part }) => topic !== "none" && part !== "more"),
    ({ topic }) => topic,
  );
  for (const [, some] of parts) expect(new Set(some.map(({ part }) => part)).size).toBe(1);
  for (const { article, sha256, gold, kind, ask } of questions) {
    expect([article, sha256, gold].filter((each) => each === undefined).length % 3).toBe(0);
    expect(ask.length === 2).toBe(kind === "follow-up");
  }
  const more = new Set(readNewsQuestions("more").map(({ article, about }) => article ?? about));
  expect(questions.filter(({ part, article, about }) => part !== "more" && more.has(article ?? about))).toEqual([]);
  const held = readNewsQuestions("test");
  expect(held.length).toBeGreaterThan(150);
  expect(new Set(held.map(({ lang }) => lang))).toEqual(new Set(["ar", "en"]));
});

test("an answer is held by whole words, however they are folded", () => {
  const [first] = readNewsQuestions();
  if (first === undefined) throw new Error("no question");
  const article = "It cost $12 and أنشئ عام 1997.";
  const asked = (from: string) => ({
    ...first,
    gold: [[article.indexOf(from), article.indexOf(from) + from.length]] as [number, number][],
  });
  expect(holdsGold("The whole was $12, they said.", asked("$12"), article)).toBe(true);
  expect(holdsGold("The whole was $120.", asked("$12"), article)).toBe(false);
  expect(holdsGold("أنشئ عام 1997!", asked("أنشئ عام 1997"), article)).toBe(true);
  expect(holdsGold("anything", { ...first, gold: undefined }, article)).toBe(false);
});

test("signs at the ends of words are no part of them, and those of numbers are", () => {
  const [first] = readNewsQuestions();
  if (first === undefined) throw new Error("no question");
  const article = "Prices rose 3.5% to 1,200 in the U.N. report";
  const gold = (from: string): [number, number][] => [[article.indexOf(from), article.indexOf(from) + from.length]];
  const holds = (text: string, from: string) => holdsGold(text, { ...first, gold: gold(from) }, article);
  expect(holds("(3.5%), it said", "3.5%")).toBe(true);
  expect(holds("It was 3.5, it said", "3.5%")).toBe(false);
  expect(holds("it was 1,200.", "1,200")).toBe(true);
  expect(holds("it was 1 200", "1,200")).toBe(false);
  expect(holds("REPORT", "report")).toBe(true);
  // One of several places is enough.
  expect(holdsGold("report", { ...first, gold: [...gold("Prices"), ...gold("report")] }, article)).toBe(true);
});

const dir = mkdtempSync(join(tmpdir(), "isnad-news-"));
afterAll(() => rmSync(dir, { recursive: true }));

const row = (id: string, more: object = {}) => ({ id, title: `Title ${id}`, text: `Text of ${id}.`, ...more });
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

function archive(english: readonly (object | string)[], arabic: readonly object[] = []): string {
  const packed = (rows: readonly (object | string)[]) =>
    gzipSync(rows.map((each) => `${typeof each === "string" ? each : JSON.stringify(each)}\n`).join(""));
  writeFileSync(join(dir, "english.jsonl.gz"), packed(english));
  writeFileSync(join(dir, "ant_v2_ar.jsonl.gz"), packed(arabic));
  return dir;
}

test("the archive is the articles that are asked about, and of the others every tenth of each file", () => {
  const english = Array.from({ length: 21 }, (_, n) => row(`e${n}`));
  const folder = archive(english, [row("a0"), row("a1")]);
  const asked = [{ article: "e7", sha256: hashOf("Text of e7.") }, { about: "a1" }, {}];
  expect(readNewsArchive(folder, asked).map(({ id }) => id)).toEqual(["e0", "e7", "e10", "e20", "a0", "a1"]);
  expect(readNewsArchive(folder, []).map(({ id }) => id)).toEqual(["e0", "e10", "e20", "a0"]);
});

test("an article that is missing, or is not the one that was asked about, is refused", () => {
  const folder = archive([row("e0"), row("e1")]);
  expect(() => readNewsArchive(folder, [{ article: "e1", sha256: hashOf("another text") }])).toThrow(
    "english.jsonl.gz: e1 is not the article that questions were written for",
  );
  expect(() => readNewsArchive(folder, [{ article: "e5" }, { about: "e6" }])).toThrow("lacks e5, e6");
});

test("times are read as they are written, and lines that hold no article are passed over", () => {
  const folder = archive([
    row("e0", { published: "2024-05-01T10:00:00+03:00" }),
    "no json",
    row("e2", { text: 7 }),
    row("e3", { published: "some day" }),
    row("e4", { title: null }),
  ]);
  const named = ["e3", "e4"].map((article) => ({ article }));
  expect(readNewsArchive(folder, named)).toEqual([
    { id: "e0", title: "Title e0", text: "Text of e0.", published: "2024-05-01T07:00:00.000Z" },
    { id: "e3", title: "Title e3", text: "Text of e3.", published: undefined },
    { id: "e4", title: "", text: "Text of e4.", published: undefined },
  ]);
  expect(() => readNewsArchive(folder, [{ article: "e2" }])).toThrow("lacks e2");
});
