import type { Embedder } from "../../models/mod.ts";
import { mapInSlices } from "../../std/mod.ts";
import type { Article, IndexedArticle, Store } from "../../store/mod.ts";
import { chunkText } from "../../text/mod.ts";

/** Few enough that several callers fit into the embedder's queue, many enough to keep it busy. */
const TEXTS_A_CALL = 512;

/** Holds what is needed of an article to cut and embed it. */
type TextRow = Pick<Article, "articleId" | "title" | "content" | "lang">;

/** An article that could not be worked on. */
type Broken = { articleId: number; error: unknown };

/** Articles cut into passages whose texts wait for their vectors. */
type Passages = {
  articles: { articleId: number; passages: { no: number; start: number; end: number; text: string }[] }[];
  broken: Broken[];
};

/** Cuts each article into passages; one that cannot be cut is set apart. */
export async function cutPassages(rows: readonly TextRow[]): Promise<Passages> {
  const broken: Broken[] = [];
  const cut = await mapInSlices(rows, ({ articleId, title, content }) => {
    try {
      return [{ articleId, passages: chunkText(title, content) }];
    } catch (error) {
      broken.push({ articleId, error });
      return [];
    }
  });
  return { articles: cut.flat(), broken };
}

/** Embeds all passages of the articles. Rejects as the embedder does. */
export async function embedPassages(
  embedder: Pick<Embedder, "embed">,
  articles: Passages["articles"],
  signal?: AbortSignal,
): Promise<IndexedArticle[]> {
  const texts = articles.flatMap(({ passages }) => passages.map(({ text }) => text));
  const vectors: Float32Array[] = [];
  for (let i = 0; i < texts.length; i += TEXTS_A_CALL) {
    vectors.push(...(await embedder.embed(texts.slice(i, i + TEXTS_A_CALL), "passage", signal)));
  }
  let next = 0;
  return articles.map(({ articleId, passages }) => ({
    articleId,
    chunks: passages.map(({ no, start, end }) => {
      const vector = vectors[next++];
      if (vector === undefined)
        throw new Error(`the embedder returned ${vectors.length} vectors for ${texts.length} texts`);
      return { no, start, end, vector };
    }),
  }));
}

/** Holds what a re-embedding works on, and how it is watched and stopped. */
type ReembedOptions = {
  store: Pick<Store, "articles" | "chunks" | "indexing">;
  embedder: Pick<Embedder, "embed" | "modelId">;
  signal?: AbortSignal;
  onProgress?(embedded: number): void;
  /** Articles embedded at a time (100). */
  batch?: number;
};

/**
 * Gives every indexed article that has no passages of the embedder's model these passages. What other models made
 * stays, so that searches go on with the old model meanwhile. May be cut short at any moment: the next run does what is
 * left. Returns the number of articles embedded and those that could not be. Rejects with the signal's reason, or as
 * the embedder does.
 */
export async function reembed(options: ReembedOptions): Promise<{ embedded: number; broken: Broken[] }> {
  const { store, embedder, signal, onProgress, batch = 100 } = options;
  const broken: Broken[] = [];
  let embedded = 0;
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const ids = await store.chunks.lacking(embedder.modelId, { afterId: after, limit: batch });
    const last = ids.at(-1);
    if (last === undefined) return { embedded, broken };
    const done = await embedMissing(options, ids);
    broken.push(...done.broken);
    embedded += done.embedded;
    onProgress?.(embedded);
    after = last;
  }
}

/** Embeds these articles, whatever passages they have. */
export async function embedMissing(
  { store, embedder, signal }: Pick<ReembedOptions, "store" | "embedder" | "signal">,
  ids: readonly number[],
): Promise<{ embedded: number; broken: Broken[] }> {
  if (ids.length === 0) return { embedded: 0, broken: [] };
  const rows = await store.articles.byIds(ids, ["articleId", "title", "content", "lang"]);
  const { articles, broken } = await cutPassages(rows);
  const indexed = await embedPassages(embedder, articles, signal);
  const updated = await store.indexing.commit(indexed, { modelId: embedder.modelId });
  return { embedded: updated.length, broken };
}
