import { z } from "zod";
import { mapInSlices } from "../../std/mod.ts";
import { supportsBySearch } from "../engines/supports.ts";
import { asKeywordError } from "../engines/error.ts";
import { type KeywordIndex, KeywordIndexError, type KeywordStatus } from "../keyword/types.ts";
import type { OpenSearch } from "./client.ts";
import { keywordSource } from "./document.ts";
import { IndexWriter } from "./index-writer.ts";
import { currentIndex } from "./indices.ts";
import { KEYWORD_VERSION, keywordIndexBody } from "./mapping.ts";
import { KeywordSearch } from "./search.ts";
import { surveyCluster } from "./survey.ts";

/** What an index in a cluster needs of the platform. */
type OpenSearchKeywordOptions = {
  search: OpenSearch;
  /** The alias under which the index is reached. */
  alias: string;
  /** The tier of every source. */
  tiers(): Promise<ReadonlyMap<string, number>>;
};

/** How long it is taken for granted that the index is the one it was, in milliseconds. */
const KNOWN_MS = 5_000;

/** Opens the index of articles by word in an OpenSearch cluster; its follower makes it. */
export function openSearchKeyword({ search, alias, tiers }: OpenSearchKeywordOptions): KeywordIndex {
  const searcher = new KeywordSearch({ search, index: alias, tiers });
  const writer = new IndexWriter({
    search,
    alias,
    isOurs: ({ version }) => version === KEYWORD_VERSION,
    body: (id) => keywordIndexBody(search.server, id),
  });
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Rejects when the index is not the one that this code writes and reads. */
  async function assertUsable(): Promise<void> {
    if (performance.now() - checkedAt < KNOWN_MS) return;
    const found = await currentIndex(search, alias);
    if (found === undefined) throw new KeywordIndexError("missing", `keyword index: there is no ${alias}`);
    if (found.meta.version !== KEYWORD_VERSION) {
      throw new KeywordIndexError("other-version", `keyword index: ${found.name} is of another version`);
    }
    checkedAt = performance.now();
  }

  /** Reads while it is looked up whether the index can be used. */
  async function read<T>(work: () => Promise<T>): Promise<T> {
    return await attempt(async () => {
      const done = work();
      // An index that cannot be used says so itself.
      done.catch(() => undefined);
      await assertUsable();
      return await done;
    });
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      checkedAt = Number.NEGATIVE_INFINITY;
      throw asKeywordError(error);
    }
  }

  async function count(): Promise<number> {
    const answer = z.object({ count: z.number() });
    return (await search.request(answer, { method: "GET", path: `/${alias}/_count` })).count;
  }

  async function status(): Promise<KeywordStatus> {
    try {
      return await attempt(async () => {
        await assertUsable();
        const meta = (await currentIndex(search, alias))?.meta;
        return { state: "ready" as const, documents: await count(), complete: meta?.complete === true };
      });
    } catch (error) {
      return { state: asKeywordError(error).reason, documents: 0, complete: false };
    }
  }

  const searchArticles: KeywordIndex["search"] = (query) =>
    read(async () => ({ hits: await searcher.search(query), corrections: [] }));

  return {
    upsert: (docs) =>
      attempt(async () => {
        await writer.write(await mapInSlices(docs, (doc) => ({ id: doc.articleId, source: keywordSource(doc) })));
      }),
    remove: (articleIds) => attempt(() => writer.write(articleIds.map((id) => ({ id })))),
    ids: (afterId, limit) => attempt(() => writer.ids(afterId, limit)),
    position: () => attempt(() => writer.position()),
    advance: (to) => attempt(() => writer.advance(to)),
    reset: () => attempt(() => writer.reset()),
    complete: () =>
      attempt(async () => {
        await writer.complete();
        checkedAt = Number.NEGATIVE_INFINITY;
      }),
    // Tiers are read from the platform when a search asks for one.
    setTier: async () => {},
    save: async () => {},
    search: searchArticles,
    supports: supportsBySearch(searchArticles),
    allowed: (query, articleIds) => read(() => searcher.allowed(query, articleIds)),
    survey: (query) => read(() => surveyCluster({ search, index: alias, sourcesOf: searcher.sourcesOf }, query)),
    reading: ({ text }) => read(async () => ({ text, translation: await searcher.translation(text) })),
    suggest: async () => ({ titles: [], words: [] }),
    count: () => attempt(count),
    status,
    threads: () => undefined,
    async close() {
      await writer.close();
      await search.close();
    },
  };
}
