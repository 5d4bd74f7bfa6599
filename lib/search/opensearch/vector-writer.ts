import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../std/mod.ts";
import type { VectorLogger } from "../vector/vector-index.ts";
import { bulk } from "./bulk.ts";
import type { OpenSearch } from "./client.ts";
import { Cursor } from "./cursor.ts";
import {
  createBeside,
  type CurrentIndex,
  currentIndex,
  deleteIndex,
  noteInMapping,
  refresh,
  swapTo,
} from "./indices.ts";
import { Refresher } from "./refresher.ts";
import { setUpVectors } from "./set-up.ts";
import { type VectorLog, vectorChanges } from "./vector-changes.ts";
import { VECTOR_VERSION, type VectorMeta, vectorAlias, vectorIndexBody } from "./vector-mapping.ts";

/** What vectors are written from, and where to. */
export type VectorWriterOptions = {
  search: OpenSearch;
  log: VectorLog;
  modelId: string;
  dims: number;
  /** The name under which this process writes; no other one has it. */
  owner: string;
  logger: VectorLogger;
  signal: AbortSignal;
  /** How often to look for changes that no notice told of, in milliseconds (2,000). */
  pollMs?: number;
};

const BACKOFF = { baseMs: 250, maxMs: 10_000 };

/**
 * Keeps the vectors of a model in a cluster equal to those of the database until `signal` aborts. One process does so
 * at a time; any number may try. An index that is gone is made and filled again; one of another version or database is
 * made anew beside the old one. What fails is tried again.
 */
export async function writeVectors(options: VectorWriterOptions): Promise<void> {
  const { search, log, modelId, logger, signal, pollMs = 2_000 } = options;
  const alias = vectorAlias(search.server.prefix, modelId);
  const refresher = new Refresher((timeoutMs) => refresh(search, alias, { timeoutMs, retries: 0 }));
  let notice = Promise.withResolvers<void>();
  let unlisten: (() => Promise<void>) | undefined;
  let cursor: { of: string; at: Cursor; complete: boolean; from: number } | undefined;
  let failures = 0;
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  /** Takes one step. Returns whether there may be more to do. */
  async function step(): Promise<boolean> {
    unlisten ??= await log.listen(() => notice.resolve());
    const { database, seq: head } = await log.head();
    const current = await currentIndex(search, alias);
    if (current === undefined) {
      await setUpVectors(search, { modelId, dims: options.dims, database, seq: head });
      logger.info({ modelId, alias }, "an index of vectors was made");
      return true;
    }
    if (cursor?.of !== cursorName(current)) {
      const at = new Cursor(search, { index: cursorName(current), owner: options.owner });
      await at.prepare();
      const { complete, from } = current.meta;
      // One made before this was noted is as good as one made now.
      cursor = {
        of: cursorName(current),
        at,
        complete: complete === true,
        from: typeof from === "number" ? from : head,
      };
    }
    if (!(await cursor.at.take())) return false;
    if (current.meta.version !== VECTOR_VERSION || current.meta.database !== database || cursor.at.seq > head) {
      logger.warn({ modelId, index: current.name }, "the index of vectors is of another version or database");
      await rebuildVectors(options);
      return true;
    }
    const next = await vectorChanges(log, options, cursor.at.seq);
    // Searches wait for what there was when the index was made, not for an end of what comes in.
    if (!cursor.complete && (next === undefined || cursor.at.seq >= cursor.from)) {
      await refresh(search, alias);
      await noteInMapping(search, current.name, { complete: true });
      cursor.complete = true;
      logger.info({ modelId, index: current.name, seq: cursor.at.seq }, "the index of vectors is complete");
    }
    if (next === undefined) return false;
    await bulk(search, { index: alias, isAlias: true }, next.changes).finally(() => refresher.due());
    if (next.skipped > 0) logger.warn({ modelId, skipped: next.skipped }, "vectors without direction left out");
    return await cursor.at.advance(next.seq);
  }

  while (!signal.aborted) {
    try {
      notice = Promise.withResolvers();
      const more = await step();
      failures = 0;
      if (!more) await Promise.race([notice.promise, wait(pollMs)]);
    } catch (error) {
      if (signal.aborted) break;
      cursor = undefined;
      const retryMs = backoffMs(failures++, BACKOFF);
      logger.warn({ modelId, err: error, retryMs }, "the index of vectors cannot follow the database");
      await wait(retryMs);
    }
  }
  await refresher.close();
  await cursor?.at.release().catch(() => undefined);
  await unlisten?.().catch(() => undefined);
}

/** What the cursor of an index goes by. */
function cursorName({ name, meta }: CurrentIndex): string {
  return `${name}-${String(meta.id)}`;
}

/** Makes the index of vectors anew from the database, beside the one that serves, and swaps them. */
export async function rebuildVectors({
  search,
  log,
  modelId,
  dims,
  signal,
}: Pick<VectorWriterOptions, "search" | "log" | "modelId" | "dims" | "signal">): Promise<void> {
  const alias = vectorAlias(search.server.prefix, modelId);
  const { database, seq: from } = await log.head();
  const id = randomUUID();
  const meta: VectorMeta = { id, version: VECTOR_VERSION, model: modelId, dims, database, complete: true, from };
  const index = await createBeside(search, alias, vectorIndexBody(search.server, meta));
  const cursor = new Cursor(search, { index: cursorName({ name: index, meta }), owner: `rebuild of ${index}` });
  try {
    await cursor.prepare();
    await cursor.take();
    for (;;) {
      signal.throwIfAborted();
      const next = await vectorChanges(log, { dims }, cursor.seq);
      if (next === undefined) break;
      await bulk(search, { index, isAlias: false }, next.changes);
      await cursor.advance(next.seq);
    }
    await refresh(search, index);
    await cursor.release();
    await swapTo(search, alias, index);
  } catch (error) {
    if ((await currentIndex(search, alias).catch(() => undefined))?.name !== index) {
      await deleteIndex(search, index).catch(() => undefined);
    }
    throw error;
  }
}
