import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivate } from "../../lib/service/process/files.ts";
import { StartError } from "./stack.ts";

const REASONS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EEXIST: "there is a file of that name",
  ENOTDIR: "a part of the path is a file",
};

/**
 * Makes the data folder, for its owner alone, and sees that files can be made in it. Throws {@link StartError} saying
 * why not.
 */
export function prepareDataFolder(dataDir: string): void {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    makePrivate(dataDir);
    writeFileSync(probe, "probe");
    rmSync(probe);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    throw new StartError(`DATA_DIR ${dataDir} cannot be written: ${REASONS[code] ?? error.message}`);
  }
}
