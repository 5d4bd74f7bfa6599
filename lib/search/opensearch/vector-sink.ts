import { mapInSlices } from "../../std/mod.ts";
import type { Sink } from "../../projection/mod.ts";
import type { LogEntry } from "../../store/mod.ts";
import { EngineError } from "../engines/error.ts";
import type { ChunkChange } from "../vector/engine.ts";
import type { VectorLogger } from "../vector/sink.ts";
import type { OpenSearch } from "./client.ts";
import { filterSource, VECTOR_VERSION, vectorAlias, vectorIndexBody } from "./mapping.ts";
import { type DocumentChange, IndexWriter } from "./index-writer.ts";

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
