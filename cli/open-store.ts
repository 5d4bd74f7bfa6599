import { resolve } from "node:path";
import { CommandError } from "@isnad/lib/service/cli";
import { type Config, type Env, loadConfig } from "@isnad/lib/service/config";
import { ensurePostgres, hasCluster, migrate, type OffState, openStore, type Store } from "@isnad/lib/store";

/** Refuses to fetch a source by hand that somebody switched off or removed. @throws CommandError */
export function requireOn(key: string, state: OffState | undefined): void {
  if (state !== undefined) throw new CommandError(`the source ${key} is ${state}; --force fetches it all the same`);
}

/** The database as a command uses it. */
export type OpenStore = {
  config: Config;
  store: Store;
  databaseUrl: string;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Opens the database that the environment names; the embedded one is started when nobody has, and made by a command
 * that `creates` something. Its schema is brought up to date.
 *
 * @throws CommandError Where there is none: a wrong DATA_DIR must not be taken for an empty archive.
 */
export async function openCommandStore(env: Env, { creates = false } = {}): Promise<OpenStore> {
  await using opened = new AsyncDisposableStack();
  const config = loadConfig(env);
  if (!creates && config.databaseUrl === undefined && !hasCluster(config.dataDir)) {
    throw new CommandError(
      `there is no database in ${resolve(config.dataDir)}: set DATA_DIR to the folder that has it (\`bun run up\` makes one)`,
    );
  }
  const postgres = await ensurePostgres({ dataDir: config.dataDir, databaseUrl: config.databaseUrl });
  opened.defer(() => postgres.release());
  await migrate(postgres.url);
  const store = openStore(postgres.url, { max: 4, name: "isnad-command" });
  opened.defer(() => store.close());
  const kept = opened.move();
  return { config, store, databaseUrl: postgres.url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
