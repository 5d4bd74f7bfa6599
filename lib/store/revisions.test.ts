import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { RevisionReport } from "./revisions.ts";
import { testItem, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, another, sql, close } = await testStore();
afterAll(close);

/** An article that was admitted, known under an alias too. */
async function admitted() {
  const item = testItem();
  const alias = {
    ...item,
    sourceId: "agency",
    externalId: `${item.externalId}-alias`,
    url: "https://agency.example/1",
  };
  const { results } = Object(await store.admission.admit([item, alias], { requireKnownSource: false }));
  const id: number = results[0].articleId;
  const pair = { sourceId: item.sourceId, externalId: item.externalId, requestId: "r-1", url: item.url };
  const says = (content: string, over: Partial<RevisionReport> = {}): RevisionReport => ({
    ...pair,
    kind: "changed",
    title: item.title,
    content,
    contentHash: Bun.SHA256.hash(content, "hex"),
    ...over,
  });
  const gone: RevisionReport = { ...pair, kind: "deleted_at_source" };
  const { title, content, contentHash } = item;
  const original: RevisionReport = { ...pair, kind: "changed", title, content, contentHash };
  return { id, item, alias, says, gone, original, record: store.revisions.record };
}

async function eventsOf(id: number): Promise<unknown[]> {
  const rows =
    await sql`select revision from outbox where article_id = ${id} and type = 'article.revised' order by event_id`;
  return rows.map(({ revision }) => revision);
}

describe("a report of a changed text", () => {
  test("is kept beside the stored one, which stays as it is, and told to the consumers of events", async () => {
    const { id, item, says, record } = await admitted();
    expect(await record(says("B"))).toEqual({ status: "recorded", articleId: id, revision: 2 });
    expect(await record(says("C"))).toEqual({ status: "recorded", articleId: id, revision: 3 });
    expect(await store.articles.get(id)).toMatchObject({ title: item.title, content: item.content, goneAt: null });
    const page = await store.revisions.list(id, { limit: 10 });
    const texts = page?.revisions.map(({ revision, kind, content, previous }) => [
      revision,
      kind,
      content,
      previous?.content,
    ]);
    expect(texts).toEqual([
      [3, "changed", "C", "B"],
      [2, "changed", "B", item.content],
      [1, "stored", item.content, undefined],
    ]);
    expect(page?.revisions[0]).toMatchObject({
      sourceId: item.sourceId,
      externalId: item.externalId,
      requestId: "r-1",
    });
    expect(page?.sources).toMatchObject([
      { sourceId: item.sourceId, revision: 3, goneAt: null },
      { sourceId: "agency", url: "https://agency.example/1", revision: 1 },
    ]);
    expect(await eventsOf(id)).toEqual(
      [2, 3].map((revision) => ({
        revision,
        kind: "changed",
        title: item.title,
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        reported_by: { source_id: item.sourceId, external_id: item.externalId },
      })),
    );
  });

  test("keeps no text twice, and nothing where the source says what it said before", async () => {
    const { id, says, original, record } = await admitted();
    expect(await record(original)).toEqual({ status: "known", articleId: id, revision: 1 });
    expect(await record(says("B"))).toMatchObject({ status: "recorded", revision: 2 });
    expect(await record(says("B"))).toMatchObject({ status: "known", revision: 2 });
    // It goes back to what it said, and on again: both are news, neither is a new text.
    expect(await record(original)).toMatchObject({ status: "recorded", revision: 1 });
    expect(await record(says("B"))).toMatchObject({ status: "recorded", revision: 2 });
    expect((await store.revisions.list(id, { limit: 10 }))?.revisions.length).toBe(2);
    expect((await eventsOf(id)).length).toBe(3);
  });

  test("under an alias belongs to that source alone", async () => {
    const { id, item, alias, says, record } = await admitted();
    const { sourceId, externalId } = alias;
    expect(await record(says("B", { sourceId, externalId }))).toMatchObject({ status: "recorded", revision: 2 });
    expect((await store.revisions.list(id, { limit: 10 }))?.sources).toMatchObject([
      { sourceId: item.sourceId, revision: 1 },
      { sourceId: "agency", revision: 2 },
    ]);
  });

  test("of a pair that nothing is known of is unknown, and of an article that was deleted too", async () => {
    const { id, says, record } = await admitted();
    expect(await record(says("B", { externalId: "nobody's" }))).toEqual({ status: "unknown" });
    await record(says("B"));
    await store.articles.remove(id);
    expect(await record(says("C"))).toEqual({ status: "unknown" });
    expect(await sql`select 1 from article_revisions where article_id = ${id}`).toHaveLength(0);
    expect(await store.revisions.list(id, { limit: 1 })).toBeUndefined();
  });

  test("made by many at once is kept once", async () => {
    const { id, says } = await admitted();
    const other = another();
    const reports = Array.from({ length: 12 }, (_, i) =>
      (i % 2 === 0 ? store : other).revisions.record(says(i < 6 ? "B" : "C")),
    );
    const outcomes = await Promise.all(reports);
    expect(new Set(outcomes.map((outcome) => Object(outcome).revision))).toEqual(new Set([2, 3]));
    expect((await store.revisions.list(id, { limit: 10 }))?.revisions.map(({ revision }) => revision)).toEqual([
      3, 2, 1,
    ]);
  });
});

describe("a deletion at the source", () => {
  test("is noted once, deletes nothing, and ends when the article is there again", async () => {
    const { id, item, gone, original, record } = await admitted();
    expect(await record(gone)).toMatchObject({ status: "recorded", revision: 2 });
    expect(await record(gone)).toMatchObject({ status: "known" });
    expect(await store.articles.get(id)).toMatchObject({ content: item.content, goneAt: expect.stringMatching(/Z$/) });
    const page = await store.revisions.list(id, { limit: 10 });
    expect(page?.revisions.map(({ kind, title }) => [kind, title])).toEqual([
      ["deleted_at_source", null],
      ["stored", item.title],
    ]);
    expect(await record(original)).toMatchObject({ status: "recorded", revision: 1 });
    expect((await store.articles.get(id))?.goneAt).toBeNull();
    expect(await record(gone)).toMatchObject({ status: "recorded", revision: 3 });
    expect(await eventsOf(id)).toMatchObject([
      { kind: "deleted_at_source" },
      { kind: "changed" },
      { kind: "deleted_at_source" },
    ]);
  });

  test("at the source of an alias leaves the article where it is", async () => {
    const { id, alias, gone, record } = await admitted();
    await record({ ...gone, sourceId: alias.sourceId, externalId: alias.externalId });
    expect((await store.articles.get(id))?.goneAt).toBeNull();
    expect((await store.revisions.list(id, { limit: 1 }))?.sources[1]?.goneAt).not.toBeNull();
  });
});

test("an article keeps its newest twenty revisions, and those that a source holds to", async () => {
  const { id, alias, says, record } = await admitted();
  const { sourceId, externalId } = alias;
  for (let i = 2; i < 6; i++) await record(says(`text ${i}`));
  await record(says("text 3", { sourceId, externalId }));
  for (let i = 6; i < 40; i++) await record(says(`text ${i}`));
  const rows = await sql<
    { revision: number }[]
  >`select revision from article_revisions where article_id = ${id} order by revision`;
  expect(rows.map(({ revision }) => revision)).toEqual([3, ...Array.from({ length: 20 }, (_, i) => 20 + i)]);
});

test("pages go from the newest to the stored one, each revision once", async () => {
  const { id, says, gone, record } = await admitted();
  for (const report of [says("B"), gone, says("C"), says("D")]) await record(report);
  const numbers: number[] = [];
  let before: number | undefined;
  for (let pages = 0; pages < 9; pages++) {
    const page = await store.revisions.list(String(id), { limit: 2, before });
    numbers.push(...(page?.revisions.map(({ revision }) => revision) ?? []));
    if (page?.nextBefore == null) break;
    before = page.nextBefore;
  }
  expect(numbers).toEqual([5, 4, 3, 2, 1]);
  const [, middle] = (await store.revisions.list(id, { limit: 2 }))?.revisions ?? [];
  // The text before it, not the deletion between.
  expect(middle).toMatchObject({ content: "C", previous: { content: "B" } });
});
