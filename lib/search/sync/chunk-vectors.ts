import type { Embedder } from "../../models/mod.ts";
import { mapInSlices } from "../../std/mod.ts";
import type { Article, IndexedArticle } from "../../store/mod.ts";
import { chunkText } from "../../text/mod.ts";

/** Few enough that several callers fit into the embedder's queue, many enough to keep it busy. */
const TEXTS_A_CALL = 512;

/** What is needed of an article to cut and embed it. */
export type TextRow = Pick<Article, "articleId" | "title" | "content" | "lang">;

/** An article that could not be worked on. */
export type Broken = { articleId: number; error: unknown };

/** Articles cut into passages whose texts wait for their vectors. */
export type Passages = {
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
