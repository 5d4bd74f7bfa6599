import { afterAll, expect, test } from "bun:test";
import { admitItems, testItem, testStore } from "@isnad/lib/store/testing";
import { askedTogether } from "./asked-together.ts";
import { createDocuments } from "./documents.ts";
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
