import { watch } from "node:fs";
import type { Taxonomy } from "@isnad/lib/service/config";
import type { Logger } from "@isnad/lib/service/process";
import { type LoadedProfiles, loadProfiles, type ProfileProblem } from "./load-profiles.ts";
import type { Profile } from "./schema.ts";

/** The profiles that are in force. */
export type Profiles = {
  /** In the order of their names. */
  all(): readonly Profile[];
  get(name: string): Profile | undefined;
  /** Returns what was wrong with the files that the last reading passed over. */
  problems(): readonly ProfileProblem[];
  /**
   * Reads the folder again and puts its good files in force. What is wrong is logged: a bad file line by line, and a
   * folder that cannot be read, which leaves everything as it is. Calls that come meanwhile share the next reading.
   */
  reload(): Promise<void>;
  /** Calls `listener` after every reading; returns how to stop that. */
  onReload(listener: () => void): () => void;
};

/** Returns the profiles of a folder; nothing is in force before the first `reload()`. */
export function createProfiles({
  dir,
  enable = [],
  taxonomy,
  logger,
}: {
  dir: string;
  /** Names of profiles that are enabled whatever their files say; `all` for every one. */
  enable?: readonly string[];
  taxonomy: Pick<Taxonomy, "categories">;
  logger: Logger;
}): Profiles {
  let loaded: LoadedProfiles = { profiles: new Map(), problems: [] };
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const listeners = new Set<() => void>();

  const read = async (): Promise<void> => {
    try {
      loaded = enabledToo(await loadProfiles(dir, taxonomy, { inForce: loaded.profiles }), enable);
    } catch (error) {
      logger.error({ dir, err: error }, "the folder of profiles cannot be read");
      return;
    }
    for (const { file, line, field, reason } of loaded.problems) {
      logger.warn({ file, line, field, reason }, "profile skipped");
    }
    const skipped = new Set(loaded.problems.map(({ file }) => file)).size;
    const unknown = enable.filter((name) => name !== ALL && !loaded.profiles.has(name));
    if (unknown.length > 0) logger.warn({ unknown }, "SCRAPER_ENABLE names profiles that are not there");
    logger.info({ dir, profiles: loaded.profiles.size, skipped }, "profiles loaded");
    for (const listener of listeners) listener();
  };
  const start = (): Promise<void> => {
    underWay = read().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  return {
    all: () => [...loaded.profiles.values()],
    get: (name) => loaded.profiles.get(name),
    problems: () => loaded.problems,
    reload() {
      if (underWay === undefined) return start();
      // The reading under way may have passed a file before it changed.
      next ??= underWay.then(() => {
        next = undefined;
        return start();
      });
      return next;
    },
    onReload(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const ALL = "all";

function enabledToo({ profiles, problems }: LoadedProfiles, enable: readonly string[]): LoadedProfiles {
  const effective = new Map<string, Profile>();
  for (const [name, profile] of profiles) {
    const enabled = profile.enabled || enable.includes(ALL) || enable.includes(name);
    effective.set(name, { ...profile, enabled });
  }
  return { profiles: effective, problems };
}

/** Editors write a file in several steps; one reading for all of them is enough. In milliseconds. */
const QUIET_MS = 150;

/**
 * Reloads the profiles whenever a file of the folder changes; returns how to stop that. A folder that cannot be watched
 * is logged: its changes then wait for `POST /profiles/reload`.
 */
export function watchProfiles(
  profiles: Pick<Profiles, "reload">,
  { dir, logger, quietMs = QUIET_MS }: { dir: string; logger: Logger; quietMs?: number },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Whatever its name: mounted folders change by a link being moved.
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void profiles.reload(), quietMs);
  };
  const cannot = (error: unknown): void => logger.warn({ dir, err: error }, "the folder of profiles cannot be watched");
  try {
    const watcher = watch(dir, { persistent: false }, changed);
    watcher.on("error", cannot);
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch (error) {
    cannot(error);
    return () => {};
  }
}

/**
 * Returns the canonical categories that a profile's map, or the category of one of its feeds and pages, can yield, in
 * the taxonomy's order.
 */
export function categoriesOf(profile: Profile, { categories }: Pick<Taxonomy, "categories">): string[] {
  const { category_map, feeds, sitemaps, list_pages } = profile;
  const labels = [...feeds, ...sitemaps, ...list_pages].flatMap(({ category }) => category ?? []);
  const yielded = new Set([...Object.values(category_map), ...labels.map((label) => category_map[label] ?? label)]);
  return categories.filter((category) => yielded.has(category));
}
