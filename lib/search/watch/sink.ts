import { follow, type Follower, type FollowLogger, type Sink } from "../../projection/mod.ts";
import {
  articleIdOfKey,
  articleKey,
  LOG_START,
  type LogPosition,
  type NewMatch,
  type SearchesVersion,
  type SearchVector,
  type Store,
  type WatchedSearch,
} from "../../store/mod.ts";
import { createSlicer } from "../../std/pacing.ts";
import { ARTICLE_FIELDS } from "../filters.ts";
import { Spellings, type WatchedArticle, wordsOfArticle } from "./across.ts";
import type { ConditionParts } from "./condition.ts";
import { type CompiledSearch, compileSearch, SearchIndex, TermCounts } from "./index.ts";

export { asksForEntities } from "./index.ts";

/** Changes of the log that are matched in one batch. */
const CHANGES_AT_A_TIME = 64;

/** Names the follower that matches saved searches. */
const WATCH_NAME = "searches";

/** Matches what becomes searchable with the saved searches until it is closed; of several processes one does. */
export function followSearches({
  owner,
  pollMs,
  ...options
}: WatchOptions & { store: Pick<Store, "followers">; owner: string; pollMs?: number | undefined }): Follower {
  const { store, logger } = options;
  const sink = watchSink(options);
  return follow({
    ...{ name: WATCH_NAME, store, sink, logger, batch: CHANGES_AT_A_TIME, owner },
    ...(pollMs !== undefined && { pollMs }),
  });
}

/** The model of meaning: what it makes of passages is stored with articles. */
export type WatchModel = {
  modelId: string;
  dims: number;
  /**
   * Returns the vectors of texts that are searched for. `whole`: as the search service has them, with their words in
   * the other language; not where that service is away.
   */
  vectorsOf(texts: readonly string[]): Promise<{ vectors: readonly Float32Array[]; whole: boolean }>;
};

/** The parts that matching stands on. */
type WatchOptions = {
  store: Pick<Store, "articles" | "chunks" | "log" | "sources" | "searches">;
  /** Without one searches match by word alone. */
  model: WatchModel | undefined;
  logger: FollowLogger;
  /** Called with how many matches were stored, and how many of them a webhook is to be told of. */
  onMatches?(counts: { matches: number; told: number }): void;
  tiersMs?: number;
};

/** Time until the sources' tiers are read again, and until vectors are asked for again, in milliseconds. */
const TIERS_MS = 30_000;
const AGAIN_MS = 60_000;

/** Articles looked at again in a step. */
const RECHECKED = 64;

/** So many articles must have been seen before terms are known as rare or frequent; then at each doubling. */
const FIRST_COUNTED = 256;
const LAST_COUNTED = 4_096;

/** Texts whose vectors are asked for at a time. */
const TEXTS = 64;

const FIELDS = ["articleId", "docId", ...ARTICLE_FIELDS, "title", "content", "authors", "state"] as const;

type Sources = ReadonlyMap<string, number>;

/** `refuted`: those of the articles that make a refuted claim; `to`: up to where the log is followed then. */
type MatchOptions = { known?: boolean; refuted?: ReadonlySet<number>; to?: LogPosition | undefined };

const NONE: ReadonlySet<number> = new Set();

/**
 * Matches the articles that become searchable with the saved searches. The matches of some changes and the position
 * after them are stored at once, so that each match is stored once, whenever a process ends.
 */
function watchSink(options: WatchOptions): Sink {
  const { store, model, logger, onMatches, tiersMs = TIERS_MS } = options;
  const counts = new TermCounts();
  const spellings = new Spellings(counts.of);
  let index = new SearchIndex(model?.dims ?? 0, spellings);
  let counted = FIRST_COUNTED;
  let version: SearchesVersion = { changeNo: 0, searches: 0 };
  const saved = new Map<number, WatchedSearch>();
  const vectors = new Map<number, SearchVector>();
  let vectorsRead = false;
  let position: LogPosition | undefined;
  let tiers: Sources = new Map();
  let tiersAt = Number.NEGATIVE_INFINITY;
  let againAt = 0;
  let entityIds = new Map<string, number>();
  const parts: ConditionParts = {
    entityId: (name) => entityIds.get(name),
    rarity: counts.of,
    spellings,
  };

  /** Reads what was changed of the searches. */
  async function refresh(): Promise<void> {
    if (!vectorsRead && model !== undefined) {
      for (const vector of await store.searches.vectors(model.modelId)) vectors.set(vector.searchId, vector);
      vectorsRead = true;
    }
    const current = await store.searches.version();
    if (current.changeNo !== version.changeNo || current.searches !== version.searches) {
      const since = await store.searches.since(version.changeNo);
      const present = new Set(since.ids);
      for (const searchId of saved.keys()) if (!present.has(searchId)) forget(searchId);
      const due = createSlicer();
      for (const search of since.changed) {
        const turn = due();
        if (turn !== undefined) await turn;
        const before = saved.get(search.searchId);
        if (before !== undefined && meaningOf(search) !== meaningOf(before)) vectors.delete(search.searchId);
        saved.set(search.searchId, search);
        hold(search);
      }
      ({ version } = since);
    }
    await embedMissing();
  }

  function forget(searchId: number): void {
    saved.delete(searchId);
    vectors.delete(searchId);
    index.remove(searchId);
  }

  /** Holds a search that is not paused. */
  function hold(search: WatchedSearch): void {
    index.remove(search.searchId);
    if (!search.active) return;
    try {
      const compiled = compileSearch(search, parts);
      index.set(compiled, vectors.get(search.searchId)?.vector);
    } catch (error) {
      logger.warn({ err: error, search: search.searchId }, "a saved search cannot be read, and matches nothing");
    }
  }

  /** Makes the vectors of searches by meaning that have none. */
  async function embedMissing(): Promise<void> {
    if (model === undefined) return;
    const again = performance.now() > againAt;
    const missing: CompiledSearch[] = [];
    for (const searchId of index.ids()) {
      const search = index.get(searchId);
      if (search?.meaning === undefined) continue;
      const vector = vectors.get(searchId);
      if (vector === undefined || (again && !vector.whole)) missing.push(search);
    }
    if (again) againAt = performance.now() + AGAIN_MS;
    for (let from = 0; from < missing.length; from += TEXTS) {
      const page = missing.slice(from, from + TEXTS);
      const made = await model.vectorsOf(page.map(({ meaning = "" }) => meaning));
      const stored = page.flatMap(({ searchId }, i): SearchVector[] => {
        const vector = made.vectors[i];
        return vector === undefined ? [] : [{ searchId, vector, whole: made.whole }];
      });
      await store.searches.putVectors(model.modelId, stored);
      for (const vector of stored) {
        vectors.set(vector.searchId, vector);
        const search = saved.get(vector.searchId);
        if (search !== undefined) hold(search);
      }
    }
  }

  /** Chooses the anchors again once more is known of how rare terms are. */
  async function reanchor(): Promise<void> {
    if (counts.articles < counted || counted > LAST_COUNTED) return;
    counted *= 2;
    index = new SearchIndex(model?.dims ?? 0, spellings);
    const due = createSlicer();
    for (const search of saved.values()) {
      const turn = due();
      if (turn !== undefined) await turn;
      hold(search);
    }
  }

  async function refreshTiers(): Promise<void> {
    if (performance.now() - tiersAt < tiersMs) return;
    tiers = new Map((await store.sources.list()).map(({ key, tier }) => [key, tier]));
    tiersAt = performance.now();
  }

  /** Matches articles, by their numbers. */
  async function matchesOf(
    articleIds: readonly number[],
    { known, refuted }: { known: boolean; refuted: ReadonlySet<number> },
  ): Promise<NewMatch[]> {
    if (index.size === 0 || articleIds.length === 0) return [];
    await refreshTiers();
    const [rows, chunks, entities] = await Promise.all([
      store.articles.byIds(articleIds, FIELDS),
      model === undefined ? [] : store.chunks.ofArticles(model.modelId, articleIds),
      known ? store.searches.entitiesOf(articleIds) : new Map<number, Set<number>>(),
    ]);
    const vectorsOf = Map.groupBy(chunks, ({ key }) => articleIdOfKey(key));
    const matches: NewMatch[] = [];
    const due = createSlicer();
    // In the order in which they became searchable.
    const places = new Map(articleIds.map((articleId, place) => [articleId, place]));
    rows.sort((a, b) => (places.get(a.articleId) ?? 0) - (places.get(b.articleId) ?? 0));
    for (const { title, content, state, ...row } of rows) {
      if (state !== "indexed") continue;
      const turn = due();
      if (turn !== undefined) await turn;
      const { articleId } = row;
      if (!tiers.has(row.sourceId)) tiersAt = Number.NEGATIVE_INFINITY;
      const article: WatchedArticle = {
        ...row,
        ...wordsOfArticle({ title, content }),
        tier: tiers.get(row.sourceId) ?? 3,
        entityIds: entities.get(articleId) ?? new Set(),
        refuted: refuted.has(articleId),
      };
      if (!known) counts.add(article.terms.keys());
      const passages = (vectorsOf.get(articleId) ?? []).map(({ vector }) => vector);
      matches.push(...index.matches(article, passages, { known }));
    }
    return matches;
  }

  /** Matches articles and stores what comes of it, again where a search was changed meanwhile. */
  async function match(
    articleIds: readonly number[],
    { known = false, refuted = NONE, to }: MatchOptions = {},
  ): Promise<void> {
    for (;;) {
      await refresh();
      const matches = await matchesOf(articleIds, { known, refuted });
      const step = to === undefined || position === undefined ? undefined : { from: position, to };
      const outcome = await store.searches.putMatches({ matches, version, step });
      if (outcome.state === "overtaken") throw new Error("another process has matched these articles");
      if (outcome.state === "changed") continue;
      position = to ?? position;
      if (outcome.matches > 0) onMatches?.(outcome);
      await reanchor();
      return;
    }
  }

  return {
    async position() {
      position = await store.searches.position();
      if (position === undefined) {
        // There were no searches before.
        position = await store.log.head();
        await store.searches.setPosition(position);
      }
      return position;
    },
    async apply(entries, to) {
      const last = new Map(entries.map((entry) => [entry.key, entry]));
      const present = [...last.values()].filter(({ deleted }) => !deleted).map(({ articleId }) => articleId);
      await match([...new Set(present)], { to });
    },
    complete: async () => {},
    async reset() {
      await store.searches.setPosition(LOG_START);
    },
    async keys(after, limit) {
      const rows = await store.searches.watched(articleIdOfKey(after), limit + 1);
      const keys = rows.map(({ articleId, docId }) => articleKey(articleId, docId));
      return keys.filter((key) => key > after).slice(0, limit);
    },
    async idle() {
      await refresh();
      for (;;) {
        const rechecks = await store.searches.rechecks(RECHECKED);
        if (rechecks.length === 0) return;
        const asked = [...index.ids()].flatMap((searchId) => index.get(searchId)?.entities ?? []);
        entityIds = await store.searches.entityIds([...new Set(asked)]);
        const refuted = new Set(rechecks.flatMap(({ articleId, refuted }) => (refuted ? [articleId] : [])));
        await match([...new Set(rechecks.map(({ articleId }) => articleId))], { known: true, refuted });
        await store.searches.endRechecks(rechecks);
      }
    },
  };
}

function meaningOf({ query }: WatchedSearch): string {
  return JSON.stringify([query.q, query.match]);
}
