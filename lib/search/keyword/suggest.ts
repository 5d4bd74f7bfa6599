import { at } from "../../std/mod.ts";
import { postingsOf, TITLE_SHIFT } from "./postings.ts";
import type { Projection } from "./projection.ts";
import { readQuery } from "./reading.ts";
import { search } from "./search.ts";
import type { KeywordSuggestions, SuggestQuery } from "./types.ts";
import type { TermNumbers } from "./words.ts";

/** Only titles are looked at: what they say is what somebody can ask for. */
const FIELDS = { title: 1, content: 0 };

/**
 * Returns what somebody who has typed so far may be after: articles whose titles hold these words, the last of them
 * begun, and words that the last one may become beside the others, with an article that has each in its title.
 */
export function suggest(projection: Projection, numbers: TermNumbers, { q, limit }: SuggestQuery): KeywordSuggestions {
  const query = { text: q, typos: "auto", prefix: true } as const;
  const { articleIds } = search(projection, numbers, { ...query, fields: FIELDS, limit });
  const { guessed } = readQuery(query, projection, numbers);
  const begun = guessed.find(({ forms }) => forms !== undefined)?.guesses ?? [];
  const words = begun.slice(0, limit).flatMap(({ text, stem }) => {
    const articleId = newestTitled(projection, stem);
    return articleId === undefined ? [] : [{ form: text, articleId, count: at(projection.documents, stem) }];
  });
  return { titles: Array.from(articleIds, (articleId) => ({ articleId })), words };
}

/** Returns the article with the largest id among those that have a term in their title. */
function newestTitled({ segments }: Projection, term: number): number | undefined {
  let newest: number | undefined;
  for (const segment of segments) {
    const { from, to } = postingsOf(segment, term);
    for (let i = from; i < to; i++) {
      const doc = segment.docs[i] ?? 0;
      if ((segment.freqs[i] ?? 0) >> TITLE_SHIFT === 0 || segment.live[doc] === 0) continue;
      const id = at(segment.forward.ids, doc);
      if (newest === undefined || id > newest) newest = id;
    }
  }
  return newest;
}
