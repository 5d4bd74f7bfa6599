import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { simhash } from "../../text/mod.ts";
import { admitItems, testItem, testStore } from "../testing.ts";

setDefaultTimeout(60_000);

const { store, sql, close } = await testStore();
afterAll(close);

/** Articles with these signatures. */
async function signed(...signatures: bigint[]): Promise<number[]> {
  const ids = await admitItems(
    store,
    signatures.map(() => testItem()),
  );
  await store.articles.markNormalized(
    ids.map((articleId, n) => ({ articleId, lang: "en", simhash: signatures[n] ?? null })),
  );
  return ids;
}

const nearOf = async (id: number) => (await store.articles.get(id))?.nearDuplicates;

/** The signature with these bits turned over. */
const flipped = (signature: bigint, ...bits: number[]) =>
  bits.reduce((result, bit) => result ^ (1n << BigInt(bit)), signature);

test("articles whose signatures differ in a few bits are shown with each other, the nearest first", async () => {
  const one = 0xdeadbeefcafe1234n;
  const far = flipped(one, 1, 3, 5, 7, 9, 11, 13, 15, 17);
  const [a = 0, b = 0, c = 0, d = 0] = await signed(one, flipped(one, 0, 63, 31), one, far);
  expect(await nearOf(a)).toEqual([
    { articleId: c, distance: 0 },
    { articleId: b, distance: 3 },
  ]);
  const both = [a, c].toSorted((x, y) => x - y);
  expect(await nearOf(b)).toEqual(both.map((articleId) => ({ articleId, distance: 3 })));
  expect((await nearOf(d))?.map(({ articleId }) => articleId)).not.toContain(a);
});

test("five bits that differ are found wherever they are, also with the highest one set", async () => {
  const one = 0x8123456789abcdefn;
  const spread = [0, 13, 26, 39, 63];
  const [a = 0, b = 0] = await signed(one, flipped(one, ...spread));
  expect(await nearOf(a)).toEqual([{ articleId: b, distance: 5 }]);
});

test("what was given up or deleted is not shown, and a text without words is near to nothing", async () => {
  const one = 0x0f0f0f0f12345678n;
  const [a = 0, failed = 0, gone = 0] = await signed(one, one, one);
  await store.articles.markFailed(failed, "no");
  await store.articles.remove(gone);
  expect(await nearOf(a)).toEqual([]);
  expect(await sql`select 1 from article_signatures where article_id = ${gone}`).toHaveLength(0);
  const [empty = 0] = await signed(0n, 0n);
  expect(await nearOf(empty)).toEqual([]);
});

test("an article whose analysis is begun again has one signature, the last", async () => {
  const [id = 0] = await signed(1n);
  await store.articles.markFailed(id, "no");
  await store.work.retry({ articleIds: [id] });
  await store.articles.markNormalized([{ articleId: id, lang: "en", simhash: 2n }]);
  const kept = await sql<{ simhash: number }[]>`select simhash from article_signatures where article_id = ${id}`;
  expect([...kept]).toEqual([{ simhash: 2 }]);
});

test("an article that was sent with another headline is near to the first one, another article is not", async () => {
  const body = (
    words: string,
  ) => `${`Boats in the ${words} of the old town were called back before the storm. `.repeat(2)}
    The harbour master said that nobody was missing, that two piers had lost their lights, and that the ferry to the
    islands would not leave before Thursday, when the wind is expected to turn and the sea to calm down again.`;
  const other = `Parliament voted on Monday to raise the budget of schools, after a debate that went on for nine hours
    and in which the minister of finance spoke three times. Teachers had asked for twice as much; unions said that they
    would meet at the weekend and decide whether classes begin as planned at the start of the coming month.`;
  const [a = 0, b = 0, c = 0] = await signed(
    simhash(`Storm over the harbour\n${body("harbour")}`),
    simhash(`Storm in the harbour\n${body("harbour")}`),
    simhash(`Schools get more\n${other}`),
  );
  expect((await nearOf(a))?.map(({ articleId }) => articleId)).toEqual([b]);
  expect(await nearOf(c)).toEqual([]);
});
