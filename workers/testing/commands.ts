import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyCommand, runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { openStore, type Store } from "@isnad/lib/store";
import { testDatabase } from "@isnad/lib/store/testing";

type CommandResult = { code: number; out: string; err: string };

/** A database and a data folder for commands. */
type CommandBench = {
  store: Store;
  dir: string;
  databaseUrl: string;
  /** Runs a command with these arguments; `env` is added to its environment. */
  run(command: AnyCommand, argv: readonly string[], env?: Record<string, string>): Promise<CommandResult>;
  /** The same with `--json`, and what it printed as data. */
  json(
    command: AnyCommand,
    argv: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ code: number; data: unknown }>;
  close(): Promise<void>;
};

/** Opens a database, a data folder and an io for operator commands under test. */
export async function openCommandBench(): Promise<CommandBench> {
  const database = await testDatabase();
  const dir = await mkdtemp(join(tmpdir(), "isnad-command-"));
  const store = openStore(database.url, { max: 2 });
  const run: CommandBench["run"] = async (command, argv, env = {}) => {
    const captured = captureIo({ DATABASE_URL: database.url, DATA_DIR: dir, ...env });
    const code = await runCommand(command, argv, captured.io);
    return { code, out: captured.out(), err: captured.err() };
  };
  return {
    store,
    dir,
    databaseUrl: database.url,
    run,
    async json(command, argv, env) {
      const { code, out } = await run(command, [...argv, "--json"], env);
      return { code, data: JSON.parse(out) };
    },
    async close() {
      await store.close();
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
