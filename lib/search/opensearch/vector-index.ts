import { z } from "zod";
import type { ChunkCondition } from "../../contract/filters.ts";
import { EngineError } from "../engines/error.ts";
import { CHUNK_COLUMNS, type Filters, spanOf } from "../filters.ts";
import type { ChunkChange, Hits } from "../vector/engine.ts";
import { VectorIndexLoading, type VectorSearch } from "../vector/vector-index.ts";
import { at, mapInSlices } from "../../std/mod.ts";
import type { Sink } from "../../projection/mod.ts";
import type { LogEntry } from "../../store/mod.ts";
import type { VectorLogger } from "../vector/sink.ts";
import { type Clause, filterSource, suffixField, VECTOR_VERSION, vectorAlias, vectorIndexBody } from "./mapping.ts";
import { multiSearch, type OpenSearch, SearchAnswer } from "./client.ts";
import { currentIndex } from "./indices.ts";
import { filterClauses } from "./query.ts";
import { type DocumentChange, IndexWriter } from "./index-writer.ts";

/** Conditions on chunks as clauses of a search; what a field lacks passes `notIn` alone. */
function chunkClauses(conditions: readonly ChunkCondition[]): { filter: Clause[]; must_not: Clause[] } {
  return {
    filter: conditions.filter(({ is }) => is !== "notIn").map(clauseOf),
    must_not: conditions.filter(({ is }) => is === "notIn").map(clauseOf),
  };
}

function clauseOf({ field, is, values }: ChunkCondition): Clause {
  if (field === "published_at_bucket") return monthClause(is, values.map(Number));
  const column = CHUNK_COLUMNS[field] ?? "id";
  if (is === "in" || is === "notIn") return { terms: { [field === "domain" ? suffixField(column) : column]: values } };
  return { range: { [column]: { [is]: at(values, 0) } } };
}

function monthClause(is: ChunkCondition["is"], months: readonly number[]): Clause {
  const spans = months.map(spanOf);
  const first = at(spans, 0);
  const within = (range: Record<string, number>): Clause => ({ range: { publishedAt: range } });
  switch (is) {
    case "in":
    case "notIn":
      return { bool: { should: spans.map(({ start, end }) => within({ gte: start, lt: end })) } };
    case "gte":
      return within({ gte: first.start });
    case "lte":
      return within({ lt: first.end });
    case "gt":
      return within({ gte: first.end });
    case "lt":
      return within({ lt: first.start });
  }
}

/** Candidates of the graph at least: fewer would cost recall. */
const LEAST_K = 100;
/** Says how long it is taken for granted that the index is the one it was, in milliseconds. */
const KNOWN_MS = 5_000;

const Inner = z.object({ hits: z.object({ hits: z.array(z.object({ _score: z.number(), fields: Fields() })) }) });
const Row = z.object({ sort: z.tuple([z.number(), z.number()]), inner_hits: z.object({ chunks: Inner }) });
const Answer = SearchAnswer.extend({
  hits: z.object({ total: z.object({ value: z.number() }).optional(), hits: z.array(Row) }).optional(),
});
type Answer = z.output<typeof Answer>;

function Fields() {
  const one = z.tuple([z.number()]);
  return z.object({ "chunks.no": one, "chunks.start": one, "chunks.end": one });
}

type OpenSearchVectorOptions = {
  search: OpenSearch;
  modelId: string;
  dims: number;
  /** The tier of every source. */
  tiers(): Promise<ReadonlyMap<string, number>>;
};

/** A chunk found: its article, cosine, number, start and end. */
type Found = { articleId: number; score: number; chunk: [number, number, number] };

/** Searches the vectors of a model in an OpenSearch cluster; a writer of the workers keeps them up to date. */
export function openSearchVectors({ search, modelId, dims, tiers }: OpenSearchVectorOptions): VectorSearch {
  const alias = vectorAlias(search.server.prefix, modelId);
  let checkedAt = Number.NEGATIVE_INFINITY;

  async function check(): Promise<void> {
    if (performance.now() - checkedAt < KNOWN_MS) return;
    const found = await currentIndex(search, alias);
    if (found === undefined || found.meta.complete !== true) throw new VectorIndexLoading(modelId);
    if (found.meta.version !== VECTOR_VERSION || found.meta.dims !== dims) {
      throw new EngineError("rejected", `opensearch: ${found.name} is of another version`);
    }
    checkedAt = performance.now();
  }

  /** Returns what is being asked, unless the index is one that cannot be used, which is looked up meanwhile. */
  async function checked<T>(asked: Promise<T>): Promise<T> {
    asked.catch(() => undefined);
    await check();
    return await asked;
  }

  async function ask(bodies: readonly Clause[]): Promise<Answer[]> {
    try {
      return await multiSearch(search, { index: alias, answer: Answer }, bodies);
    } catch (error) {
      checkedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  const sourcesOf = async (tier: number): Promise<string[]> =>
    [...(await tiers())].flatMap(([source, its]) => (its === tier ? [source] : []));

  /**
   * Tells whether a vector is near to anything. Throws {@link RangeError} for one of other dimensions or not finite.
   */
  function hasDirection(vector: Float32Array): boolean {
    if (vector.length !== dims) throw new RangeError(`the query has ${vector.length} dimensions, the index ${dims}`);
    if (!vector.every(Number.isFinite)) throw new RangeError("the query has a component that is not finite");
    return vector.some((component) => component !== 0);
  }

  async function nearest(vector: Float32Array, k: number, bool: Record<string, Clause[]>) {
    const filter = { bool };
    const knn = { "chunks.vector": { vector: Array.from(vector), k: Math.max(k, LEAST_K), filter } };
    const [near, all] = await ask([
      nested({ knn }, { size: k, chunks: 1 }),
      { size: 0, query: filter, track_total_hits: true },
    ]);
    return {
      found: near === undefined ? [] : foundIn(near).map((row) => ({ ...row, score: 2 * row.score - 1 })),
      candidates: all?.hits?.total?.value ?? 0,
    };
  }

  return {
    async search(vector: Float32Array, k: number, filters: Filters) {
      if (!hasDirection(vector) || k === 0) return await check().then(() => hitsOf([], 0));
      const asked = filterClauses(filters, sourcesOf).then((filter) => nearest(vector, k, { filter }));
      const { found, candidates } = await checked(asked);
      return hitsOf(found, candidates);
    },
    async searchChunks(vector: Float32Array, k: number, conditions: readonly ChunkCondition[]) {
      if (!hasDirection(vector) || k === 0) return await check().then(() => hitsOf([], 0));
      const { found, candidates } = await checked(nearest(vector, k, chunkClauses(conditions)));
      // The nearest chunks are among those of the articles with the nearest ones.
      const [chunks] = await ask([
        nested(exactly(vector), { size: k, chunks: k, ids: found.map((row) => row.articleId) }),
      ]);
      const all = chunks === undefined ? [] : foundIn(chunks).map((row) => ({ ...row, score: row.score - 1 }));
      const best = all.sort((a, b) => b.score - a.score || a.articleId - b.articleId || a.chunk[0] - b.chunk[0]);
      return hitsOf(best.slice(0, k), candidates);
    },
    check,
    async status() {
      const [answer] = await ask([{ size: 0, track_total_hits: true }]);
      return { articles: answer?.hits?.total?.value ?? 0, chunks: await countChunks(search, alias) };
    },
    threads: () => undefined,
    close: () => search.close(),
  };
}

/** The best articles by their chunks, each with its best chunks; among the articles of `ids` where these are given. */
function nested(
  query: Clause,
  { size, chunks, ids }: { size: number; chunks: number; ids?: readonly number[] },
): Clause {
  const inner = {
    ...{ size: chunks, _source: false, stored_fields: "_none_" },
    docvalue_fields: ["chunks.no", "chunks.start", "chunks.end"],
  };
  const must = { nested: { path: "chunks", score_mode: "max", query, inner_hits: inner } };
  return {
    query: ids === undefined ? must : { bool: { must, filter: { terms: { id: ids } } } },
    ...{ size, sort: [{ _score: "desc" }, { id: "asc" }] },
    ...{ _source: false, stored_fields: "_none_", track_total_hits: false },
  };
}

/** Compares every chunk; its score is one more than the cosine, because none may be negative. */
function exactly(vector: Float32Array): Clause {
  const source = "1.0 + cosineSimilarity(params.query, doc['chunks.vector'])";
  const script = { lang: "painless", source, params: { query: Array.from(vector) } };
  return { script_score: { query: { match_all: {} }, script } };
}

function foundIn(answer: Answer): Found[] {
  return (answer.hits?.hits ?? []).flatMap(({ sort: [, articleId], inner_hits }) =>
    inner_hits.chunks.hits.hits.map(({ _score: score, fields }) => ({
      ...{ articleId, score },
      chunk: [fields["chunks.no"][0], fields["chunks.start"][0], fields["chunks.end"][0]],
    })),
  );
}

function hitsOf(found: readonly Found[], candidates: number): Hits {
  const chunks = new Int32Array(found.length * 3);
  found.forEach(({ chunk }, i) => {
    chunks.set(chunk, i * 3);
  });
  return {
    articleIds: Float64Array.from(found, ({ articleId }) => articleId),
    scores: Float64Array.from(found, ({ score }) => score),
    ...{ chunks, candidates },
  };
}

async function countChunks({ request }: OpenSearch, alias: string): Promise<number> {
  const answer = z.object({ aggregations: z.object({ chunks: z.object({ doc_count: z.number() }) }) });
  const { aggregations } = await request(answer, {
    ...{ method: "POST", path: `/${alias}/_search` },
    body: { size: 0, track_total_hits: false, aggs: { chunks: { nested: { path: "chunks" } } } },
  });
  return aggregations.chunks.doc_count;
}

type VectorSinkOptions = {
  search: OpenSearch;
  /** Reads the changes of articles as an index of vectors takes them. */
  read(entries: readonly LogEntry[]): Promise<ChunkChange[]>;
  modelId: string;
  dims: number;
  logger: VectorLogger;
};

/** The vectors of a model in a cluster as a follower feeds them. */
export type OpenSearchVectorSink = Sink & { close(): Promise<void> };

/** Makes the sink of a model's vectors in a cluster: a document is an article with all its passages. */
export function openSearchVectorSink({ search, read, modelId, dims, logger }: VectorSinkOptions): OpenSearchVectorSink {
  const writer = new IndexWriter({
    search,
    alias: vectorAlias(search.server.prefix, modelId),
    isOurs: ({ version, model, dims: has }) => version === VECTOR_VERSION && model === modelId && has === dims,
    body: (id) =>
      vectorIndexBody(search.server, { id, version: VECTOR_VERSION, model: modelId, dims, complete: false }),
  });
  return {
    position: () => writer.position(),
    reset: () => writer.reset(),
    async apply(entries, to) {
      const { changes, skipped } = await documents(await read(entries), dims);
      if (skipped > 0) logger.warn({ modelId, skipped }, "vectors without direction left out");
      await writer.write(changes).catch((error: unknown) => {
        // What the engine takes of none is left out; all others are written.
        if (!(error instanceof EngineError && error.reason === "rejected")) throw error;
        logger.warn({ modelId, err: error }, "an article was refused by the engine and is left out");
      });
      if (to !== undefined) await writer.advance(to);
    },
    complete: () => writer.complete(),
    keys: (after, limit) => writer.ids(after, limit),
    async close() {
      await writer.close();
      await search.close();
    },
  };
}

async function documents(
  changes: readonly ChunkChange[],
  dims: number,
): Promise<{ changes: DocumentChange[]; skipped: number }> {
  const articles = new Map<number, Extract<ChunkChange, { kind: "upsert" }>[]>();
  for (const change of changes) {
    if (change.kind === "delete") articles.set(change.articleId, []);
    else articles.get(change.articleId)?.push(change);
  }
  let skipped = 0;
  const made = await mapInSlices([...articles], ([id, upserts]): DocumentChange => {
    const chunks = upserts.filter(({ vector }) => hasDirection(vector, dims));
    skipped += upserts.length - chunks.length;
    const [first] = chunks;
    if (first === undefined) return { id };
    const source = {
      ...filterSource(id, first),
      chunks: chunks.map(({ chunkNo: no, start, end, vector }) => ({ no, start, end, vector: Array.from(vector) })),
    };
    return { id, source };
  });
  return { changes: made, skipped };
}

/** Tells whether a vector can be compared by its angle: the engine refuses a document with one that cannot. */
function hasDirection(vector: Float32Array, dims: number): boolean {
  const square = vector.reduce((sum, component) => sum + component * component, 0);
  return vector.length === dims && square > 0 && Number.isFinite(square);
}
