import type { ArticleField, VersionedArticle } from "@isnad/lib/store";

/** Versions of articles by id, undefined where none is known. */
type Versions = ReadonlyMap<number, string | undefined>;

/** Reads what the store has of these articles, without what is known. */
type Ask<F extends ArticleField> = (known: Versions) => Promise<VersionedArticle<F>[]>;

/**
 * Asks with one statement at a time: what is asked meanwhile goes together in the next one, so that searches side by
 * side cost the database and its driver less. Nothing waits while no statement is under way; when one fails, what waits
 * for it fails with it, so that nobody waits for a second one in vain.
 */
export function askedTogether<F extends ArticleField>(ask: Ask<F>): Ask<F> {
  let waiting: (PromiseWithResolvers<VersionedArticle<F>[]> & { known: Versions })[] = [];
  let isAsking = false;
  const askAll = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      try {
        const stored = await ask(merged(asked.map(({ known }) => known)));
        for (const { known, resolve } of asked) resolve(stored.filter(({ articleId }) => known.has(articleId)));
      } catch (error) {
        for (const { reject } of [...asked, ...waiting.splice(0)]) reject(error);
      }
    }
    isAsking = false;
  };
  return (known) => {
    const answer = Promise.withResolvers<VersionedArticle<F>[]>();
    waiting.push({ known, ...answer });
    if (!isAsking) void askAll();
    return answer.promise;
  };
}

/** All of them; where two know different versions of an article, none is known. */
function merged([first = new Map(), ...others]: readonly Versions[]): Versions {
  if (others.length === 0) return first;
  const all = new Map(first);
  for (const known of others) {
    for (const [id, version] of known) all.set(id, !all.has(id) || all.get(id) === version ? version : undefined);
  }
  return all;
}
