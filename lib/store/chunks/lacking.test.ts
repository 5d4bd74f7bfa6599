import { afterAll, expect, test } from "bun:test";
import { testStore } from "../testing.ts";

const { store, close } = await testStore();
afterAll(close);

const NEW = "new@1";

async function article(name: string, modelId?: string): Promise<number> {
  const hash = Bun.SHA256.hash(name, "hex");
  const text = { url: `https://x.example/${name}`, canonicalUrl: `https://x.example/${name}`, domain: "x.example" };
  const none = { raw: null, categoryLabel: null, provider: null, categoryId: null, categorySource: null };
  const outcome = await store.admission.admit(
    [
      {
        ...text,
        ...none,
        sourceId: "s",
        externalId: name,
        title: name,
        content: name,
        contentHash: hash,
        lang: "en",
        publishedAt: null,
        authors: [],
        images: [],
        categoryConfidence: null,
        taxonomyVersion: null,
      },
    ],
    { requireKnownSource: false },
  );
  const [result] = outcome.kind === "decided" ? outcome.results : [];
  const articleId = result?.status === "accepted" ? (result.articleId ?? 0) : 0;
  if (modelId === undefined) return articleId;
  await store.articles.markNormalized([{ articleId, lang: "en" }]);
  await store.indexing.commit(
    [{ articleId, chunks: [{ no: 0, start: 0, end: 1, vector: new Float32Array([1, 0]) }] }],
    { modelId },
  );
  return articleId;
}

test("indexed articles without chunks of a model are told apart from those that have them, page by page", async () => {
  const old = [await article("a", "old@1"), await article("b", "old@1"), await article("c", "old@1")];
  const done = await article("d", NEW);
  const waiting = await article("e");
  expect(await store.chunks.lacking(NEW, { afterId: 0, limit: 2 })).toEqual(old.slice(0, 2));
  expect(await store.chunks.lacking(NEW, { afterId: old[1] ?? 0, limit: 2 })).toEqual(old.slice(2));
  expect(await store.chunks.without(NEW, [done, waiting, old[2] ?? 0, 999_999])).toEqual(old.slice(2));
  expect(await store.chunks.without("old@1", old)).toEqual([]);
  expect(await store.chunks.without(NEW, [])).toEqual([]);
});
