import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  arabicArticles,
  articlesOf,
  englishArticles,
  type LabelledArticle,
  onTheSameDays,
  ownEvents,
} from "./archive.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-archive-"));
afterAll(() => rmSync(dir, { recursive: true }));

const write = (name: string, rows: readonly object[]): string => {
  writeFileSync(join(dir, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return join(dir, name);
};

test("a file of one's own has its articles in the order of their times; those without a group are alone", () => {
  const path = write("own.jsonl", [
    { lang: "ar", source: "p", title: "ثان", text: "نص", at: "2024-05-02", group: 7 },
    { lang: "en", source: "p", title: "First", text: "Text.", at: "2024-05-01T10:00:00+02:00" },
    { lang: "xx", source: "p", title: "Third", text: "Text.", at: "2024-05-03", group: "7", part: "dev" },
  ]);
  expect(articlesOf(path).map(({ id, lang, story, publishedAt }) => [id, lang, story, publishedAt])).toEqual([
    ["own-1", "en", undefined, "2024-05-01T08:00:00.000Z"],
    ["own-0", "ar", "7", "2024-05-02T00:00:00.000Z"],
    ["dev-2", "en", "7", "2024-05-03T00:00:00.000Z"],
  ]);
  expect(() => articlesOf(write("bad.jsonl", [{ title: "x", text: "y", at: "some day" }]))).toThrow(RangeError);
});

test("events of our own are told in both languages, and no event is of both parts", () => {
  const [dev, held] = [ownEvents("dev"), ownEvents("test")];
  expect(Math.min(dev.length, held.length)).toBeGreaterThan(10);
  expect(new Set(held.map(({ lang }) => lang))).toEqual(new Set(["ar", "en"]));
  const stories = (articles: readonly LabelledArticle[]) => new Set(articles.flatMap(({ story }) => story ?? []));
  expect(stories(dev).intersection(stories(held)).size).toBe(0);
});

const at = (id: string, publishedAt: string, story?: string): LabelledArticle => ({
  ...{ id, lang: "en", source: "p", url: `https://n.example/${id}`, title: id, content: id, publishedAt, story },
});

test("sets of different years are moved to the same days, their times of day and their distance kept", () => {
  const moved = onTheSameDays([
    [at("a", "2018-07-10T22:30:00.000Z", "1"), at("b", "2018-07-12T01:00:00.000Z")],
    [at("c", "2021-01-05T09:00:00.000Z", "1")],
  ]);
  expect(moved.map(({ id, publishedAt, story }) => [id, publishedAt, story])).toEqual([
    ["c", "2024-01-01T09:00:00.000Z", "1 1"],
    ["a", "2024-01-01T22:30:00.000Z", "0 1"],
    ["b", "2024-01-03T01:00:00.000Z", undefined],
  ]);
});

/** Returns an address that the labels of the Arabic days do not name, so that its article has no label. */
const arabic = (id: string, published: string, url = `https://n.example/${id}`) => ({
  ...{ id, url, published, source: "p", title: ` عنوان ${id} `, text: "نص" },
});

test("Arabic articles are those of the days of a part, as the paper wrote the day, each address once", () => {
  write("ant_v2_ar.jsonl", [
    arabic("late", "Wed, 11 Jul 2018 23:30:00 +0000"),
    arabic("early", "Tue, 10 Jul 2018 01:00:00 +0000"),
    arabic("again", "Tue, 10 Jul 2018 02:00:00 +0000", "https://n.example/early"),
    arabic("day-before", "Mon, 09 Jul 2018 23:59:00 +0000"),
    arabic("dev", "Mon, 26 Mar 2018 10:00:00 +0000"),
    arabic("undated", ""),
  ]);
  const held = arabicArticles(dir, "test");
  expect(held.map(({ id, title, publishedAt, story }) => [id, title, publishedAt, story])).toEqual([
    ["early", "عنوان early", "2018-07-10T01:00:00.000Z", undefined],
    ["late", "عنوان late", "2018-07-11T23:30:00.000Z", undefined],
  ]);
  expect(arabicArticles(dir, "dev").map(({ id }) => id)).toEqual(["dev"]);
});

const rowsOf = (name: string): string[][] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));

test("English articles are those that have a label; one without a title has its first sentence", () => {
  const labels = rowsOf("labels.en.tsv").filter(([part]) => part === "test");
  const [[, story, id, time] = [], [, , other] = []] = labels;
  write("english.jsonl", [
    { id, source: "p", title: "", text: "It  opens\nat noon. Then it closes." },
    { id: other, source: "p", title: " A title ", text: `${"long ".repeat(100)}end.` },
    { id: "nobody labelled this", source: "p", title: "x", text: "y" },
  ]);
  const articles = englishArticles(dir, "test");
  expect(articles.map((each) => each.id).toSorted()).toEqual([id ?? "", other ?? ""].toSorted());
  const own = articles.find((each) => each.id === id);
  expect(own).toMatchObject({ title: "It opens at noon.", publishedAt: new Date(time ?? "").toISOString() });
  expect(own?.story).toBe(story === "-" ? undefined : story);
  expect(articles.find((each) => each.id === other)?.title).toBe("A title");
});

test("a first sentence that is too long is cut", () => {
  const [[, , id] = []] = rowsOf("labels.en.tsv").filter(([part]) => part === "dev");
  write("english.jsonl", [{ id, source: "p", text: `${"word ".repeat(100)}end.` }]);
  const [article] = englishArticles(dir, "dev");
  expect(article?.title.length).toBeWithin(130, 141);
});

test("an Arabic article has one label, of one part, and a story is told in one part alone", () => {
  const rows = rowsOf("labels.ar.tsv");
  for (const [part = "", , ref] of rows)
    expect([part, ref]).toEqual([part === "dev" ? "dev" : "test", expect.stringMatching(/^[0-9a-f]{16}$/)]);
  expect(new Set(rows.map(([, , ref]) => ref)).size).toBe(rows.length);
  const parts = Map.groupBy(rows, ([, story]) => story ?? "-");
  parts.delete("-");
  for (const [story, own] of parts) expect([story, new Set(own.map(([part]) => part)).size]).toEqual([story, 1]);
});
