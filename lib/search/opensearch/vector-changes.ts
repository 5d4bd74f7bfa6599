import { mapInSlices } from "../../std/mod.ts";
import type { Store } from "../../store/mod.ts";
import { ARTICLE_FIELDS } from "../filters.ts";
import type { ChunkChange } from "../vector/engine.ts";
import type { Change } from "./bulk.ts";
import { filterSource } from "./document.ts";

/** Changes read at a time, unless one article has more. */
const BATCH = 1_024;

/** The change log of the chunks of a model, and who is told of changes. */
export type VectorLog = {
  /** Which database it is of, and its last number. */
  head(): Promise<{ database: string; seq: number }>;
  /** Up to `limit` changes after `seq` in their order, and the number to go on from. */
  since(seq: number, limit: number): Promise<{ changes: readonly ChunkChange[]; nextSeq: number }>;
  listen(onChange: () => void): Promise<() => Promise<void>>;
};

/** The log of a model as the store has it. */
export function vectorLog({ chunks }: Pick<Store, "chunks">, modelId: string): VectorLog {
  return {
    head: () => chunks.head(),
    since: (seq, limit) => chunks.since(modelId, seq, limit, ARTICLE_FIELDS),
    listen: (onChange) => chunks.listen(onChange),
  };
}

/** Changes of an index of vectors, and the number of the change log up to which they go. */
export type VectorChanges = { changes: Change[]; seq: number; skipped: number };

/**
 * The next changes of the log after `seq` as whole documents, each in the version of its last change; undefined when
 * there are none. Chunks of one article come together.
 */
export async function vectorChanges(
  log: Pick<VectorLog, "since">,
  { dims }: { dims: number },
  seq: number,
): Promise<VectorChanges | undefined> {
  for (let limit = BATCH; ; limit *= 2) {
    const { changes, nextSeq } = await log.since(seq, limit);
    const last = changes.at(-1);
    if (last === undefined) return undefined;
    if (changes.length < limit) return { ...(await documents(changes, dims)), seq: nextSeq };
    // The last article may go on in the next batch.
    const end = changes.findLastIndex(({ articleId }) => articleId !== last.articleId);
    const before = changes[end];
    if (before !== undefined) return { ...(await documents(changes.slice(0, end + 1), dims)), seq: before.seq };
  }
}

async function documents(
  changes: readonly ChunkChange[],
  dims: number,
): Promise<{ changes: Change[]; skipped: number }> {
  const articles = new Map<number, ChunkChange[]>();
  for (const change of changes) {
    const known = change.kind === "delete" ? undefined : articles.get(change.articleId);
    if (known === undefined) articles.set(change.articleId, [change]);
    else known.push(change);
  }
  let skipped = 0;
  const made = await mapInSlices([...articles], ([id, its]): Change => {
    const upserts = its.filter((change) => change.kind === "upsert");
    const chunks = upserts.filter(({ vector }) => hasDirection(vector, dims));
    skipped += upserts.length - chunks.length;
    const version = its.at(-1)?.seq ?? 0;
    const [first] = chunks;
    if (first === undefined) return { id, version };
    const source = {
      ...filterSource(id, first),
      chunks: chunks.map(({ chunkNo: no, start, end, vector }) => ({ no, start, end, vector: Array.from(vector) })),
    };
    return { id, version, source };
  });
  return { changes: made, skipped };
}

/** Whether a vector can be compared by its angle: the engine refuses a document with one that cannot. */
function hasDirection(vector: Float32Array, dims: number): boolean {
  const square = vector.reduce((sum, component) => sum + component * component, 0);
  return vector.length === dims && square > 0 && Number.isFinite(square);
}
