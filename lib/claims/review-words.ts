import type { KeywordIndex, KeywordLogger } from "../search/mod.ts";
import { openKeywordIndex } from "../search/mod.ts";
import type { ClaimPosition, Store } from "../store/mod.ts";

/** Reviews of a page. */
const PAGE = 1_000;

/** A review that holds words of a text, with its score: higher for better. */
export type WordHit = { reviewId: number; score: number };

/** Finds reviews by the words of the claims that they are of. */
export type ReviewWords = {
  /** Reads what is new, up to a position at least. Calls side by side share one reading. */
  sync(position: ClaimPosition): Promise<void>;
  search(text: string, limit: number): Promise<WordHit[]>;
  close(): Promise<void>;
};

/**
 * Opens the keyword index of reviews: one as that of articles, in a thread and a folder of its own, which follows the
 * table of reviews. The snapshot in the folder makes a start quicker; where the database has become another one, it is
 * made again.
 */
export async function openReviewWords({
  store,
  dir,
  logger,
}: {
  store: { reviews: Pick<Store["reviews"], "since"> };
  dir: string;
  logger?: KeywordLogger | undefined;
}): Promise<ReviewWords> {
  const index = await openKeywordIndex({ dir, ...(logger !== undefined && { logger }) });
  let reading: Promise<ClaimPosition> | undefined;
  let current: ClaimPosition | undefined;
  return {
    async sync(position) {
      while (current?.epoch !== position.epoch || current.reviews < position.reviews) {
        reading ??= follow(index, store, position).finally(() => {
          reading = undefined;
        });
        current = await reading;
      }
    },
    async search(text, limit) {
      // In a longer text quotes and dashes are punctuation; in a claim they always are.
      const plain = text.replace(/["“”«»-]/gu, " ").trim();
      if (plain === "") return [];
      const { hits } = await index.search({ text: plain, limit, fields: { content: 1 } });
      return hits.map(({ articleId, score }) => ({ reviewId: articleId, score }));
    },
    async close() {
      await index.save().catch(() => {});
      await index.close();
    },
  };
}

/** Reads what is new up to a position, and returns it with the number of the newest review that was read. */
async function follow(
  index: KeywordIndex,
  store: { reviews: Pick<Store["reviews"], "since"> },
  target: ClaimPosition,
): Promise<ClaimPosition> {
  const position = await index.position();
  const isAnother = position === undefined || (position.seq > 0 && position.mark !== target.epoch);
  if (isAnother) await index.reset();
  let seq = isAnother ? 0 : position.seq;
  for (;;) {
    const reviews = await store.reviews.since({ after: seq, limit: PAGE });
    const gone = reviews.flatMap(({ reviewId, text }) => (text === undefined ? [reviewId] : []));
    const docs = reviews.flatMap(({ reviewId, text, lang }) =>
      text === undefined ? [] : [{ articleId: reviewId, sourceId: "", title: "", content: text, tier: 3, lang }],
    );
    if (gone.length > 0) await index.remove(gone);
    if (docs.length > 0) await index.upsert(docs);
    const last = reviews.at(-1);
    if (last !== undefined) {
      seq = last.seq;
      await index.advance({ seq, mark: target.epoch });
    }
    if (reviews.length < PAGE) break;
  }
  if (!(await index.status()).complete) await index.complete();
  return { ...target, reviews: Math.max(seq, target.reviews) };
}
