import { afterAll, describe, expect, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { openStore } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem, testStage } from "@isnad/lib/store/testing";
import { runStage } from "../testing/run-stage.ts";
import { articleTexts } from "./run.ts";
import { type AcceptedRow, ingestion, normalize } from "./ingestion.ts";

describe("ingestion", async () => {
  const database = await testDatabase();
  const store = openStore(database.url);
  const taxonomy = loadTaxonomy();
  const stage = testStage(store, "ingestion");

  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const run = (articleIds: number[], over: Partial<Parameters<typeof ingestion>[0]> = {}) =>
    runStage(ingestion({ store, taxonomy, texts: articleTexts(store), ...over }), articleIds);

  const FRENCH = `Le ministère a annoncé que la vieille ligne de bac resterait ouverte pendant tout l'hiver après une longue
réunion avec les propriétaires des bateaux, et que le premier départ aurait lieu avant le lever du soleil.`;

  test("accepted articles become normalized, and with it their stage ends and the next is queued", async () => {
    const ids = await admitItems(store, [testItem(), testItem({ lang: null })]);
    expect(await stage.claim({ owner: "test", limit: 9, leaseS: 3_600 })).toHaveLength(2);
    const { counts, failures } = await run(ids);
    expect(counts).toMatchObject({ taken: 2, normalized: 2, refused: 0 });
    expect(failures).toEqual([]);
    expect(await stage.backlog()).toEqual({ waiting: 0, setAside: 0 });
  });

  test("a second run finds nothing to do", async () => {
    const ids = await admitItems(store, [testItem()]);
    await run(ids);
    expect((await run(ids)).counts).toMatchObject({ taken: 0, normalized: 0 });
  });

  test("an article in another language is given up, its neighbours go on", async () => {
    const ids = await admitItems(store, [testItem({ lang: null, title: "Le bac", content: FRENCH }), testItem()]);
    const { counts } = await run(ids);
    expect(counts).toMatchObject({ taken: 2, normalized: 1, refused: 1 });
    expect((await store.articles.get(ids[1] ?? 0))?.state).toBe("normalized");
    expect(await store.articles.get(ids[0] ?? 0)).toMatchObject({
      state: "failed",
      stateReason: "unsupported-language",
    });
  });

  test("an article whose label breaks the map is set apart", async () => {
    const ids = await admitItems(store, [testItem({ categoryLabel: "boom" }), testItem({ categoryLabel: "sport" })]);
    const fragile = {
      ...taxonomy,
      mapLabel: (provider: string, label: string) => {
        if (label === "boom") throw new Error("no such map");
        return taxonomy.mapLabel(provider, label);
      },
    };
    const { counts, failures } = await run(ids, { taxonomy: fragile });
    expect(counts).toMatchObject({ normalized: 1 });
    expect(failures.map(({ articleId }) => articleId)).toEqual(ids.slice(0, 1));
  });
});

describe("normalize", () => {
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
});
