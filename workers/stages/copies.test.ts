import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chainOf, matchCopies } from "@isnad/lib/stories";
import { admitItems, queueWork, testItem, testStage, testStore } from "@isnad/lib/store/testing";
import { copies } from "../stages.ts";

setDefaultTimeout(300_000);

const { store, sql, close, another } = await testStore();
const stage = copies({ store });
const work = testStage(store, "copies");
afterAll(close);

const REPORT = `The council of the island decided on Monday night that the old ferry line will stay open through the whole
winter, after fishermen, teachers and the only doctor of the village had asked for it in a letter of nine pages. The first
trip leaves before sunrise on every day of the week except Friday, when the crew rests and the engine is looked over by two
mechanics from the mainland. Tickets cost what they cost last year; pupils travel free. "Nobody here wants to wait for the
spring to see a dentist," said the mayor, whose own boat sank in March. The ministry pays for the fuel until the new pier is
finished, which may take until the end of next year because the stones have to come from a quarry in the north.`;

const OTHER = `Parliament voted on Tuesday to raise the budget of schools by a tenth, after a debate that went on for nine
hours and in which the minister of finance spoke three times. Teachers had asked for twice as much and said that they would
meet at the weekend to decide whether classes begin as planned. Members of the opposition left the hall before the vote.`;

let serial = 0;

/** Stores articles with these texts, the first the earliest, and takes them to the stage. */
async function arrive(contents: readonly string[], fields: Parameters<typeof testItem>[0] = {}): Promise<number[]> {
  const ids: number[] = [];
  for (const content of contents) {
    const publishedAt = new Date(Date.UTC(2024, 0, 1, 0, serial++)).toISOString();
    const [id = 0] = await admitItems(store, [
      testItem({ content, publishedAt, title: `T ${serial}`, sourceId: `s${serial}`, ...fields }),
    ]);
    await sql`update articles set state = 'indexed' where article_id = ${id}`;
    ids.push(id);
  }
  await queueWork(sql, "copies", ids);
  return ids;
}

let owner = 0;

/** Runs the stage over all that waits. */
async function match(on = stage): Promise<void> {
  for (;;) {
    const name = `o${owner++}`;
    const items = await work.claim({ owner: name, leaseS: 3_600, limit: 100 });
    if (items.length === 0) return;
    await on.run?.(items, { signal: new AbortController().signal, step: work.step(name) });
  }
}

const chain = async (id: number) => {
  const family = await store.copies.family(id);
  return family === undefined ? [] : chainOf(family);
};
const near = async (id: number) => (await store.articles.get(id))?.nearDuplicates.map(({ articleId }) => articleId);

beforeAll(async () => {
  await arrive([OTHER]);
  await match();
});

test("a text that lost its beginning, and a brief of it, are copies of the first; another text is not", async () => {
  const third = REPORT.slice(REPORT.length / 3);
  const brief = REPORT.split(/(?<=\.)\s/)
    .slice(1, 3)
    .join(" ");
  const [first = 0, second = 0, last = 0] = await arrive([REPORT, third, brief]);
  await match();
  const links = await chain(second);
  expect(links.map(({ articleId, kind, from }) => ({ articleId, kind, from: from?.articleId ?? null }))).toEqual([
    { articleId: first, kind: "origin", from: null },
    { articleId: second, kind: "copy", from: first },
    { articleId: last, kind: "copy", from: first },
  ]);
  expect(links[2]?.overlap).toBeGreaterThan(0.95);
  expect(links[2]?.overlapOfSource).toBeLessThan(0.6);
  expect(await near(second)).toEqual(expect.arrayContaining([first, last]));
  for (const id of [first, second, last]) await store.articles.remove(id);
  expect(await sql`select from copy_links`).toHaveLength(0);
});

test("a revision that makes a copy a report of its own removes its links, and one that brings it back brings them", async () => {
  const [first = 0, second = 0] = await arrive([REPORT, `${REPORT} And more.`]);
  await match();
  expect(await near(first)).toEqual([second]);
  const article = await store.articles.get(second);
  const pair = { sourceId: article?.sourceId ?? "", externalId: article?.externalId ?? "", requestId: null, url: null };
  const own = `${OTHER.split(" ").toReversed().join(" ")}`;
  await store.revisions.record({ ...pair, kind: "changed", title: "own", content: own, contentHash: "ab".repeat(32) });
  await match();
  expect(await near(first)).toEqual([]);
  expect(await chain(second)).toMatchObject([{ articleId: second, kind: "origin", title: "own" }]);
  const back = {
    title: article?.title ?? "",
    content: article?.content ?? "",
    contentHash: article?.contentHash ?? "",
  };
  await store.revisions.record({ ...pair, kind: "changed", ...back });
  await match();
  expect(await near(first)).toEqual([second]);
  const retitled = { ...back, title: "Ferry to stay, council says", contentHash: "cd".repeat(32) };
  await store.revisions.record({ ...pair, kind: "changed", ...retitled });
  expect((await chain(first)).map(({ title }) => title)).toContain(retitled.title);
  expect((await store.articles.get(first))?.nearDuplicates).toMatchObject([{ title: retitled.title }]);
  for (const id of [first, second]) await store.articles.remove(id);
});

test("two processes that match two copies at once find each other", async () => {
  const stores = [another(), another()];
  for (let round = 0; round < 5; round++) {
    const ids = await arrive([REPORT, `${REPORT} Round ${round}.`]);
    await Promise.all(
      stores.map(async (each, i) => {
        const items = await work.claim({ owner: `p${round}-${i}`, leaseS: 3_600, limit: 1 });
        await copies({ store: each }).run?.(items, {
          signal: new AbortController().signal,
          step: work.step(`p${round}-${i}`),
        });
      }),
    );
    expect(await near(ids[0] ?? 0)).toEqual([ids[1] ?? 0]);
    for (const id of ids) await store.articles.remove(id);
  }
});

test("what another process has found meanwhile stays when one that came before it stores what it found", async () => {
  const [first = 0] = await arrive([REPORT]);
  const before = await matchCopies(store, await store.copies.texts([first]));
  const [second = 0] = await arrive([`${REPORT} Again.`]);
  await store.copies.put(await matchCopies(store, await store.copies.texts([second])));
  await store.copies.put(before);
  expect(await near(first)).toEqual([second]);
  for (const id of [first, second]) await store.articles.remove(id);
});

test("a text that was answered duplicate is shown with its own source, address and time, the first one included", async () => {
  const [id = 0] = await arrive([REPORT], { title: "Ferry", publishedAt: "2024-03-02T00:00:00.000Z" });
  await match();
  const article = await store.articles.get(id);
  const same = { title: "Ferry", content: REPORT, contentHash: article?.contentHash ?? "" };
  await admitItems(store, [
    testItem({ ...same, sourceId: "early", url: "https://early.example/1", publishedAt: "2024-03-01T00:00:00.000Z" }),
    testItem({ ...same, sourceId: "late", url: "https://late.example/1", publishedAt: "2024-03-03T00:00:00.000Z" }),
    testItem({
      ...same,
      sourceId: "undated",
      externalId: "alias",
      url: "https://undated.example/1",
      publishedAt: null,
    }),
  ]);
  expect(
    (await chain(id)).map(({ sourceId, url, kind, from, articleId }) => [sourceId, url, kind, from, articleId]),
  ).toEqual([
    ["early", "https://early.example/1", "origin", null, null],
    [article?.sourceId ?? "", article?.url ?? "", "exact", { articleId: null, url: "https://early.example/1" }, id],
    ["late", "https://late.example/1", "exact", { articleId: null, url: "https://early.example/1" }, null],
    ["undated", "https://undated.example/1", "exact", { articleId: null, url: "https://early.example/1" }, null],
  ]);
  const alias = { sourceId: "undated", externalId: "alias", requestId: null, url: null, content: REPORT };
  await store.revisions.record({ ...alias, kind: "changed", title: "Ferry!", contentHash: "ef".repeat(32) });
  expect((await chain(id)).map(({ title }) => title)).toEqual(["Ferry", "Ferry", "Ferry", "Ferry!"]);
  await store.articles.remove(id);
});

test("a time after its arrival is none: such a text is last and shows no time", async () => {
  const [first = 0, second = 0] = await arrive([REPORT, `${REPORT} Again.`]);
  await sql`update articles set published_at = now() + interval '2 days' where article_id = ${first}`;
  await match();
  expect((await chain(first)).map(({ articleId, publishedAt }) => [articleId, publishedAt === null])).toEqual([
    [second, false],
    [first, true],
  ]);
  for (const id of [first, second]) await store.articles.remove(id);
});

test("when the first of a chain is deleted, the next one is the first, and nothing of it is left", async () => {
  const [first = 0, second = 0, third = 0] = await arrive([REPORT, `${REPORT} Second.`, `${REPORT} Third.`]);
  await match();
  await store.articles.remove(first);
  const links = await chain(third);
  expect(links[0]).toMatchObject({ articleId: second, kind: "origin", from: null });
  expect(links[1]).toMatchObject({ articleId: third, from: { articleId: second } });
  expect(await sql`select from article_copies where article_id = ${first}`).toHaveLength(0);
  expect(await sql`select from copy_links where article_id = ${first} or other_id = ${first}`).toHaveLength(0);
  for (const id of [second, third]) await store.articles.remove(id);
});

test("a source that is renamed is shown by its new name, and no more credited for what is its own", async () => {
  const text = `LONDON (Reuters) - ${REPORT}`;
  const [id = 0] = await arrive([text]);
  await match();
  const article = await store.articles.get(id);
  expect((await chain(id))[0]?.credits.map(({ name }) => name)).toEqual(["Reuters"]);
  await store.sources.upsert([{ key: article?.sourceId ?? "", name: "رويترز" }]);
  expect((await chain(id))[0]).toMatchObject({ sourceName: "رويترز", credits: [] });
  await store.articles.remove(id);
});

test("who is killed between reading and storing leaves work that another one does", async () => {
  const [first = 0, second = 0] = await arrive([REPORT, `${REPORT} Again.`]);
  const killed = { ...store, copies: { ...store.copies, put: () => Promise.reject(new Error("killed")) } };
  const items = await work.claim({ owner: "dead", leaseS: 0, limit: 9 });
  const run = { signal: new AbortController().signal, step: work.step("dead") };
  await expect(copies({ store: killed }).run?.(items, run)).rejects.toThrow("killed");
  expect(await near(first)).toEqual([]);
  await sql`update work set attempts = 0, lease_owner = null, lease_until = null`;
  await match();
  expect(await near(first)).toEqual([second]);
  expect(await work.backlog()).toEqual({ waiting: 0, setAside: 0 });
  for (const id of [first, second]) await store.articles.remove(id);
});

test("a link to a text that became another one meanwhile is not stored", async () => {
  const [first = 0, second = 0] = await arrive([REPORT, `${REPORT} Later.`]);
  await match();
  const [one, two] = await store.copies.texts([first, second]);
  const link = { otherId: second, otherRevision: (two?.revision ?? 0) + 1, overlap: 1, overlapOfOther: 1 };
  const seen = new Map([[second, two?.revision ?? 0]]);
  const stale = { articleId: first, revision: one?.revision ?? 0, anchors: undefined, seen, again: [] };
  await store.copies.put([{ ...stale, links: [{ ...link, confidence: 1, carriers: 1 }] }]);
  expect(await near(first)).toEqual([]);
  for (const id of [first, second]) await store.articles.remove(id);
});

test("a family goes two steps over parts of texts, and as far as it likes over copies", async () => {
  const parts = Array.from({ length: 5 }, (_, part) =>
    Array.from({ length: 60 }, (_, i) => `part${part}word${i}x`).join(" "),
  );
  const filler = (of: number) => Array.from({ length: 90 }, (_, i) => `filler${of}word${i}x`).join(" ");
  const texts = [0, 1, 2, 3].map((at) => `${parts[at]} ${filler(at)} ${parts[at + 1]}`);
  const ids = await arrive([...texts, `${texts[0]} ${filler(9)}`]);
  await match();
  const members = async (at: number) => (await chain(ids[at] ?? 0)).map(({ articleId }) => articleId).toSorted();
  const [a, b, c, d, copy] = ids;
  // What came before all that the fourth shares with is none of its chain.
  expect(await members(0)).toEqual([a, b, c, copy].map((id) => id ?? null).toSorted());
  expect(await members(4)).toEqual([a, b, c, copy].map((id) => id ?? null).toSorted());
  expect(await members(3)).toEqual([c, d].map((id) => id ?? null).toSorted());
  for (const id of ids) await store.articles.remove(id);
});
