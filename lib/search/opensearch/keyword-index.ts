import { z } from "zod";
import { mapInSlices } from "../../std/mod.ts";
import { EngineSettingError } from "../engines/error.ts";
import { asKeywordError } from "../engines/keyword-error.ts";
import { KeywordIndexError, type KeywordIndex, type KeywordStatus } from "../keyword/types.ts";
import { bulk, type Change } from "./bulk.ts";
import type { OpenSearch } from "./client.ts";
import { keywordSource } from "./document.ts";
import {
  createBeside,
  createFirst,
  type CurrentIndex,
  currentIndex,
  deleteIndex,
  noteInMapping,
  refresh,
  swapTo,
} from "./indices.ts";
import { KEYWORD_VERSION, keywordIndexBody } from "./mapping.ts";
import { Refresher } from "./refresher.ts";
import { KeywordSearch } from "./search.ts";

/** What an index in a cluster needs of the platform. */
export type OpenSearchKeywordOptions = {
  search: OpenSearch;
  /** The alias under which the index is reached. */
  alias: string;
  /**
   * Writing, the index is made when there is none. One of another analyser is an error, unless it is opened to
   * `rebuild` it.
   */
  mode: "read" | "write" | "rebuild";
  /** Which database it is filled from, and a number of it that never falls; the versions of documents. */
  head(): Promise<{ database: string; seq: number }>;
  /** The tier of every source. */
  tiers(): Promise<ReadonlyMap<string, number>>;
};

/** How long it is taken for granted that the index is the one it was, in milliseconds. */
const KNOWN_MS = 5_000;

const Ids = z.object({ hits: z.object({ hits: z.array(z.object({ sort: z.tuple([z.number()]) })) }) });
const Found = z.object({ docs: z.array(z.object({ _id: z.string(), found: z.boolean().optional() })) });

/** Opens the index of articles by word in an OpenSearch cluster. Rejects with {@link EngineSettingError}. */
export async function openSearchKeyword(options: OpenSearchKeywordOptions): Promise<KeywordIndex> {
  const { search, alias, mode, head } = options;
  const found = await currentIndex(search, alias);
  let fresh = false;
  if (found === undefined && mode !== "read") {
    const { database } = await head();
    fresh = await createFirst(search, alias, keywordIndexBody(search.server, database));
  }
  if (found !== undefined && mode !== "rebuild") assertOurs(search, found);
  return keywordIndex(options, { name: alias, isAlias: true }, fresh);
}

function assertOurs({ server }: OpenSearch, { name, meta }: CurrentIndex): void {
  if (meta.version === KEYWORD_VERSION) return;
  throw new EngineSettingError(
    `KEYWORD_ENGINE: the index ${name} at ${server.urls.join(", ")} is of another analyser (${String(meta.version)}, ` +
      `not ${KEYWORD_VERSION}); \`bun run search:reindex --keyword\` makes it anew beside the old one`,
  );
}

/** The index under a name; only what is reached by the alias is looked after. */
function keywordIndex(
  options: OpenSearchKeywordOptions,
  { name, isAlias }: { name: string; isAlias: boolean },
  fresh: boolean,
): KeywordIndex {
  const { search, alias, head, tiers } = options;
  const searcher = new KeywordSearch({ search, index: name, tiers });
  const refresher = new Refresher((timeoutMs) => refresh(search, name, { timeoutMs, retries: 0 }));
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Makes changes, which searches see soon; one that is filled beside another is refreshed when it is whole. */
  async function change(changes: readonly Change[]): Promise<void> {
    try {
      await bulk(search, { index: name, isAlias }, changes);
    } finally {
      if (isAlias) refresher.due();
    }
  }

  /** Rejects when the index is not the one that this code writes and reads. */
  async function assertUsable(): Promise<void> {
    if (!isAlias || performance.now() - checkedAt < KNOWN_MS) return;
    const found = await currentIndex(search, name);
    if (found === undefined) throw new KeywordIndexError("missing", `keyword index: there is no ${name}`);
    if (found.meta.version !== KEYWORD_VERSION) {
      throw new KeywordIndexError("other-version", `keyword index: ${found.name} is of another version`);
    }
    checkedAt = performance.now();
  }

  /** Does the work if the index can be used; what only reads is done while that is looked up. */
  async function attempt<T>(work: () => Promise<T>, { reads = false }: { reads?: boolean } = {}): Promise<T> {
    try {
      const usable = assertUsable();
      const done = reads ? work() : usable.then(work);
      // An index that cannot be used says so itself, below.
      done.catch(() => undefined);
      await usable;
      return await done;
    } catch (error) {
      checkedAt = Number.NEGATIVE_INFINITY;
      throw asKeywordError(error);
    }
  }

  async function status(): Promise<KeywordStatus> {
    try {
      return await attempt(async () => {
        const meta = (await currentIndex(search, name))?.meta;
        return { state: "ready" as const, documents: await count(), complete: meta?.complete === true };
      });
    } catch (error) {
      return { state: asKeywordError(error).reason, documents: 0, complete: false };
    }
  }

  async function count(): Promise<number> {
    const answer = z.object({ count: z.number() });
    return (await search.request(answer, { method: "GET", path: `/${name}/_count` })).count;
  }

  return {
    fresh,
    upsert: (docs) =>
      attempt(async () => {
        const { seq } = await head();
        const sources = await mapInSlices(docs, (doc) => ({
          id: doc.articleId,
          version: seq + 1,
          source: keywordSource(doc),
        }));
        await change(sources);
      }),
    remove: (articleIds) =>
      attempt(async () => {
        const { seq } = await head();
        await change(articleIds.map((id) => ({ id, version: seq + 1 })));
      }),
    search: (query) => attempt(() => searcher.search(query), { reads: true }),
    allowed: (query, articleIds) => attempt(() => searcher.allowed(query, articleIds), { reads: true }),
    translation: (text) => attempt(() => searcher.translation(text), { reads: true }),
    ids: (afterId, limit) =>
      attempt(async () => {
        await refresh(search, name);
        const { hits } = await search.request(Ids, {
          method: "POST",
          path: `/${name}/_search`,
          query: { allow_partial_search_results: false },
          body: {
            ...{ size: limit, _source: false, track_total_hits: false },
            ...{ sort: [{ id: "asc" }], search_after: [afterId], stored_fields: "_none_" },
          },
        });
        return hits.hits.map(({ sort: [id] }) => id);
      }),
    missing: (articleIds) =>
      attempt(async () => {
        if (articleIds.length === 0) return [];
        const { docs } = await search.request(Found, {
          method: "POST",
          path: `/${name}/_mget`,
          query: { _source: false },
          body: { ids: articleIds.map(String) },
        });
        const present = new Set(docs.filter(({ found }) => found === true).map(({ _id }) => Number(_id)));
        return articleIds.filter((id) => !present.has(id));
      }),
    count: () => attempt(count),
    status,
    // Tiers are read from the platform when a search asks for one.
    setTier: async () => {},
    markComplete: () => attempt(async () => await noteInMapping(search, name, { complete: true })),
    clear: () => attempt(async () => await rebuild(async () => {})),
    rebuild: (fill) => rebuild(fill).catch((error: unknown) => Promise.reject(asKeywordError(error))),
    threads: () => undefined,
    async close() {
      await refresher.close();
      await search.close();
    },
  };

  /** Makes the index anew beside the one that serves, and swaps them when `fill` is done. */
  async function rebuild<T>(fill: (index: KeywordIndex) => Promise<T>): Promise<T> {
    const { database } = await head();
    const beside = await createBeside(search, alias, keywordIndexBody(search.server, database));
    try {
      const filled = await fill(keywordIndex(options, { name: beside, isAlias: false }, true));
      await refresh(search, beside);
      await swapTo(search, alias, beside);
      checkedAt = Number.NEGATIVE_INFINITY;
      return filled;
    } catch (error) {
      if ((await currentIndex(search, alias).catch(() => undefined))?.name !== beside) {
        await deleteIndex(search, beside).catch(() => undefined);
      }
      throw error;
    }
  }
}
