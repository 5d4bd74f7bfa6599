import type { Embedder } from "../../models/mod.ts";
import { mapInSlices } from "../../std/mod.ts";
import {
  type Article,
  articleKey,
  type IndexedArticle,
  type LogEntry,
  type LogPosition,
  type Store,
} from "../../store/mod.ts";
import { chunkText } from "../../text/mod.ts";
import { follow, type Follower, type FollowLogger, type Sink } from "../../projection/mod.ts";
import type { Engines } from "../../service/config/mod.ts";
import { EngineError } from "../engines/error.ts";
import { openKeyword, openVectorSink } from "../engines/open.ts";
import { ARTICLE_FIELDS } from "../filters.ts";
import { type KeywordDoc, type KeywordIndex, KeywordIndexError } from "../keyword/types.ts";
import type { KeywordLogger } from "../keyword/open.ts";
import type { VectorLogger } from "../vector/sink.ts";

/** Few enough that several callers fit into the embedder's queue, many enough to keep it busy. */
const TEXTS_A_CALL = 512;

/** Holds what is needed of an article to cut and embed it. */
type TextRow = Pick<Article, "articleId" | "title" | "content" | "lang">;

/** An article that could not be worked on. */
type Broken = { articleId: number; error: unknown };

/** Articles cut into passages whose texts wait for their vectors. */
type Passages = {
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

/** Holds what a re-embedding works on, and how it is watched and stopped. */
type ReembedOptions = {
  store: Pick<Store, "articles" | "chunks" | "indexing">;
  embedder: Pick<Embedder, "embed" | "modelId">;
  signal?: AbortSignal;
  onProgress?(embedded: number): void;
  /** Articles embedded at a time (100). */
  batch?: number;
};

/**
 * Gives every indexed article that has no passages of the embedder's model these passages. What other models made
 * stays, so that searches go on with the old model meanwhile. May be cut short at any moment: the next run does what is
 * left. Returns the number of articles embedded and those that could not be. Rejects with the signal's reason, or as
 * the embedder does.
 */
export async function reembed(options: ReembedOptions): Promise<{ embedded: number; broken: Broken[] }> {
  const { store, embedder, signal, onProgress, batch = 100 } = options;
  const broken: Broken[] = [];
  let embedded = 0;
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const ids = await store.chunks.lacking(embedder.modelId, { afterId: after, limit: batch });
    const last = ids.at(-1);
    if (last === undefined) return { embedded, broken };
    const done = await embedMissing(options, ids);
    broken.push(...done.broken);
    embedded += done.embedded;
    onProgress?.(embedded);
    after = last;
  }
}

/** Embeds these articles, whatever passages they have. */
export async function embedMissing(
  { store, embedder, signal }: Pick<ReembedOptions, "store" | "embedder" | "signal">,
  ids: readonly number[],
): Promise<{ embedded: number; broken: Broken[] }> {
  if (ids.length === 0) return { embedded: 0, broken: [] };
  const rows = await store.articles.byIds(ids, ["articleId", "title", "content", "lang"]);
  const { articles, broken } = await cutPassages(rows);
  const indexed = await embedPassages(embedder, articles, signal);
  const updated = await store.indexing.commit(indexed, { modelId: embedder.modelId });
  return { embedded: updated.length, broken };
}

/** The fields of an article that a document of the keyword index is made of. */
export const KEYWORD_FIELDS = [
  ...["articleId", "docId", ...ARTICLE_FIELDS],
  ...["title", "content", "createdAt", "authors"],
] as const;

/** An article as the keyword index needs it. */
type KeywordRow = Pick<Article, (typeof KEYWORD_FIELDS)[number]>;

/** The tier of every source by its key. */
type SourceTiers = ReadonlyMap<string, number>;

/** How often the sources' tiers are read, and how soon a snapshot is written, in milliseconds. */
const TIERS_MS = 30_000;
const SAVE_MS = 60_000;
/** Changes after which a snapshot is written soon; fewer wait for {@link LATEST_SAVE} times as long. */
const MANY_CHANGES = 1_000;
const LATEST_SAVE = 10;

type KeywordSinkOptions = {
  store: Pick<Store, "articles" | "sources">;
  keyword: Pick<
    KeywordIndex,
    "upsert" | "remove" | "ids" | "position" | "advance" | "reset" | "complete" | "setTier" | "save"
  >;
  logger: FollowLogger;
  tiersMs?: number;
  saveMs?: number;
};

/** A keyword index, whatever engine keeps it, as a follower feeds it. */
function keywordSink(options: KeywordSinkOptions): Sink & { save(): Promise<void> } {
  const { store, keyword, logger, tiersMs = TIERS_MS, saveMs = SAVE_MS } = options;
  let tiers: SourceTiers = new Map();
  let tiersAt = Number.NEGATIVE_INFINITY;
  const told = new Map<string, number>();
  let unsaved = 0;
  let savedAt = performance.now();

  async function refreshTiers(): Promise<void> {
    if (performance.now() - tiersAt < tiersMs) return;
    tiers = new Map((await store.sources.list()).map(({ key, tier }) => [key, tier]));
    for (const [source, tier] of tiers) {
      if (told.get(source) === tier) continue;
      await keyword.setTier(source, tier);
      told.set(source, tier);
    }
    tiersAt = performance.now();
  }

  async function save(): Promise<void> {
    savedAt = performance.now();
    try {
      await keyword.save();
      unsaved = 0;
    } catch (error) {
      // A full disk stops snapshots, not searches.
      logger.warn({ err: error }, "keyword snapshot could not be written");
    }
  }

  /** What an engine takes of none is left out; all others are written then. */
  function leaveOut(error: unknown): void {
    const cause = error instanceof KeywordIndexError ? error.cause : undefined;
    if (!(cause instanceof EngineError && cause.reason === "rejected")) throw error;
    logger.warn({ err: error }, "an article was refused by the engine and is left out");
  }

  return {
    position: () => keyword.position(),
    async reset() {
      await keyword.reset();
      told.clear();
      tiersAt = Number.NEGATIVE_INFINITY;
      // The first time that it is complete it is kept.
      unsaved = Number.POSITIVE_INFINITY;
    },
    async apply(entries: readonly LogEntry[], to?: LogPosition) {
      await refreshTiers();
      const last = new Map(entries.map((entry) => [entry.key, entry]));
      const present = [...last.values()].filter(({ deleted }) => !deleted).map(({ articleId }) => articleId);
      const rows = await store.articles.byIds(present, [...KEYWORD_FIELDS, "state"]);
      const docs = keywordDocs(
        rows.filter(({ state }) => state === "indexed"),
        tiers,
      ).filter(({ articleId }) => last.get(articleId)?.deleted === false);
      if (docs.some(({ sourceId }) => !tiers.has(sourceId))) tiersAt = Number.NEGATIVE_INFINITY;
      const written = new Set(docs.map(({ articleId }) => articleId));
      const gone = [...last.keys()].filter((key) => !written.has(key));
      if (gone.length > 0) await keyword.remove(gone);
      if (docs.length > 0) await keyword.upsert(docs).catch(leaveOut);
      if (to !== undefined) await keyword.advance(to);
      unsaved += entries.length;
    },
    complete: async () => {
      await refreshTiers();
      await keyword.complete();
    },
    keys: (after, limit) => keyword.ids(after, limit),
    async idle() {
      if (unsaved === 0) return;
      const due = unsaved >= MANY_CHANGES ? saveMs : saveMs * LATEST_SAVE;
      if (unsaved === Number.POSITIVE_INFINITY || performance.now() - savedAt >= due) await save();
    },
    async save() {
      if (unsaved > 0) await save();
    },
  };
}

/**
 * The documents of the keyword index for these articles, by their keys; a source without a tier is the least trusted.
 */
export function keywordDocs(rows: readonly KeywordRow[], tiers: SourceTiers): KeywordDoc[] {
  return rows.map(({ docId, ...row }) => ({
    ...row,
    articleId: articleKey(row.articleId, docId),
    tier: tiers.get(row.sourceId) ?? 3,
  }));
}

type FollowKeywordOptions = Omit<KeywordSinkOptions, "store"> & {
  store: Pick<Store, "articles" | "sources" | "log" | "followers">;
  /** As of `follow`. */
  owner?: string | undefined;
  reportAs?: string;
  pollMs?: number;
};

/** Keeps a keyword index equal to the log until it is closed. */
export function followKeyword({ owner, reportAs, pollMs, ...options }: FollowKeywordOptions): Follower {
  const { store, logger } = options;
  const sink = keywordSink(options);
  const follower = follow({
    ...{ name: "keyword", store, sink, logger, batch: 128, owner },
    ...(reportAs !== undefined && { reportAs }),
    ...(pollMs !== undefined && { pollMs }),
  });
  return {
    ...follower,
    async close() {
      await follower.close();
      await sink.save();
    },
  };
}

type RemoteFollowersOptions = {
  engines: Engines;
  store: Store;
  /** The embedding model; without one no vectors are followed. */
  model: { modelId: string; dims: number } | undefined;
  logger: KeywordLogger & VectorLogger;
  /** The name under which this process writes; no other one has it. */
  owner: string;
};

/** The followers of what engines of other processes hold, and how to end them. */
type RemoteFollowers = AsyncDisposable & { followers: Follower[] };

/**
 * Follows the log into every engine of another process that is set; of all processes that do, one feeds each engine
 * at a time. Rejects with `EngineSettingError` where one cannot be used.
 */
export async function followRemote(options: RemoteFollowersOptions): Promise<RemoteFollowers> {
  const { engines, store, model, logger, owner } = options;
  await using opened = new AsyncDisposableStack();
  const followers: Follower[] = [];
  if (engines.keyword.engine !== "embedded") {
    const keyword = await openKeyword({ engine: engines.keyword, store, dir: "", logger });
    opened.defer(() => keyword.close());
    const name = `keyword@${engines.keyword.engine}`;
    followers.push(followKeyword({ store, keyword, logger, owner, reportAs: name }));
  }
  const sink = model && (await openVectorSink({ engine: engines.vectors, store, logger, ...model }));
  if (sink !== undefined) {
    opened.defer(() => sink.close());
    const reportAs = `vectors@${engines.vectors.engine}`;
    followers.push(follow({ name: "vectors", store, sink, logger, owner, reportAs }));
  }
  for (const follower of followers) opened.defer(() => follower.close());
  const kept = opened.move();
  return { followers, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
