import { createHash } from "node:crypto";
import type { AdmissionItem } from "./admission/types.ts";
import type { Store } from "./store.ts";

const ENGLISH = `The harbour council met on Tuesday to decide whether the old ferry line should be kept through the winter.
Fishermen asked for a later timetable, while the owners of the market stalls wanted the first boat before sunrise.
After two hours the mayor proposed a trial of three months, and the members agreed with nine votes against four.`;

/** For tests: an item as admission takes it; `n` makes it different from all others. */
export function testItem(n: number | string, over: Partial<AdmissionItem> = {}): AdmissionItem {
  const title = over.title ?? `Council keeps ferry line number ${n}`;
  const content = over.content ?? `${ENGLISH} Report number ${n}.`;
  return {
    sourceId: "harbour-daily",
    externalId: `a-${n}`,
    url: `https://news.example/${n}`,
    canonicalUrl: `https://news.example/${n}`,
    domain: "news.example",
    contentHash: createHash("sha256").update(`${title}\n${content}`).digest("hex"),
    lang: "en",
    publishedAt: "2024-03-01T10:00:00.000Z",
    authors: [],
    images: [],
    raw: null,
    categoryLabel: null,
    provider: null,
    categoryId: null,
    categorySource: null,
    categoryConfidence: null,
    taxonomyVersion: null,
    ...over,
    title,
    content,
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
  const tag = performance.now().toString(36);
  const ids = await admitItems(
    store,
    Array.from({ length: count }, (_, i) => testItem(`${tag}-${i}`)),
  );
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  const chunk = { no: 0, start: 0, end: 10, vector: new Float32Array([1, 0, 0, 0]) };
  return store.indexing.commit(
    ids.map((articleId) => ({ articleId, chunks: [chunk] })),
    { modelId },
  );
}
