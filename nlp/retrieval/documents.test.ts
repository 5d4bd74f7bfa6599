import { afterAll, expect, test } from "bun:test";
import { admitItems, testItem, testStore } from "@isnad/lib/store/testing";
import { askedTogether, createDocuments, withDocuments } from "./documents.ts";
import { testKeys } from "./testing.ts";

const { store, sql, close } = await testStore();
afterAll(close);

const [first = 0, second = 0, third = 0] = await admitItems(
  store,
  ["One", "Two", "Three"].map((title) => testItem({ title })),
);

/** Asks the store, and notes which ids and versions each statement asks for. */
function counted() {
  const statements: [number, string | undefined][][] = [];
  const ask = askedTogether((known) => {
    statements.push([...known]);
    return store.articles.unlessKnown(known, ["title"]);
  });
  const titles = async (...ids: number[]) =>
    (await ask(new Map(ids.map((id) => [id, undefined])))).map(({ article }) => article?.title).sort();
  return { statements, ask, titles };
}

test("what is asked while a statement is under way goes in the next one, and each gets what it asked for", async () => {
  const { statements, titles } = counted();
  const answers = await Promise.all([titles(first), titles(second), titles(second, third), titles(999_999)]);
  expect(answers).toEqual([["One"], ["Two"], ["Three", "Two"], []]);
  expect(statements.map((asked) => asked.map(([id]) => id))).toEqual([[first], [second, third, 999_999]]);
  expect(await titles(third)).toEqual(["Three"]);
  expect(statements).toHaveLength(3);
});

test("what two know different versions of is read for both", async () => {
  const { statements, ask } = counted();
  const [now] = await ask(new Map([[first, undefined]]));
  const version = now?.version ?? "";
  const versions = [version, version, "another", undefined];
  const answers = await Promise.all(versions.map((known) => ask(new Map([[first, known]]))));
  expect(statements.slice(1)).toEqual([[[first, version]], [[first, undefined]]]);
  expect(answers.map(([each]) => each?.article?.title)).toEqual([undefined, "One", "One", "One"]);
});

test("a statement that fails fails those that wait for it, and the next one is asked anew", async () => {
  let isAway = true;
  let statements = 0;
  const ask = askedTogether(async (known) => {
    statements++;
    if (isAway) await sql`select 1 / 0`;
    return await store.articles.unlessKnown(known, ["title"]);
  });
  const known = new Map([[first, undefined]]);
  const failed = await Promise.allSettled([ask(known), ask(known), ask(known)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(statements).toBe(1);
  isAway = false;
  expect((await ask(known)).map(({ article }) => article?.title)).toEqual(["One"]);
});

test("documents that several searches read at once are those that each of them asked for", async () => {
  const documents = createDocuments(store.articles);
  const asked = [[first], [second, first], [third], [first, second, third]];
  const keys = await Promise.all(asked.map((ids) => testKeys(store, ids)));
  for (let round = 0; round < 2; round++) {
    const found = await Promise.all(keys.map((each) => documents.byKeys(each)));
    expect(found.map((each) => each.map(({ articleId }) => articleId).sort((a, b) => a - b))).toEqual(
      asked.map((ids) => ids.toSorted((a, b) => a - b)),
    );
  }
});

test("a document is read again only when its article has changed, and is gone with it", async () => {
  const documents = createDocuments(store.articles);
  const keys = await testKeys(store, [first, second]);
  const read = async () => {
    const found = await documents.byKeys(keys);
    return [first, second].flatMap((id) => found.filter(({ articleId }) => articleId === id));
  };
  const before = await read();
  expect(before.map(({ title }) => title)).toEqual(["One", "Two"]);
  const again = await read();
  expect([again[0] === before[0], again[1] === before[1]]).toEqual([true, true]);

  await sql`update articles set title = 'Changed' where article_id = ${first}`;
  const changed = await read();
  expect(changed.map(({ title }) => title)).toEqual(["Changed", "Two"]);
  expect(changed[0]?.scanned.title.text).toBe("Changed");
  expect(changed[1]).toBe(before[1]);

  await store.articles.remove(second);
  expect((await read()).map(({ title }) => title)).toEqual(["Changed"]);
});

test("what is remembered is told of while the store is asked, whatever that says", async () => {
  const documents = createDocuments(store.articles);
  const told: string[] = [];
  const read = async (keys: number[]) => {
    told.length = 0;
    const found = await documents.byKeys(keys, { ahead: ({ title }) => void told.push(title) });
    return found.map(({ title }) => title);
  };
  const [gone = 0, kept = 0] = await admitItems(
    store,
    ["Gone", "Kept"].map((title) => testItem({ title })),
  );
  const [goneKey = 0, keptKey = 0] = await testKeys(store, [gone, kept]);
  expect(await read([goneKey])).toEqual(["Gone"]);
  expect(told).toEqual([]);
  await store.articles.remove(gone);
  expect(await read([goneKey, keptKey])).toEqual(["Kept"]);
  expect(told).toEqual(["Gone"]);
  await sql`update articles set title = 'Renamed' where article_id = ${kept}`;
  expect(await read([keptKey])).toEqual(["Renamed"]);
  expect(told).toEqual(["Kept"]);
});

test("what was deleted is passed over, and the next one takes its place", async () => {
  const [thirdKey = 0, firstKey = 0] = await testKeys(store, [third, first]);
  const fused = [999_999, thirdKey, firstKey].map((articleId) => ({ articleId }));
  const page = await withDocuments(createDocuments(store.articles), fused, { offset: 0, limit: 1 });
  expect(page.map(({ articleId, finalRank }) => ({ articleId, finalRank }))).toEqual([
    { articleId: thirdKey, finalRank: 1 },
  ]);
});

test("an article that has the number of another one is not what an index found under that number", async () => {
  const [key = 0] = await testKeys(store, [third]);
  const documents = createDocuments(store.articles);
  expect(await documents.byKeys([key])).toHaveLength(1);
  expect(await documents.byKeys([key + 1, key - 1])).toEqual([]);
  const page = await withDocuments(documents, [{ articleId: key + 1 }, { articleId: key }], { offset: 0, limit: 9 });
  expect(page.map(({ articleId }) => articleId)).toEqual([key]);
});
