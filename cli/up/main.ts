/**
 * `bun run up [--scale SERVICE=N,…]`: starts the whole stack and keeps it running until Ctrl-C. Everything else comes
 * from the environment. SIGUSR2 starts every process again, one after another.
 */
import { fileURLToPath, URL } from "node:url";
import { UsageError } from "../../lib/service/cli/command.ts";
import { loadConfig } from "@isnad/lib/service/config";
import { runMain } from "../../lib/service/process/run-main.ts";
import { type CommandLine, HELP, readCommandLine, services } from "./services.ts";
import { runUp } from "./run-up.ts";

const { help, scale } = commandLine();
if (help) {
  process.stdout.write(HELP);
  process.exit(0);
}

await runMain(async (signal) => {
  let heard = true;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => {
      // Whoever read the log has gone (`bun run up | head`, a closed terminal); the stack goes on, or ends in order.
      heard = false;
    });
  }
  await runUp(
    {
      config: loadConfig(process.env),
      services,
      env: process.env,
      root: fileURLToPath(new URL("../..", import.meta.url)),
      write: (text) => {
        if (heard) process.stdout.write(text);
      },
      scale,
      onRestartAsked: (restart) => process.on("SIGUSR2", restart),
    },
    signal,
  );
});

function commandLine(): CommandLine {
  try {
    return readCommandLine(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nTry: bun run up --help\n`);
    process.exit(2);
  }
}
