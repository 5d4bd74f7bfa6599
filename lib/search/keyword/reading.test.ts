import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeywordIndex } from "./open.ts";
import type { KeywordDoc, KeywordIndex, KeywordQuery } from "./types.ts";

setDefaultTimeout(300_000);

const doc = (articleId: number, title: string, content: string): KeywordDoc => ({
  ...{ articleId, title, content, lang: null, sourceId: "wire", categoryId: null, domain: "news.example" },
  ...{ tier: 3, publishedAt: null },
});

const FILLER = Array.from({ length: 20 }, (_, i) =>
  doc(100 + i, `Weather ${i}`, "Rain over the hills. طقس ماطر اليوم"),
);
const DOCS = [
  doc(1, "Harbour reopens", "The harbour was quiet; ships waited."),
  doc(2, "Antibiotics in farms", "An antibiotic is given to cattle."),
  doc(3, "توسعة الميناء", "بدأت توسعة الميناء أمس"),
  doc(4, "Bandits rob a train", "The bandits fled."),
  doc(5, "Bandage for the wounded", "A bandage was brought to the hospital."),
  doc(6, "بناء المستشفى", "افتتح الوزير المستشفى الجديد"),
  doc(7, "A harbor", "A spelling bee."),
  doc(11, "Ebola in the north", "A patient was brought there."),
  doc(12, "أبل تكشف عن خطة", "لتدريب مشغلي السيارة"),
  doc(8, "Old bandstand", "Musicians played."),
  doc(9, "خبر المكتبة", "افتتحت المكتبة أبوابها"),
  doc(
    10,
    "Ferry crews on strike",
    "Nothing moved on the water, and nobody knew for how long it would be so. ".repeat(6),
  ),
  ...Array.from({ length: 120 }, (_, i) =>
    doc(200 + i, "Ferry", `Street, street, street, stroke, stroke, ferry ${i}.`),
  ),
  ...FILLER,
];

const dir = mkdtempSync(join(tmpdir(), "isnad-reading-"));
let index: KeywordIndex;
beforeAll(async () => {
  index = await openKeywordIndex({ dir });
  await index.reset();
  await index.upsert(DOCS);
  await index.complete();
});
afterAll(async () => {
  await index.close();
  rmSync(dir, { recursive: true });
});

async function read(text: string, more: Partial<KeywordQuery> = {}) {
  const { hits, corrections } = await index.search({ text, limit: 10, typos: "auto", ...more });
  return { ids: hits.map(({ articleId }) => articleId), corrections };
}

describe("a typing error", () => {
  test.each([
    ["harbuor", 1, "harbour"],
    ["harbbour", 1, "harbour"],
    ["antibiotc", 2, "antibiotic"],
    ["المستسفى", 6, "المستشفي"],
    ["توسعة المبناء", 3, "الميناء"],
    ["ولميباء", 3, "الميناء"],
    ["وبالمكتنة", 9, "المكتبه"],
  ])("in %s is read as the word that documents have", async (query, id, word) => {
    const { ids, corrections } = await read(query);
    expect(ids[0]).toBe(id);
    expect(corrections.map(({ readAs }) => readAs[0])).toEqual([word]);
    expect(query).toContain(corrections[0]?.word ?? "?");
    expect(await read(query, { typos: "off" })).toMatchObject({ corrections: [] });
  });

  test("is told from a word that is right: that one is searched as it is, with nothing beside it", async () => {
    const { ids, corrections } = await read("harbor");
    expect([ids[0], corrections]).toEqual([7, []]);
    expect(ids).not.toContain(1);
    expect((await read("harbour")).corrections).toEqual([]);
  });

  test("that stands alone is mended though a name of the other language sounds like it, which is found too", async () => {
    const { ids, corrections } = await read("Ebloa");
    expect(corrections).toEqual([{ word: "Ebloa", readAs: ["ebola"] }]);
    expect(ids.toSorted((a, b) => a - b)).toEqual([11, 12]);
    expect((await read("Ebloa", { typos: "off" })).ids).toEqual([12]);
    expect((await read("Ebloa", { condition: { is: "word", text: "Ebloa" } })).ids).toContain(11);
  });

  test("is read as what goes with the other words of the query", async () => {
    expect((await read("bandise train")).ids[0]).toBe(4);
    expect((await read("bandake wounded")).ids[0]).toBe(5);
    expect((await read("bandast musicians")).corrections).toEqual([]);
  });

  test("is none in numbers, short words, what is quoted and what is excluded", async () => {
    for (const query of ["2o18x", "hab", '"harbuor"', "ships -harbuor"]) {
      expect((await read(query)).corrections).toEqual([]);
    }
    expect((await read('"harbuor"')).ids).toEqual([]);
    expect((await read("ships -harbuor")).ids).toEqual([1]);
  });

  test("of two letters is mended in words of eight letters and more", async () => {
    expect((await read("antobiotc")).ids[0]).toBe(2);
    expect(await read("hrbuor")).toEqual({ ids: [], corrections: [] });
    expect((await read("unantibiotics")).corrections).toEqual([]);
  });

  test("is not found in what is no word at all", async () => {
    expect(await read("zzzqqqxx")).toEqual({ ids: [], corrections: [] });
  });

  test("is never read as a word that no document has any more", async () => {
    await index.upsert([doc(50, "Zeppelin lands", "A zeppelin.")]);
    expect((await read("zepelin")).ids).toEqual([50]);
    await index.remove([50]);
    expect(await read("zepelin")).toEqual({ ids: [], corrections: [] });
  });

  test("is mended for the search by meaning too", async () => {
    expect(await index.reading({ text: "the harbuor, today", typos: "auto" })).toMatchObject({
      text: "the harbour, today",
    });
    expect(await index.reading({ text: "the harbuor" })).toMatchObject({ text: "the harbuor" });
    const { text, others = [] } = await index.reading({ text: "bandxge", typos: "auto" });
    expect([text, others]).toEqual(["bandage", []]);
    const unsure = await index.reading({ text: "band", prefix: true });
    const texts = ["bandits", "bandage", "bandstand"];
    expect([unsure.text, ...(unsure.others ?? []).map((other) => other.text)].toSorted()).toEqual(texts.toSorted());
    expect(unsure.others?.every(({ share }) => share > 0 && share <= 1)).toBe(true);
  });
});

describe("a word that is only begun", () => {
  const begun = async (text: string) => (await read(text, { prefix: true })).ids;

  test("stands for all words that begin with it", async () => {
    expect((await begun("antibio")).toSorted()).toEqual([2]);
    expect((await begun("band")).toSorted()).toEqual([4, 5, 8]);
    expect((await begun("مستش"))[0]).toBe(6);
    expect((await begun("المستش"))[0]).toBe(6);
    expect((await read("antibio")).ids).toEqual([]);
  });

  test("is what goes with the other words of the query", async () => {
    expect((await begun("wounded band"))[0]).toBe(5);
    expect((await begun("train band"))[0]).toBe(4);
    expect((await index.reading({ text: "musicians band", prefix: true })).text).toBe("musicians bandstand");
  });

  test("is found first where a title holds all words, however often texts hold likelier ones", async () => {
    const first = async (text: string) => (await begun(text))[0];
    expect(await first("ferry stri")).toBe(10);
    expect(await first("ferry st")).toBe(10);
    expect((await read("ferry stryke")).ids[0]).toBe(10);
    expect((await read("ferry street")).ids[0]).not.toBe(10);
    const { hits } = await index.search({ text: "ferry st", prefix: true, limit: 1 });
    expect(hits[0]?.matched?.title).toBe(1);
  });

  test("is lacking where no word begins so, and not where it may be said in the other script", async () => {
    const lacking = async (text: string, prefix = true) =>
      await index.lackingBegun?.({ text, prefix, typos: "auto" }, [1, 3, 4, 5, 6, 8, 999]);
    // Of the Arabic articles nobody knows, nor of one that is gone.
    expect(await lacking("old band")).toEqual([1]);
    expect(await lacking("old harb")).toEqual([4, 5, 8]);
    expect(await lacking("بناء مستش")).toEqual([3]);
    expect(await lacking("old band", false)).toEqual([]);
    expect(await lacking("old zzzq")).toEqual([]);
  });

  test("stays itself where it is whole, and other words are not completed", async () => {
    expect((await begun("harbor"))[0]).toBe(7);
    expect(await begun("band hills")).not.toContain(5);
    expect(await begun('"band"')).toEqual([]);
    expect(await begun("xyz")).toEqual([]);
  });
});

test("a restart forgets no word", async () => {
  await index.save();
  await index.close();
  index = await openKeywordIndex({ dir });
  expect((await read("harbuor")).ids[0]).toBe(1);
  expect((await read("antibio", { prefix: true })).ids).toEqual([2]);
});
