import { createEmbedder, type Embedder, openRegistry } from "@isnad/lib/models";
import { chunkText } from "@isnad/lib/text";
import { readJsonLines } from "../../eval/retrieval-sets.ts";

/** A passage of an article with its vector, and where the article stands. */
export type NewsChunk = { articleId: number; vector: Float32Array; lang: string; sourceId: string };

/** Vectors of real news: passages of articles, and titles as what is asked. */
export type NewsVectors = { modelId: string; dims: number; chunks: NewsChunk[]; titles: Float32Array[] };

const FILES = [
  { name: "ant_v2_ar", lang: "ar" },
  { name: "english", lang: "en" },
  { name: "ant_v1_ar", lang: "ar" },
] as const;

/** Short passages, so that the articles at hand give enough of them. */
const MAX_WORDS = 120;
const BATCH = 256;

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
  for (let i = 0; i < texts.length; i += BATCH) {
    vectors.push(...(await embedder.embed(texts.slice(i, i + BATCH), kind)));
  }
  return vectors;
}
