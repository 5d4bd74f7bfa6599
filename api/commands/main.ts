import { type AnyCommand, runCommand } from "@isnad/lib/cli";

/** The operator commands by name; each is loaded when it is called. */
const COMMANDS: Record<string, () => Promise<AnyCommand>> = {
  "article:delete": async () => (await import("./article-delete.ts")).articleDelete,
  "articles:import": async () => (await import("./articles-import.ts")).articlesImport,
  models: async () => (await import("@isnad/lib/inference")).models,
  "search:reindex": async () => (await import("./search-reindex.ts")).searchReindex,
  "search:setup": async () => (await import("./search-setup.ts")).searchSetup,
};

const [name = "", ...argv] = process.argv.slice(2);
const command = await COMMANDS[name]?.();
if (command === undefined) {
  process.stderr.write(`${name || "a command"}: unknown; there are ${Object.keys(COMMANDS).join(", ")}\n`);
  process.exitCode = 2;
} else {
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort());
  process.exitCode = await runCommand(command, argv, {
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: abort.signal,
  });
}
