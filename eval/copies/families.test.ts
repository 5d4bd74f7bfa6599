import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { seeded } from "../../lib/std/random.ts";
import { EDITS, makeFamilies } from "./families.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-families-"));
afterAll(() => rmSync(dir, { recursive: true }));

const sentence = (n: number): string => `Sentence ${n} tells what the harbour council said about pier ${n} at noon.`;
const text = Array.from({ length: 12 }, (_, n) => sentence(n)).join(" ");
const foreign = Array.from(
  { length: 12 },
  (_, n) => `Foreign line${n} speaks clearly upon quite another matter here.`,
).join(" ");

const wordsOf = (of: string): string[] => of.split(/\s+/);
const edited = (name: string, seed = 1, of = text): string => {
  const edit = EDITS[name];
  if (edit === undefined) throw new Error(`there is no edit ${name}`);
  return edit(of, { random: seeded(seed), foreign });
};
/** Returns the share of the words of a copy that stand in the original. */
const kept = (copy: string): number => {
  const own = new Set(wordsOf(text));
  return wordsOf(copy).filter((word) => own.has(word)).length / wordsOf(text).length;
};

test("every edit leaves some of the text, and none is the text itself but the whole", () => {
  for (const name of Object.keys(EDITS)) {
    expect([name, edited(name) === text]).toEqual([name, name === "whole"]);
    expect([name, edited(name).trim() === ""]).toEqual([name, false]);
  }
});

test("an edit is the same for a seed", () => {
  for (const name of Object.keys(EDITS)) expect(edited(name, 5)).toBe(edited(name, 5));
  expect(edited("words 30 %", 5)).not.toBe(edited("words 30 %", 6));
});

test.each([
  ["sentences 10 %", 0.1, 0.05],
  ["sentences 30 %", 0.3, 0.06],
  ["sentences 60 %", 0.6, 0.06],
  ["words 10 %", 0.1, 0.08],
  ["words 30 %", 0.3, 0.12],
] as const)("%s takes about that share of the words away", (name, share, within) => {
  const mean = [1, 2, 3, 4, 5, 6].reduce((sum, seed) => sum + (1 - kept(edited(name, seed))) / 6, 0);
  expect(mean).toBeWithin(share - within, share + within);
});

test("what is cut off is the first sentence, or the first third of the words", () => {
  expect(edited("first sentence cut")).toBe(text.slice(sentence(0).length + 1));
  const words = wordsOf(text);
  expect(wordsOf(edited("first third cut"))).toEqual(words.slice(words.length / 3));
});

test("a brief is two sentences that follow each other, none of them short", () => {
  const mixed = `Oh. ${sentence(1)} Well. ${sentence(2)} ${sentence(3)}`;
  for (const seed of [1, 2, 3, 4]) {
    const brief = edited("brief", seed, mixed);
    expect([`${sentence(1)} ${sentence(2)}`, `${sentence(2)} ${sentence(3)}`]).toContain(brief);
  }
  expect(edited("brief", 1, sentence(7))).toBe(sentence(7));
});

test("what is moved is all there: the end stands before the beginning", () => {
  for (const seed of [1, 2, 3]) {
    const moved = edited("moved", seed);
    expect(wordsOf(moved).toSorted()).toEqual(wordsOf(text).toSorted());
    expect(`${moved} ${moved}`).toContain(text);
  }
});

test("every ninth word is another one, and the others stay", () => {
  const words = wordsOf(edited("every ninth word"));
  const changed = wordsOf(text).flatMap((word, i) => (word === words[i] ? [] : [i]));
  expect(changed.every((i) => i % 9 === 8)).toBe(true);
  expect(changed.length).toBeGreaterThan(10);
});

test("added paragraphs and another ending leave the sentences of the text", () => {
  const added = edited("paragraphs added", 3);
  for (let n = 0; n < 12; n++) expect(added).toContain(sentence(n));
  expect(added).toContain("Foreign line3 speaks");
  const ended = edited("other ending");
  expect(ended.startsWith(text.slice(0, text.indexOf(sentence(11)) - 1))).toBe(true);
  expect(ended).not.toContain(sentence(11));
  expect(EDITS["other ending"]?.("قال الوزير إن الميناء افتتح.", { random: seeded(1), foreign })).toMatch(
    /^قال الوزير إن الميناء افتتح\. \p{Script=Arabic}/u,
  );
});

test("another spelling of Arabic has its letters and digits, and no other words", () => {
  const arabic = "أعلنت وزارة الصحة في 2024 أن حملة التلقيح تبدأ اليوم في مدينة حلب الكبرى.";
  const bare = (of: string): string =>
    of
      .replace(/[\u064e\u0640]/g, "")
      .replace(/[أإآ]/g, "ا")
      .replace(/ة/g, "ه")
      .replace(/ى/g, "ي")
      .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const spelt = edited("spelling", seed, arabic);
    expect(spelt).not.toMatch(/[0-9]/);
    expect(bare(spelt)).toBe(bare(arabic));
  }
});

type Row = { id: string; source: string; title: string; text: string };
const article = (n: number): Row => ({
  id: `a${n}`,
  source: "paper",
  title: `Headline ${n} about pier ${n}`,
  text: Array.from(
    { length: 8 },
    (_, i) => `Article ${n} says in line ${i} that pier ${n * 31 + i} opens on day ${i}.`,
  ).join(" "),
});

function file(rows: readonly object[], name = "news.jsonl.gz"): string {
  const path = join(dir, name);
  writeFileSync(path, gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join("")));
  return path;
}

const rows = Array.from({ length: 120 }, (_, n) => article(n));

test("families are an article with four copies, each later than the first and by an edit of its own", () => {
  const stored = makeFamilies(file(rows), "held-out", 3);
  const copies = stored.filter(({ edit }) => edit !== undefined);
  expect(copies).toHaveLength(3 * 4);
  for (const [family, own] of Map.groupBy(copies, (copy) => copy.family)) {
    const first = stored.find(({ id }) => id === family);
    expect(first).toMatchObject({ edit: undefined, content: article(Number(family.slice(1))).text });
    expect(new Set(own.map(({ edit }) => edit)).size).toBe(4);
    for (const { publishedAt, real, id, edit } of own) {
      expect(publishedAt > (first?.publishedAt ?? "")).toBe(true);
      expect([real, id]).toEqual([first?.content, `${family} ${edit}`]);
    }
  }
  expect(stored.map(({ articleId }) => articleId)).toEqual(stored.map((_, i) => i + 1));
  expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
});

test("beside them stand real articles, and series that are no copies of each other", () => {
  const stored = makeFamilies(file(rows), "held-out", 3);
  const alone = stored.filter(({ edit }) => edit === undefined);
  expect(alone.every(({ id, family }) => id === family)).toBe(true);
  const series = stored.filter(({ real }) => real === undefined);
  expect(new Set(series.map(({ id }) => id.split(" ")[1]))).toEqual(
    new Set(["rates", "weather", "match", "horoscope"]),
  );
  expect(new Set(series.map(({ content }) => content)).size).toBe(series.length);
  expect(series.some(({ content }) => /\p{Script=Arabic}/u.test(content))).toBe(false);
  const ended = stored.filter(
    ({ real, content }) => real !== undefined && content !== real && content.startsWith(real),
  );
  expect(ended.filter(({ edit }) => edit === undefined).length).toBeGreaterThan(0);
});

test("the halves of a file do not meet, and a half is made the same way every time", () => {
  const path = file(rows);
  const idsOf = (half: "dev" | "held-out") =>
    new Set(makeFamilies(path, half, 3).flatMap(({ id, real }) => (real === undefined ? [] : [id.split(" ")[0]])));
  expect(idsOf("dev").intersection(idsOf("held-out")).size).toBe(0);
  expect(makeFamilies(path, "dev", 3)).toEqual(makeFamilies(path, "dev", 3));
});

test("what has no title or text, and what stands there twice, is one article or none", () => {
  const none = [
    { ...article(0), title: " " },
    { ...article(1), text: "" },
  ];
  const twice = rows.map((row) => ({ ...row, id: `${row.id}-again` }));
  const stored = makeFamilies(file([...none, ...rows.slice(2), ...twice.slice(2)]), "held-out", 3);
  const firsts = stored.filter(({ edit, real }) => edit === undefined && real !== undefined);
  const keys = firsts.map(({ real = "" }) => real.slice(0, 40));
  expect(new Set(keys).size).toBe(keys.length);
  expect(firsts.some(({ id }) => id === "a0" || id === "a1")).toBe(false);
});

test("too short articles are not copied", () => {
  const short = Array.from({ length: 40 }, (_, n) => ({ ...article(n), text: `Only one short line of article ${n}.` }));
  expect(makeFamilies(file(short, "short.jsonl.gz"), "dev", 3).filter(({ edit }) => edit !== undefined)).toEqual([]);
});

test("of a file with few articles half are copied at the most: the others are what edits write in from", () => {
  const stored = makeFamilies(file(rows.slice(0, 20), "few.jsonl.gz"), "dev", 150);
  const copied = new Set(stored.flatMap(({ edit, family }) => (edit === undefined ? [] : [family])));
  const real = stored.filter(({ edit, real }) => edit === undefined && real !== undefined);
  expect(copied.size).toBe(Math.floor(real.length / 2));
  expect(copied.size).toBeGreaterThan(2);
});
