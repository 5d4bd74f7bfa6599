import { DEFAULT_MIN_SIMILARITY, filtersOf, SavedQuery } from "../../contract/mod.ts";
import type { WatchedSearch } from "../../store/mod.ts";
import { isUnfiltered, matchesFilters } from "../filters.ts";
import { type QueryNode, readQuery } from "../query-language/parse.ts";
import type { WatchedArticle } from "./article.ts";
import { conditionOf, type ConditionParts, oneWordOf, rarestOf } from "./condition.ts";

/** A saved search, ready to be matched. */
export type CompiledSearch = {
  searchId: number;
  changeNo: number;
  /** Terms of which an article that matches by word holds one; undefined: it may hold any. */
  anchors: readonly string[] | undefined;
  /** Tells whether an article matches by word, or by what else the search says where it names no words. */
  byWord(article: WatchedArticle): boolean;
  /** Tells whether an article may match by meaning, if it is near enough. */
  mayBeNear(article: WatchedArticle): boolean;
  /** The text that is searched by meaning; undefined where the search does not ask for that. */
  meaning: string | undefined;
  minSimilarity: number;
  /** The entities that it asks for. */
  entities: readonly string[];
  /** It asks for what is known of an article only some time after this has become searchable. */
  isLate: boolean;
};

/** Begins the anchors that are values of filters: no term begins with it. */
const VALUE = "\0";

/** The filters whose values are anchors, by how few articles share one. */
const ANCHORED = ["source", "category", "source_tier", "lang"] as const;

/** Returns the anchors that an article has by what filters look at. */
export function valueAnchors({ sourceId, categoryId, tier, lang }: WatchedArticle): string[] {
  const values = { source: sourceId, category: categoryId, source_tier: tier, lang };
  return ANCHORED.flatMap((name) => {
    const value = values[name] ?? null;
    return value === null ? [] : [`${VALUE}${name}${VALUE}${value}`];
  });
}

const HAS_WORD = /[\p{L}\p{N}]/u;

/** Makes a saved search ready. @throws ZodError for a query that this version does not know */
export function compileSearch(saved: WatchedSearch, parts: ConditionParts): CompiledSearch {
  const query = SavedQuery.parse(saved.query);
  const read = readQuery(query.q ?? "", query.match);
  const filters = filtersOf(query);
  const unfiltered = isUnfiltered(filters);
  const passes = (article: WatchedArticle): boolean =>
    (unfiltered || matchesFilters(article, filters)) &&
    (query.claims === undefined || article.refuted) &&
    (query.entity === undefined || article.entityIds.has(parts.entityId(query.entity) ?? 0));
  const entities = [...(query.entity === undefined ? [] : [query.entity]), ...entitiesIn(read.condition)];
  const condition = read.condition && conditionOf(read.condition, parts);
  const required = read.required && conditionOf(read.required, parts);
  const hasWords = HAS_WORD.test(read.text);
  const words = hasWords ? oneWordOf(read.text, parts) : undefined;
  const named = ANCHORED.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [[`${VALUE}${name}${VALUE}${value}`]];
  });
  return {
    searchId: saved.searchId,
    changeNo: saved.changeNo,
    anchors: rarestOf([condition?.anchors, words?.anchors], parts.rarity) ?? named[0],
    byWord: (article) =>
      (query.mode !== "vector" || !hasWords) &&
      passes(article) &&
      (condition?.holds(article) ?? true) &&
      (words?.holds(article) ?? true),
    mayBeNear: (article) => passes(article) && (required?.holds(article) ?? true),
    meaning: hasWords && query.mode !== "bm25" ? read.text : undefined,
    minSimilarity: saved.minSimilarity ?? DEFAULT_MIN_SIMILARITY,
    entities,
    isLate: entities.length > 0 || query.claims !== undefined,
  };
}

/** Tells whether a saved query asks for an entity. */
export function asksForEntities(query: SavedQuery): boolean {
  return query.entity !== undefined || entitiesIn(readQuery(query.q ?? "", query.match).condition).length > 0;
}

function entitiesIn(node: QueryNode | undefined): string[] {
  if (node === undefined) return [];
  if (node.is === "field") return node.field === "entity" ? [node.text] : [];
  if (node.is === "not") return entitiesIn(node.of);
  return node.is === "all" || node.is === "any" ? node.of.flatMap(entitiesIn) : [];
}
