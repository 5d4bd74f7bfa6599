import { BoundedMap, emptiedAtRest } from "@isnad/lib/std";
import { type Article, isUnavailable, type Store } from "@isnad/lib/store";

/** Measures the parts of a run in whole milliseconds. */
export class Times {
  #ms: Record<string, number> = {};

  /** Runs the work and adds the time it took to the part's. */
  async of<T>(part: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const name = `${part}_ms`;
      this.#ms[name] = (this.#ms[name] ?? 0) + Math.round(performance.now() - startedAt);
    }
  }

  /** Returns the milliseconds by `<part>_ms`. */
  all(): Record<string, number> {
    return { ...this.#ms };
  }
}

/** Codes of a disk that is full, read-only or failing. */
const DISK: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);

/** Returns whether an error says that what every article needs is away, so that no article is to blame. */
export function isAway(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  return error instanceof Error && "code" in error && DISK.has(error.code);
}

/** Holds what an article says. It never changes once the article is admitted. */
export type ArticleText = Pick<Article, "articleId" | "title" | "content">;

/**
 * The texts of articles on their way through the jobs: each is read from the database once, not by every step again.
 */
export type ArticleTexts = {
  /** Keeps texts that were read with other fields. */
  keep(rows: readonly ArticleText[]): void;
  /** The texts of these articles, in their order; ids without an article are left out. */
  of(ids: readonly number[]): Promise<ArticleText[]>;
};

/**
 * Texts kept at a time, in UTF-16 units: some thousand articles, as many as are between two steps while nothing is held
 * up.
 */
const MAX_UNITS = 8_000_000;

/** Makes a cache of article texts over the store. */
export function articleTexts(store: Pick<Store, "articles">, { maxUnits = MAX_UNITS } = {}): ArticleTexts {
  const kept = new BoundedMap<number, ArticleText>(maxUnits, {
    weigh: ({ title, content }) => title.length + content.length,
  });
  emptiedAtRest(kept);
  const keep = (rows: readonly ArticleText[]): void => {
    for (const { articleId, title, content } of rows) kept.set(articleId, { articleId, title, content });
  };
  return {
    keep,
    async of(ids) {
      const texts = new Map(ids.map((id) => [id, kept.get(id)]));
      const missing = ids.filter((id) => texts.get(id) === undefined);
      if (missing.length > 0) {
        const rows = await store.articles.byIds(missing, ["articleId", "title", "content"]);
        keep(rows);
        for (const row of rows) texts.set(row.articleId, row);
      }
      return ids.flatMap((id) => texts.get(id) ?? []);
    },
  };
}
