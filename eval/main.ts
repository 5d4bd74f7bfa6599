/** `bun run eval`: what the platform's models and its search reach on public sets, or on a set of your own. */
import { runCommand } from "@isnad/lib/cli";
import { evaluate } from "./evaluate.ts";

const abort = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort());
process.exitCode = await runCommand(evaluate, process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: abort.signal,
});
