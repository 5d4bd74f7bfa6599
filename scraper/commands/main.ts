import { type AnyCommand, runCommand } from "@isnad/lib/cli";

/** The scraper's commands by name; each is loaded when it is called. */
const COMMANDS: Record<string, () => Promise<AnyCommand>> = {
  "eval:extraction": async () => (await import("./eval-extraction.ts")).evalExtraction,
  "eval:feeds": async () => (await import("./eval-feeds.ts")).evalFeeds,
  "scraper:extract": async () => (await import("./extract.ts")).scraperExtract,
  "scraper:feed": async () => (await import("./feed.ts")).scraperFeed,
  "scraper:run": async () => (await import("./run.ts")).scraperRun,
  "scraper:schema": async () => (await import("./schema.ts")).scraperSchema,
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
