import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Tally } from "./outcome.ts";

/** How far an import of one file has come: every line up to `line` has its outcome in `tally`. */
export type ImportState = { runId: string; line: number; tally: Tally };

/** Where the state of one import is kept while it is unfinished. */
export type StateFile = {
  /** The state of an earlier, unfinished import of this very file to this very API; undefined when there is none. */
  load(): ImportState | undefined;
  save(state: ImportState): void;
  /** Forgets the state: the import is complete. */
  remove(): void;
};

/**
 * The state file under `dir` for importing `file` (as it is now: size and time of change count) into the API at `api`
 * with the mapping that `variant` stands for.
 */
export function openState(
  dir: string,
  { file, size, mtimeMs, api, variant }: { file: string; size: number; mtimeMs: number; api: string; variant: string },
): StateFile {
  const name = createHash("sha256")
    .update([resolve(file), size, mtimeMs, api, variant].join("\0"))
    .digest("hex");
  const path = join(dir, `${name.slice(0, 24)}.json`);
  return {
    load() {
      try {
        const state: unknown = JSON.parse(readFileSync(path, "utf8"));
        return isState(state) ? state : undefined;
      } catch {
        return undefined;
      }
    },
    save(state) {
      mkdirSync(dirname(path), { recursive: true });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(state));
      renameSync(draft, path);
    },
    remove() {
      rmSync(path, { force: true });
    },
  };
}

function isState(value: unknown): value is ImportState {
  if (typeof value !== "object" || value === null) return false;
  const { runId, line, tally } = value as Record<string, unknown>;
  return typeof runId === "string" && Number.isInteger(line) && typeof tally === "object" && tally !== null;
}
