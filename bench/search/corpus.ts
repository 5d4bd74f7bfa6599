import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmbedder, type Embedder, openRegistry } from "@isnad/lib/models";
import { createVectorIndex, type KeywordIndex, openKeywordIndex, type VectorIndex } from "@isnad/lib/search";
import { embedMissing, followKeyword } from "@isnad/lib/search/sync";
import { type AdmissionItem, openStore, type Store } from "@isnad/lib/store";
import { testDatabase, testItem } from "@isnad/lib/store/testing";
import { chunkText } from "@isnad/lib/text";
import { readJsonLines } from "../../eval/retrieval-sets.ts";

/** News in a database of its own, found by both branches, and what to ask of it. */
export type NewsCorpus = {
  store: Store;
  keyword: KeywordIndex;
  vectors: VectorIndex;
  embedder: Embedder;
  articles: number;
  /** Beginnings of titles, each once; some hundred in a row are of articles from all over the corpus. */
  queries: string[];
  /** Says where all this is, for services as processes. */
  env: { DATA_DIR: string; DATABASE_URL: string };
  close(): Promise<void>;
};

const BATCH = 100;
/** With fewer chunks than this the graph is not asked, and none of them need be linked. */
const GRAPH_CHUNKS = 51_200;
/** Queries one after another are of articles so far from each other. */
const QUERY_STEP = 31;

/** Brings up to `limit` articles of the Arabic and English news in `folder` in. */
export async function newsCorpus(folder: string, limit: number): Promise<NewsCorpus> {
  const database = await testDatabase();
  const dir = await mkdtemp(join(tmpdir(), "isnad-bench-"));
  const store = openStore(database.url, { max: 4 });
  const embedder = await createEmbedder({ registry: openRegistry() });
  const keyword = await openKeywordIndex({ dir: join(dir, "keyword") });
  const items = newsItems(folder, limit);
  for (let at = 0; at < items.length; at += BATCH) {
    const batch = items.slice(at, at + BATCH);
    const outcome = await store.admission.admit(batch, { requireKnownSource: false });
    if (outcome.kind !== "decided") throw new Error(`unexpected outcome ${outcome.kind}`);
    const ids = outcome.results.flatMap((r) => (r.status === "accepted" && r.articleId ? [r.articleId] : []));
    const rows = await store.articles.byIds(ids, ["articleId", "lang"]);
    await store.articles.markNormalized(rows.map(({ articleId, lang }) => ({ articleId, lang })));
    await embedMissing({ store, embedder }, ids);
  }
  const follower = followKeyword({ store, keyword, logger: { info() {}, warn() {} } });
  await follower.whenCaughtUp();
  // A service begins with the snapshot.
  await keyword.save();
  const vectors = await createVectorIndex({
    store,
    dir: join(dir, "vectors"),
    modelId: embedder.modelId,
    dims: embedder.dims,
  });
  await vectors.whenReady();
  // Measured as it is served when nothing comes in: everything linked, the graph's depth chosen.
  for (let waited = 0; waited < 120; waited++) {
    const { linked, chunks, recall } = await vectors.status();
    if (chunks < GRAPH_CHUNKS || (linked === chunks && recall !== null)) break;
    await sleep(1000);
  }
  // A service begins with the graph as it is here: it would still link for minutes while it is measured.
  await vectors.save();
  const titles = new Set(items.map(({ title }) => title.split(" ").slice(0, 5).join(" ")));
  const queries = Array.from({ length: QUERY_STEP }, (_, first) =>
    [...titles].filter((_, i) => i % QUERY_STEP === first),
  ).flat();
  return {
    store,
    keyword,
    vectors,
    embedder,
    articles: await keyword.count(),
    queries,
    env: { DATA_DIR: dir, DATABASE_URL: database.url },
    async close() {
      await follower.close();
      await vectors.close();
      await keyword.close();
      await embedder.close();
      await store.close();
      await database.drop();
      await rm(dir, { recursive: true });
    },
  };
}

function newsItems(folder: string, limit: number): AdmissionItem[] {
  const items = new Map<string, AdmissionItem>();
  for (const { name, lang } of [
    { name: "ant_v2_ar", lang: "ar" },
    { name: "english", lang: "en" },
  ]) {
    for (const [i, row] of readJsonLines(`${folder}/news/${name}.jsonl`).entries()) {
      const title = String(row.title ?? "").slice(0, 500);
      const content = String(row.text ?? "")
        .replace(/\s+/g, " ")
        .trim();
      if (content.length < 200 || title === "") continue;
      const url = `https://${name.replaceAll("_", "-")}.example/${i}`;
      const fields = { sourceId: name, externalId: String(i), url, domain: new URL(url).hostname, title, content };
      const item = testItem({ ...fields, lang, publishedAt: null });
      items.set(item.contentHash, item);
    }
  }
  const all = [...items.values()];
  const step = Math.max(1, all.length / limit);
  return Array.from({ length: Math.min(limit, all.length) }, (_, i) => all[Math.floor(i * step)]).filter(
    (item) => item !== undefined,
  );
}

/** A passage of an article with its vector, and where the article stands. */
export type NewsChunk = { articleId: number; vector: Float32Array; lang: string; sourceId: string };

/** Vectors of real news: passages of articles, and titles as what is asked. */
type NewsVectors = { modelId: string; dims: number; chunks: NewsChunk[]; titles: Float32Array[] };

const FILES = [
  { name: "ant_v2_ar", lang: "ar" },
  { name: "english", lang: "en" },
  { name: "ant_v1_ar", lang: "ar" },
] as const;

/** Short passages, so that the articles at hand give enough of them. */
const MAX_WORDS = 120;
const VECTOR_BATCH = 256;

/**
 * Embeds passages of the news in `folder` with the default model until there are `count`, in the order of the files, so
 * that topics and languages come in runs as they do when archives are imported. The title of one article in fifty is
 * kept as a query.
 */
export async function newsVectors(folder: string, count: number): Promise<NewsVectors> {
  const embedder = await createEmbedder({ registry: openRegistry() });
  try {
    const { modelId, dims } = embedder;
    const chunks: NewsChunk[] = [];
    const titles: string[] = [];
    let articleId = 0;
    for (const { name, lang } of FILES) {
      const texts: string[] = [];
      const owners: Omit<NewsChunk, "vector">[] = [];
      for (const row of readJsonLines(`${folder}/news/${name}.jsonl`)) {
        if (chunks.length + texts.length >= count) break;
        const title = String(row.title ?? "");
        const body = String(row.text ?? "").replace(/\s+/g, " ");
        articleId++;
        if (articleId % 50 === 0 && title.length > 20) titles.push(title);
        for (const { text } of chunkText(title, body, { maxWords: MAX_WORDS })) {
          texts.push(text);
          owners.push({ articleId, lang, sourceId: String(row.source ?? name) });
        }
      }
      const vectors = await embedAll(embedder, texts, "passage");
      for (const [i, owner] of owners.entries()) chunks.push({ ...owner, vector: vectors[i] ?? new Float32Array() });
    }
    return { modelId, dims, chunks: chunks.slice(0, count), titles: await embedAll(embedder, titles, "query") };
  } finally {
    await embedder.close();
  }
}

async function embedAll(embedder: Embedder, texts: string[], kind: "query" | "passage"): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let i = 0; i < texts.length; i += VECTOR_BATCH) {
    vectors.push(...(await embedder.embed(texts.slice(i, i + VECTOR_BATCH), kind)));
  }
  return vectors;
}
