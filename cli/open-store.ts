import { CommandError } from "@isnad/lib/service/cli";
import { type Config, type Env, loadConfig } from "@isnad/lib/service/config";
import { ensurePostgres, migrate, type OffState, openStore, type Store } from "@isnad/lib/store";

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
 * Opens the database that the environment names; the embedded one is started when nobody has. Its schema is brought up
 * to date.
 */
export async function openCommandStore(env: Env): Promise<OpenStore> {
  await using opened = new AsyncDisposableStack();
  const config = loadConfig(env);
  const postgres = await ensurePostgres({ dataDir: config.dataDir, databaseUrl: config.databaseUrl });
  opened.defer(() => postgres.release());
  await migrate(postgres.url);
  const store = openStore(postgres.url, { max: 4, name: "isnad-command" });
  opened.defer(() => store.close());
  const kept = opened.move();
  return { config, store, databaseUrl: postgres.url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
