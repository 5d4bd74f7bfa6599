import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lock, tryExclusive } from "../../service/process/file-lock.ts";
import { backoffMs } from "../../std/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { ThreadsLogger } from "../../service/threads/mod.ts";
import { type KeywordIndex, openKeywordIndex } from "../keyword/mod.ts";
import { FOLLOWER_LOCK } from "./keyword-where-read.ts";
import { keywordWriter } from "./keyword-writer.ts";
import { reconcileKeyword } from "./reconcile.ts";
import { keepTiers } from "./tiers.ts";

export type FollowKeywordOptions = {
  store: Pick<Store, "articles" | "sources" | "outbox" | "chunks">;
  /** The index's folder. */
  dir: string;
  logger: ThreadsLogger & Record<"info" | "warn", (fields: object, message: string) => void>;
  /** How often is looked for changes that were not announced, in milliseconds (1,000). */
  pollMs?: number;
};

/** Keeps the keyword index of a folder in step with the database. */
export type KeywordFollower = { close(): Promise<void> };

const BATCH = 500;
const TIERS_MS = 30_000;
const BACKOFF = { baseMs: 250, maxMs: 5_000 };

/**
 * Makes the keyword index of `dir` from the database, and writes into it what happens to articles anywhere: workers of
 * this machine have mostly done so before, those of other machines have not. One process does so for a folder at a
 * time; another takes over when it ends. Failures of the store and of the index are met by beginning again.
 */
export function followKeyword(options: FollowKeywordOptions): KeywordFollower {
  const { store, dir, logger, pollMs = 1_000 } = options;
  const stop = new AbortController();
  const { signal } = stop;
  let noticed = Promise.withResolvers<void>();
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  async function follow(keyword: KeywordIndex): Promise<void> {
    const tiers = keepTiers(store, keyword);
    const writer = keywordWriter({ store, keyword, tiers: tiers.current });
    const { database, seq } = await store.chunks.head();
    if (await isOfAnother(dir, database)) {
      logger.warn({ dir }, "the keyword index is of another database, and is made anew");
      await keyword.clear();
    }
    await noteDatabase(dir, database);
    const { added, removed } = await reconcileKeyword({ store, keyword, signal });
    if (added + removed > 0) logger.info({ added, removed }, "keyword index caught up with the database");
    let position = seq;
    let tiersAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      noticed = Promise.withResolvers();
      if (performance.now() - tiersAt > TIERS_MS) {
        await tiers.refresh();
        tiersAt = performance.now();
        const head = await store.chunks.head();
        if (head.database !== database || head.seq < position) return;
      }
      const events = await store.outbox.after(position, BATCH);
      const ids = (type: string) => events.filter((event) => event.type === type).map(({ articleId }) => articleId);
      await writer.sync(await keyword.missing(ids("article.upserted")));
      await writer.remove(ids("article.deleted"));
      position = events.at(-1)?.id ?? position;
      if (events.length < BATCH) await Promise.race([noticed.promise, wait(pollMs)]);
    }
  }

  async function run(): Promise<void> {
    await mkdir(dir, { recursive: true });
    let lock: Lock | undefined;
    while (lock === undefined && !signal.aborted) {
      lock = tryExclusive(join(dir, FOLLOWER_LOCK));
      if (lock === undefined) await wait(pollMs);
    }
    let unlisten: (() => Promise<void>) | undefined;
    for (let failures = 0; !signal.aborted; ) {
      let keyword: KeywordIndex | undefined;
      try {
        unlisten ??= await store.chunks.listen(() => noticed.resolve());
        keyword = await openKeywordIndex({ dir, mode: "write", logger });
        await follow(keyword);
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        const retryMs = backoffMs(failures++, BACKOFF);
        logger.warn({ err: error, retryMs }, "the keyword index cannot follow the database");
        await wait(retryMs);
      } finally {
        await keyword?.close();
      }
    }
    await unlisten?.().catch(() => undefined);
    lock?.release();
  }

  const running = run();
  return {
    async close() {
      stop.abort();
      noticed.resolve();
      await running;
    },
  };
}

/** Whether what is in the folder was read from another database. */
async function isOfAnother(dir: string, database: string): Promise<boolean> {
  try {
    return (await readFile(join(dir, "database"), "utf8")) !== database;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

async function noteDatabase(dir: string, database: string): Promise<void> {
  const temporary = join(dir, `database.${process.pid}.tmp`);
  await writeFile(temporary, database);
  await rename(temporary, join(dir, "database"));
}
