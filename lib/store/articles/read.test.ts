import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, testItem, testStore } from "../testing.ts";
import { everyField } from "./columns.ts";
import { parseArticleId } from "../values.ts";

describe("read", async () => {
  setDefaultTimeout(300_000);

  const { store, sql, close } = await testStore();
  const ids = await admitItems(
    store,
    Array.from({ length: 7 }, (_, i) => testItem({ title: `Title ${i}`, publishedAt: null })),
  );
  afterAll(close);

  describe("get", () => {
    test("finds an article by its number and by its uuid in either case", async () => {
      const byNumber = await store.articles.get(ids[0] ?? 0);
      expect(byNumber?.title).toBe("Title 0");
      expect(await store.articles.get(String(ids[0]))).toEqual(byNumber);
      expect(await store.articles.get(byNumber?.docId.toUpperCase() ?? "")).toEqual(byNumber);
    });

    test("finds nothing for what is no id, or nobody's", async () => {
      for (const id of ["0", "-1", "1.5", "1e3", "x", "", "9".repeat(30), crypto.randomUUID(), 999_999, Number.NaN]) {
        expect(await store.articles.get(id)).toBeUndefined();
      }
    });

    test("shows entities and relations once there are any", async () => {
      const id = ids[1] ?? 0;
      const [entity] = await sql<{ id: number }[]>`
      insert into entities (name, name_key) values ('Cairo', 'cairo') returning entity_id as id`;
      await sql`insert into article_entities (article_id, entity_id, type, mentions, confidence)
      values (${id}, ${entity?.id ?? 0}, 'GPE', 3, 0.5)`;
      await sql`insert into relations (article_id, type, args, confidence, start_offset, end_offset, meta)
      values (${id}, 'meet', ${sql.json({ agent: "Cairo" })}, 0.25, 3, 8, ${sql.json({ entities: { agent: 1 } })})`;
      const article = await store.articles.get(id);
      expect(article?.entities).toEqual([
        { entityId: entity?.id ?? 0, name: "Cairo", type: "GPE", mentions: 3, confidence: 0.5, spans: [] },
      ]);
      expect(article?.relations).toMatchObject([
        {
          type: "meet",
          args: { agent: "Cairo" },
          confidence: 0.25,
          start: 3,
          end: 8,
          meta: { entities: { agent: 1 } },
        },
      ]);
    });
  });

  describe("byIds", () => {
    test("gives the named fields alone", async () => {
      const rows = await store.articles.byIds([ids[0] ?? 0, 999_999, ids[2] ?? 0], ["articleId", "title"]);
      expect(rows.toSorted((a, b) => a.articleId - b.articleId)).toEqual(
        [
          { articleId: ids[0] ?? 0, title: "Title 0" },
          { articleId: ids[2] ?? 0, title: "Title 2" },
        ].toSorted((a, b) => a.articleId - b.articleId),
      );
    });

    test("gives nothing for no ids", async () => {
      expect(await store.articles.byIds([], ["title"])).toEqual([]);
    });

    test("knows every field", async () => {
      const [row] = await store.articles.byIds([ids[0] ?? 0], everyField);
      expect(Object.keys(row ?? {})).toEqual(everyField);
      expect(typeof row?.articleId).toBe("number");
    });
  });

  describe("unlessKnown", () => {
    const read = (known: [number, string | undefined][]) => store.articles.unlessKnown(new Map(known), ["title"]);

    test("gives the fields of those that are not known as they are, and the version alone of the others", async () => {
      const [first = 0, second = 0] = ids;
      const fresh = await read([
        [first, undefined],
        [second, "another"],
        [999_999, undefined],
      ]);
      const one = fresh.find(({ articleId }) => articleId === first);
      const two = fresh.find(({ articleId }) => articleId === second);
      expect(fresh).toHaveLength(2);
      expect([one?.article?.title, two?.article?.title]).toEqual(["Title 0", "Title 1"]);
      const again = await read([
        [second, "another"],
        [first, one?.version],
      ]);
      expect(again.find(({ articleId }) => articleId === first)).toMatchObject({
        version: one?.version,
        article: undefined,
      });
      expect(again.find(({ articleId }) => articleId === second)?.article?.title).toBe("Title 1");
      expect(await read([])).toEqual([]);
    });

    test("of those that are all known, what has changed is read, and what is gone is left out", async () => {
      const [kept = 0, changed = 0, gone = 0] = await admitItems(
        store,
        ["Kept", "Changed", "Gone"].map((title) => testItem({ title })),
      );
      const before = await read([kept, changed, gone].map((id) => [id, undefined]));
      const known = before.map(({ articleId, version }): [number, string] => [articleId, version]);
      expect((await read(known)).map(({ article }) => article)).toEqual([undefined, undefined, undefined]);
      await sql`update articles set title = 'Other' where article_id = ${changed}`;
      await store.articles.remove(gone);
      const after = await read(known);
      const titles = new Map(after.map(({ articleId, article }) => [articleId, article?.title]));
      expect(titles).toEqual(
        new Map([
          [kept, undefined],
          [changed, "Other"],
        ]),
      );
      expect(after.find(({ articleId }) => articleId === changed)?.version).not.toBe(new Map(known).get(changed));
      for (const id of [kept, changed]) await store.articles.remove(id);
    });

    test("each change of an article is another version", async () => {
      const [id = 0] = ids;
      const [before] = await read([[id, undefined]]);
      await sql`update articles set title = title where article_id = ${id}`;
      const [after] = await read([[id, before?.version]]);
      expect(after?.article?.title).toBe("Title 0");
      expect(after?.version).not.toBe(before?.version);
      expect((await read([[id, after?.version]]))[0]?.article).toBeUndefined();
    });
  });

  describe("counting", () => {
    test("counts articles by state, and those still to be worked on", async () => {
      expect(await store.articles.countByState()).toEqual({ accepted: 7, normalized: 0, indexed: 0, failed: 0 });
      expect(await store.articles.countPending()).toBe(7);
    });
  });

  describe("parseArticleId", () => {
    test("takes numbers up to 2^53 and uuids", () => {
      expect(parseArticleId("12")).toBe(12);
      expect(parseArticleId(String(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
      expect(parseArticleId(String(2 ** 53 * 8))).toBeUndefined();
      expect(parseArticleId("0190A1B2-0000-7000-8000-000000000000")).toBe("0190a1b2-0000-7000-8000-000000000000");
    });
  });
});
