import { existsSync } from "node:fs";
import { join } from "node:path";
import { tryShared } from "../../service/process/file-lock.ts";
import type { ThreadsLogger, ThreadsState } from "../../service/threads/mod.ts";
import { type KeywordFault, type KeywordIndex, KeywordIndexError, openKeywordIndex } from "../keyword/mod.ts";

/** Held by the process that keeps the keyword index of its folder in step with the database. */
export const FOLLOWER_LOCK = "follower.lock";

/** Why an index that was open cannot be written any more, until it is opened again. */
const LOST: ReadonlySet<KeywordFault> = new Set(["missing", "corrupt", "other-version"]);

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
    const opening = opened;
    try {
      index = await opening;
      return index;
    } catch (error) {
      if (opened === opening) opened = undefined;
      throw error;
    }
  }

  /** Opens the index again where the one that is open was removed, replaced or found damaged, and asks once more. */
  async function ask<T>(work: (index: KeywordIndex) => Promise<T>): Promise<T | undefined> {
    const asked = await current();
    if (asked === undefined) return undefined;
    try {
      return await work(asked);
    } catch (error) {
      if (!(error instanceof KeywordIndexError && LOST.has(error.reason))) throw error;
      if (index === asked) {
        opened = index = undefined;
        await asked.close();
      }
      const again = await current();
      return again && (await work(again));
    }
  }

  return {
    upsert: async (docs) => await ask((each) => each.upsert(docs)),
    remove: async (articleIds) => await ask((each) => each.remove(articleIds)),
    missing: async (articleIds) => (await ask((each) => each.missing(articleIds))) ?? [],
    setTier: async (sourceId, tier) => await ask((each) => each.setTier(sourceId, tier)),
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
