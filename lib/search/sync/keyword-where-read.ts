import { existsSync } from "node:fs";
import { join } from "node:path";
import { tryShared } from "../../process/file-lock.ts";
import type { ThreadsLogger, ThreadsState } from "../../threads/index.ts";
import { type KeywordIndex, openKeywordIndex } from "../keyword/index.ts";

/** Held by the process that keeps the keyword index of its folder in step with the database. */
export const FOLLOWER_LOCK = "follower.lock";

export type WhereReadOptions = {
  /** The index's folder. */
  dir: string;
  logger?: ThreadsLogger;
  /** How long it is taken for granted that somebody reads the index, or nobody does, in milliseconds (1,000). */
  knownMs?: number;
};

/** An embedded keyword index as workers write it. */
export type WrittenKeyword = Pick<KeywordIndex, "upsert" | "remove" | "missing" | "setTier" | "close"> & {
  /** How its threads stand; undefined while nobody reads it. */
  threads(): ThreadsState | undefined;
};

/**
 * Writes the keyword index of `dir` while a retrieval service of this machine follows it, and does nothing while none
 * does: the one that comes makes the index from the database.
 */
export function keywordWhereRead({ dir, logger, knownMs = 1_000 }: WhereReadOptions): WrittenKeyword {
  let opened: Promise<KeywordIndex> | undefined;
  let index: KeywordIndex | undefined;
  let checked = { isRead: false, at: Number.NEGATIVE_INFINITY };

  async function current(): Promise<KeywordIndex | undefined> {
    if (performance.now() - checked.at > knownMs) checked = { isRead: isFollowed(dir), at: performance.now() };
    if (!checked.isRead) return undefined;
    opened ??= openKeywordIndex({ dir, mode: "write", ...(logger !== undefined && { logger }) });
    try {
      index = await opened;
      return index;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  }

  return {
    upsert: async (docs) => await (await current())?.upsert(docs),
    remove: async (articleIds) => await (await current())?.remove(articleIds),
    missing: async (articleIds) => (await (await current())?.missing(articleIds)) ?? [],
    setTier: async (sourceId, tier) => await (await current())?.setTier(sourceId, tier),
    threads: () => index?.threads(),
    close: async () => await (await opened?.catch(() => undefined))?.close(),
  };
}

function isFollowed(dir: string): boolean {
  const path = join(dir, FOLLOWER_LOCK);
  if (!existsSync(path)) return false;
  const lock = tryShared(path);
  lock?.release();
  return lock === undefined;
}
