import { createHash, randomBytes } from "node:crypto";
import type { AdmissionItem } from "./admission/types.ts";
import type { Store } from "./store.ts";

/** A valid item for tests; what is not given differs from item to item. The hash is made from title and content. */
export function testItem(fields: Partial<AdmissionItem> = {}): AdmissionItem {
  const id = randomBytes(8).toString("hex");
  const url = fields.url ?? `https://news.example/${id}`;
  const title = fields.title ?? `Title ${id}`;
  const content = fields.content ?? `Content ${id}. ${"The harbour was quiet again by nightfall. ".repeat(8)}`;
  return {
    sourceId: "test-source",
    externalId: id,
    url,
    canonicalUrl: url,
    domain: "news.example",
    title,
    content,
    contentHash: createHash("sha256").update(`${title}\n${content}`).digest("hex"),
    lang: "en",
    publishedAt: "2024-05-06T07:08:09.000Z",
    authors: [],
    images: [],
    raw: null,
    categoryLabel: null,
    provider: null,
    categoryId: null,
    categorySource: null,
    categoryConfidence: null,
    taxonomyVersion: null,
    ...fields,
  };
}

/** For tests: admits the items and returns the ids of the articles that were accepted. */
export async function admitItems(store: Store, items: readonly AdmissionItem[]): Promise<number[]> {
  const outcome = await store.admission.admit(items, { requireKnownSource: false });
  if (outcome.kind !== "decided") throw new Error(`unexpected outcome ${outcome.kind}`);
  return outcome.results.flatMap((result) =>
    result.status === "accepted" && result.articleId !== undefined ? [result.articleId] : [],
  );
}

/** For tests: admits `count` articles and takes them all the way to `indexed` by hand, with one chunk each. */
export async function indexedArticles(store: Store, count: number, modelId = "test@1"): Promise<number[]> {
  const ids = await admitItems(
    store,
    Array.from({ length: count }, () => testItem()),
  );
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  const chunk = { no: 0, start: 0, end: 10, vector: new Float32Array([1, 0, 0, 0]) };
  return store.indexing.commit(
    ids.map((articleId) => ({ articleId, chunks: [chunk] })),
    { modelId },
  );
}
