import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError, createProgress, defineCommand, writeJson } from "@isnad/lib/service/cli";
import { BackupError, checkBackupFile, writeBackupFile } from "@isnad/lib/store";
import { openCommandStore } from "../sources/open-store.ts";

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
