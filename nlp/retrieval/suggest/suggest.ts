import type { SuggestParams, Suggestion } from "@isnad/lib/contract";
import { analyse, wordTerms } from "@isnad/lib/text";
import type { RetrievalDeps } from "../deps.ts";
import { articleIdOfKey, articleKey } from "@isnad/lib/store";
import type { EntityNames } from "./entity-names.ts";

/** Shares of the suggestions that entities and words have, while there are titles for the rest. */
const ENTITY_SHARE = 0.4;
const WORD_SHARE = 0.3;

/** The parts of the service that suggestions come from. */
export type SuggestDeps = Pick<RetrievalDeps, "keyword"> & {
  store: { articles: Pick<RetrievalDeps["store"]["articles"], "byIds"> };
  names: EntityNames;
};

/**
 * Suggests what somebody who has typed `q` may be after: entities that are named most, words that the last one may
 * become, and titles. Each text stands once, written as an article writes it.
 */
export async function suggest(
  { keyword, store, names }: SuggestDeps,
  { q, limit }: SuggestParams,
): Promise<Suggestion[]> {
  const [{ titles, words }, entities] = await Promise.all([keyword.suggest({ q, limit }), names.beginning(q, limit)]);
  const ids = [...titles, ...words].map(({ articleId }) => articleIdOfKey(articleId));
  const rows = ids.length === 0 ? [] : await store.articles.byIds([...new Set(ids)], ["articleId", "docId", "title"]);
  const byKey = new Map(rows.map((row) => [articleKey(row.articleId, row.docId), row]));
  const begun = /\S*$/.exec(q.trimEnd())?.[0] ?? "";
  const before = q.trimEnd().slice(0, q.trimEnd().length - begun.length);
  const asEntities = entities.map(({ name, entityId, articles }): Suggestion => {
    return { text: name, kind: "entity", entity_id: entityId, count: articles };
  });
  const asWords = words.map(({ form, articleId, count }): Suggestion => {
    return { text: before + writtenAs(form, byKey.get(articleId)?.title), kind: "word", count };
  });
  const asTitles = titles.flatMap(({ articleId }): Suggestion[] => {
    const row = byKey.get(articleId);
    return row === undefined ? [] : [{ text: row.title, kind: "title", article_id: row.articleId, count: 1 }];
  });
  return once(shared({ asEntities, asWords, asTitles }, limit));
}

/** Returns a form as the title of an article writes it; as it is where that one is gone. */
function writtenAs(form: string, title: string | undefined): string {
  const stem = wordTerms(form).stems[0];
  const tokens = title === undefined ? [] : analyse(title);
  const token = tokens.find(({ terms }) => terms.form === form) ?? tokens.find(({ terms }) => terms.stems[0] === stem);
  return token?.text ?? form;
}

function shared(
  kinds: Readonly<Record<"asEntities" | "asWords" | "asTitles", readonly Suggestion[]>>,
  limit: number,
): Suggestion[] {
  const { asEntities, asWords, asTitles } = kinds;
  const entities = asEntities.slice(0, Math.max(1, Math.round(limit * ENTITY_SHARE)));
  const words = asWords.slice(0, Math.max(1, Math.round(limit * WORD_SHARE)));
  const titles = asTitles.slice(0, Math.max(0, limit - entities.length - words.length));
  const rest = [...asEntities.slice(entities.length), ...asWords.slice(words.length), ...asTitles.slice(titles.length)];
  return [...entities, ...words, ...titles, ...rest].slice(0, limit);
}

function once(suggestions: readonly Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return suggestions.filter(({ text }) => {
    const key = text.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
