import { rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CommandError, createProgress, defineCommand, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { BackupError, checkBackupFile, ensurePostgres, restoreBackupFile, writeBackupFile } from "@isnad/lib/store";
import { openCommandStore } from "../open-store.ts";

/** `backup`: writes the whole database to a file. */
export const backup = defineCommand({
  name: "backup",
  summary: "Writes the whole database to one compressed file, while everything runs.",
  positionals: { usage: "FILE", min: 1, max: 1 },
  options: {},
  details: `The file holds one moment of the database: every article with its passages, vectors, entities, relations and
revisions, the sources, runs, events and keys. It has a manifest with the count and SHA-256 of every table, and is read
again and checked before the command ends. It can be restored onto any version of PostgreSQL from 14 on. Not in it are
what is made again (the keyword index, snapshots of vectors, queues) and the files of DATA_DIR (tokens, pulled models).`,
  async run({ positionals }, { env, json, signal, stdout, stderr }) {
    const path = resolve(positionals[0] ?? "");
    await using opened = await openCommandStore(env);
    const progress = createProgress(stderr);
    try {
      const onProgress = (table: string, rows: number) => progress.update(0, undefined, `${table}: ${rows} rows`);
      await writeBackupFile(opened.databaseUrl, path, { signal, onProgress });
      progress.update(0, undefined, "reading it again");
      const { manifest } = await checkBackupFile(path);
      const { size } = await stat(path);
      const rows = Object.fromEntries(manifest.tables.map(({ name, rows: count }) => [name, count]));
      progress.clear();
      if (json) writeJson(stdout, { file: path, bytes: size, rows });
      else stdout.write(`${path}: ${rows.articles ?? 0} articles, ${size} bytes\n`);
      return 0;
    } catch (cause) {
      throw cause instanceof BackupError ? new CommandError(cause.message, { cause }) : cause;
    } finally {
      progress.clear();
    }
  },
});

/** `restore`: puts a backup into the database. */
export const restore = defineCommand({
  name: "restore",
  summary: "Puts a backup into an empty database, or in the place of what is there.",
  positionals: { usage: "FILE", min: 1, max: 1 },
  options: {
    replace: { kind: "flag", help: "let it take the place of what the database holds" },
    check: { kind: "flag", help: "only read the file and check that it is whole" },
  },
  details: `The database is the one of DATABASE_URL, else the embedded one of DATA_DIR; no service may use it meanwhile.
The whole file is read and checked first, and then put in by one transaction: whatever goes wrong, nothing has changed.
The keyword index of DATA_DIR is removed; workers and retrieval service make all indexes equal to the database when they start.`,
  async run({ values, positionals }, { env, json, stdout, stderr }) {
    const path = resolve(positionals[0] ?? "");
    const progress = createProgress(stderr);
    try {
      progress.update(0, undefined, "reading it");
      const { header, manifest } = await checkBackupFile(path);
      const rows = Object.fromEntries(manifest.tables.map(({ name, rows: count }) => [name, count]));
      if (!values.check) {
        const onProgress = (table: string, bytes: number) => progress.update(0, undefined, `${table}: ${bytes} bytes`);
        await putIn(env, path, { replace: values.replace, onProgress });
      }
      progress.clear();
      if (json) writeJson(stdout, { file: path, createdAt: header.createdAt, restored: !values.check, rows });
      else
        stdout.write(
          `${path} of ${header.createdAt}: ${rows.articles ?? 0} articles${values.check ? ", whole" : ""}\n`,
        );
      return 0;
    } catch (cause) {
      throw cause instanceof BackupError ? new CommandError(cause.message, { cause }) : cause;
    } finally {
      progress.clear();
    }
  },
});

async function putIn(
  env: Record<string, string | undefined>,
  path: string,
  options: { replace: boolean; onProgress(table: string, bytes: number): void },
): Promise<void> {
  const { dataDir, databaseUrl } = loadConfig(env);
  const postgres = await ensurePostgres({ dataDir, databaseUrl });
  try {
    await restoreBackupFile(postgres.url, path, options);
    await rm(join(dataDir, "keyword"), { recursive: true, force: true });
  } finally {
    await postgres.release();
  }
}
