import { expect, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { type AcceptedRow, normalize } from "./normalize.ts";

const taxonomy = loadTaxonomy();

const ARABIC = `أعلنت وزارة النقل أن خط العبارة القديم سيبقى مفتوحا طوال الشتاء بعد اجتماع طويل مع أصحاب القوارب، وقالت إن
الرحلة الأولى ستنطلق قبل شروق الشمس كل يوم من أيام الأسبوع ما عدا الجمعة.`;
const ENGLISH = `The ministry said that the old ferry line would stay open through the winter after a long meeting with the
owners of the boats, and that the first trip would leave before sunrise on every day of the week except Friday.`;
const FRENCH = `Le ministère a annoncé que la vieille ligne de bac resterait ouverte pendant tout l'hiver après une longue
réunion avec les propriétaires des bateaux, et que le premier départ aurait lieu avant le lever du soleil chaque jour.`;

function article(over: Partial<AcceptedRow> = {}): AcceptedRow {
  return {
    articleId: 7,
    title: "Ferry",
    content: ENGLISH,
    lang: null,
    categoryLabel: null,
    provider: null,
    raw: null,
    categoryConfidence: null,
    ...over,
  };
}

function row(over: Partial<AcceptedRow> = {}) {
  const result = normalize(article(over), taxonomy);
  if ("failed" in result) throw new Error(result.failed);
  return result.row;
}

test("a language that was not sent is detected", () => {
  expect(row({ title: "العبارة", content: ARABIC }).lang).toBe("ar");
  expect(row().lang).toBe("en");
});

test("a text that is neither Arabic nor English fails with its reason", () => {
  expect(normalize(article({ title: "Bac", content: FRENCH }), taxonomy)).toEqual({ failed: "unsupported-language" });
});

test("a language that was sent is kept", () => {
  expect(row({ lang: "ar" }).lang).toBe("ar");
  expect(row({ lang: "en", content: FRENCH }).lang).toBe("en");
});

test("a label is translated, with its source and confidence", () => {
  expect(row({ categoryLabel: "internationalNews", provider: "skynews" })).toMatchObject({
    categoryId: "world",
    categorySource: "provider",
    categoryConfidence: 100,
    taxonomyVersion: taxonomy.version,
  });
});

test("the provider may be named in the raw data alone", () => {
  const label = { categoryLabel: "earn" };
  expect(row({ ...label, raw: { provider: "reuters1987" } }).categoryId).toBe("economy");
  expect(row({ ...label, raw: { provider: 3 } }).categoryId).toBeUndefined();
  expect(row(label).categoryId).toBeUndefined();
});

test("a confidence that was sent is clamped into 0 to 100", () => {
  expect(row({ categoryLabel: "sport", categoryConfidence: 140 }).categoryConfidence).toBe(100);
  expect(row({ categoryLabel: "sport", categoryConfidence: -4 }).categoryConfidence).toBe(0);
  expect(row({ categoryLabel: "sport", categoryConfidence: 42.5 }).categoryConfidence).toBe(42.5);
});

test("an unknown label leaves the category open but names the taxonomy", () => {
  const open = row({ categoryLabel: "quidditch", provider: "x" });
  expect(open.categoryId).toBeUndefined();
  expect(open.taxonomyVersion).toBe(taxonomy.version);
});

test("near duplicates have near signatures", () => {
  const distance = (a: bigint, b: bigint) => (a ^ b).toString(2).replaceAll("0", "").length;
  const one = row().simhash ?? 0n;
  const other = row({ content: ENGLISH.replace("Friday", "Sunday") }).simhash ?? 0n;
  const far = row({ title: "العبارة", content: ARABIC }).simhash ?? 0n;
  expect(distance(one, other)).toBeLessThan(distance(one, far));
});
