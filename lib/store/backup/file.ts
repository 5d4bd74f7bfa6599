import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { pipeline as pipe } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { BackupError, type BackupHeader, type BackupManifest, readBackup } from "./read.ts";
import { migrationsOf, restoreBackup } from "./load.ts";
import { backupBytes, type BackupProgress } from "./write.ts";

/** Compressing harder takes several times as long for a tenth less. */
const LEVEL = 3;

/**
 * Writes a backup of the database at `url` to `path`, compressed, readable by its owner alone. The file appears when it
 * is whole and on disk. Throws {@link BackupError} when there is one of that name; rejects with the signal's reason.
 */
export async function writeBackupFile(
  url: string,
  path: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: BackupProgress },
): Promise<void> {
  // Process ids do not tell containers apart that share a folder.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const out = createWriteStream(temporary, { flags: "wx", mode: 0o600 });
    await pipeline(backupBytes(url, onProgress), createGzip({ level: LEVEL }), out, { signal });
    const file = await open(temporary, "r+");
    await file.sync();
    await file.close();
    await link(temporary, path).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === "EEXIST" ? new BackupError(`${path} is there already`, { cause }) : cause;
    });
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Reads a whole backup and checks it: what it is of, and what it holds. Throws {@link BackupError} when it was cut
 * short, altered, or made by a later version.
 */
export async function checkBackupFile(path: string): Promise<{ header: BackupHeader; manifest: BackupManifest }> {
  let header: BackupHeader | undefined;
  for await (const part of parts(path)) {
    if (part.kind === "header") {
      ({ header } = part);
      await migrationsOf(header);
    }
    if (part.kind === "manifest" && header !== undefined) return { header, manifest: part.manifest };
  }
  throw new BackupError("the backup was cut short");
}

/** Checks a backup, and then restores it as {@link restoreBackup} does. */
export async function restoreBackupFile(
  url: string,
  path: string,
  options: { replace?: boolean; onProgress?: BackupProgress },
): Promise<BackupManifest> {
  await checkBackupFile(path);
  return await restoreBackup(url, parts(path), options);
}

function parts(path: string) {
  const unpacked = createGunzip();
  // A failure of either is what reading the second throws.
  pipe(createReadStream(path), unpacked, () => {});
  return readBackup(unpacked);
}
