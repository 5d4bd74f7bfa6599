import { runCommand } from "@isnad/lib/cli";
import { demo } from "./demo.ts";

const abort = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => abort.abort());
process.exitCode = await runCommand(demo, process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: abort.signal,
});
