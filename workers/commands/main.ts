import { type AnyCommand, runCommand } from "@isnad/lib/cli";

/** The commands of the pull side by name; each is loaded when it is called. */
const COMMANDS: Record<string, () => Promise<AnyCommand>> = {
  "crawl:source": async () => (await import("./crawl-source.ts")).crawlSource,
  "news:pull": async () => (await import("./news-pull.ts")).newsPull,
  "scraper:sync-sources": async () => (await import("./sync-sources.ts")).syncSources,
  "sources:export": async () => (await import("./sources-export.ts")).sourcesExport,
  "sources:import": async () => (await import("./sources-import.ts")).sourcesImport,
  "sources:list": async () => (await import("./sources-list.ts")).sourcesList,
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
