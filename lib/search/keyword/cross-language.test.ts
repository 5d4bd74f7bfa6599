import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readQuery } from "../query-language/parse.ts";
import { acrossTerms, soundToken } from "./cross-language.ts";
import { openKeywordIndex } from "./open.ts";
import type { KeywordDoc, KeywordIndex } from "./types.ts";

test("a name sounds alike in both scripts, and says which it is written in", () => {
  expect(soundToken("merkel").slice(1)).toBe(soundToken("ميركل").slice(1));
  expect(soundToken("merkel")).toMatch(/^l[a-z]+$/);
  expect(soundToken("ميركل")).toMatch(/^a[a-z]+$/);
  expect(soundToken("2024")).toBe("");
  expect(soundToken("a")).toBe("");
});

test("a query is looked for by its translations, and by names in the other script; what is quoted is not", () => {
  const { stems, sounds } = acrossTerms("بركان ميركل");
  expect(stems).toContain("volcano");
  expect(sounds).toContain(soundToken("merkel"));
  expect(acrossTerms('"بركان"')).toEqual({ stems: [], sounds: [] });
  expect(acrossTerms("2024")).toEqual({ stems: [], sounds: [] });
});

const dir = mkdtempSync(join(tmpdir(), "isnad-translated-"));
let index: KeywordIndex;

const doc = (articleId: number, lang: string, title: string, content: string): KeywordDoc => ({
  ...{ articleId, title, content, lang, sourceId: "s", categoryId: null, domain: "a.example", publishedAt: null },
  tier: 1,
});

const DOCS = [
  doc(1, "en", "Merkel leaves office", "The chancellor spoke in parliament about the future of Europe and its banks."),
  doc(2, "en", "Volcano erupts", "Lava from the volcano reached the harbor, and a ship was damaged by the ash."),
  doc(3, "ar", "ميركل تغادر المستشارية", "تحدثت المستشارة أمام البرلمان عن مستقبل أوروبا والمصارف في القارة."),
  doc(4, "ar", "سفينة في الميناء", "وصلت السفينة إلى الميناء بعد ثوران البركان قرب الجزيرة وتضرر هيكلها."),
  doc(5, "en", "Kleinberg wins", "The runner Kleinberg won the race in the rain before a large crowd."),
  doc(6, "en", "World Cup final", "The team won the world cup after a long match that went to penalties."),
  doc(7, "en", "Menu of the day", "The cook recommends soup, bread and olives for a cup of little money."),
];
const ids = async (text: string, more: object = {}) =>
  (await index.search({ text, limit: 10, ...more })).hits.map(({ articleId }) => articleId);

beforeAll(async () => {
  index = await openKeywordIndex({ dir, partial: true });
  await index.upsert(DOCS);
});
afterAll(async () => {
  await index.close();
  rmSync(dir, { recursive: true });
});

describe("a query in a mixed index", () => {
  test("finds a name by its sound in both scripts, the documents in its own script first", async () => {
    expect(await ids("ميركل")).toEqual([3, 1]);
    expect(await ids("Merkel")).toEqual([1, 3]);
  });

  test("finds a name by its sound where all words are wanted, but not where one of them is missing", async () => {
    const all = (q: string) => {
      const { text, condition } = readQuery(q, "all");
      return ids(text, { condition });
    };
    expect((await all("ميركل")).toSorted()).toEqual([1, 3]);
    expect((await all("ميركل chancellor")).toSorted()).toEqual([1, 3]);
    expect(await all("كلاينبرغ race")).toEqual([5]);
    expect(await all("ميركل volcano")).toEqual([]);
    expect(await all("chancellor -ميركل")).toEqual([1]);
  });

  test("finds what no document had before as soon as one has it, and no longer than that", async () => {
    const asked = ["earthquake", "زلزال", "كوفلرمان"];
    const found = () => Promise.all(asked.map((text) => ids(text)));
    expect(await found()).toEqual([[], [], []]);
    await index.upsert([doc(8, "en", "Earthquake at night", "Kofflerman felt the ground shake for some seconds.")]);
    expect(await found()).toEqual([[8], [8], [8]]);
    await index.remove([8]);
    expect(await found()).toEqual([[], [], []]);
  });

  test("finds a name that no dictionary has", async () => {
    expect(await ids("كلاينبرغ")).toEqual([5]);
  });

  test("finds a spelling that comes after the name was asked for", async () => {
    expect(await ids("كلاينبرغ")).toEqual([5]);
    await index.upsert([doc(9, "en", "Klainberg loses", "The runner from the north fell before the line.")]);
    expect((await ids("كلاينبرغ")).toSorted()).toEqual([5, 9]);
    await index.remove([9]);
  });

  test("finds words by their translations, both ways", async () => {
    expect((await ids("بركان")).toSorted()).toEqual([2, 4]);
    expect(await ids("ship in the port")).toContain(4);
  });

  test("takes an expression as a whole", async () => {
    expect((await ids("كأس العالم"))[0]).toBe(6);
  });

  test("translates nothing that is quoted or excluded, and leaves out what is excluded", async () => {
    expect(await ids('"البركان"')).toEqual([4]);
    expect(await ids("سفينة -بركان")).toEqual([2]);
    expect(await ids("-بركان")).toEqual([]);
  });

  test("asks in both languages at once", async () => {
    expect((await ids("volcano سفينة")).slice(0, 2).toSorted()).toEqual([2, 4]);
  });

  test("keeps to the filters", async () => {
    expect(await ids("ميركل", { filters: { lang: "ar" } })).toEqual([3]);
    expect(await ids("ميركل", { filters: { lang: "en" } })).toEqual([1]);
  });

  test("says the translation, which is empty for words that no document has", async () => {
    expect((await index.reading({ text: "بركان" })).translation.split(" ")).toContain("volcano");
    expect((await index.reading({ text: "ميركل" })).translation).toContain("merkel");
    expect((await index.reading({ text: "zzzqqq" })).translation).toBe("");
  });

  test("says it in words that documents have, and rare ones twice", async () => {
    const words = (await index.reading({ text: "مستقبل البركان" })).translation.split(" ");
    expect(words).toContain("future");
    expect(words).not.toContain("futur");
    expect(words.filter((word) => word === "volcano")).toHaveLength(2);
  });

  test("says the same in whatever order documents came", async () => {
    const more = [
      doc(
        10,
        "en",
        "Ships and ports",
        "Shipping futures rose as volcanoes quietened and the ports and banks reopened.",
      ),
      doc(
        11,
        "en",
        "Merkil remembers",
        "The former chancellor wrote of parliaments, of Europeans and of the banking years.",
      ),
    ];
    const said = await Promise.all(
      [
        [...DOCS, ...more],
        [...more.toReversed(), ...DOCS.toReversed()],
      ].map(async (docs) => {
        const own = mkdtempSync(join(tmpdir(), "isnad-translated-order-"));
        const filled = await openKeywordIndex({ dir: own, partial: true });
        for (const each of docs) await filled.upsert([each]);
        const queries = ["مستقبل البركان", "سفن ومصارف", "ميركل في البرلمان", "volcano and ship", "banks of Europe"];
        const texts = await Promise.all(queries.map((text) => filled.reading({ text })));
        await filled.close();
        rmSync(own, { recursive: true });
        return texts.map(({ translation }) => translation);
      }),
    );
    expect(said[0]?.every((text) => text !== "")).toBe(true);
    expect(said[1]).toEqual(said[0] ?? []);
  });

  test("finds nothing of what was removed, and translates for nobody once a language is gone", async () => {
    await index.upsert([doc(8, "ar", "زلزال", "هز زلزال قوي المدينة فجر اليوم وخرج السكان إلى الشوارع.")]);
    expect(await ids("earthquake")).toEqual([8]);
    await index.remove([8]);
    expect(await ids("earthquake")).toEqual([]);
    await index.remove([3, 4]);
    expect((await index.reading({ text: "volcano" })).translation).toBe("");
    await index.upsert(DOCS);
  });
});

describe("a query in an index of one language", () => {
  test("scores as without translation", async () => {
    const own = mkdtempSync(join(tmpdir(), "isnad-translated-"));
    const arabic = await openKeywordIndex({ dir: own, partial: true });
    await arabic.upsert(DOCS.filter(({ lang }) => lang === "ar"));
    expect((await arabic.reading({ text: "ميركل" })).translation).toBe("");
    expect((await arabic.search({ text: "ميركل", limit: 5 })).hits.map(({ articleId }) => articleId)).toEqual([3]);
    await arabic.close();
    rmSync(own, { recursive: true });
  });
});
