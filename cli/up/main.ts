/**
 * `bun run up [--scale SERVICE=N,…]`: starts the whole stack and keeps it running until Ctrl-C. Everything else comes
 * from the environment. SIGUSR2 starts every process again, one after another.
 */
import { fileURLToPath, URL } from "node:url";
import { UsageError } from "../../lib/service/cli/command.ts";
import { loadConfig } from "@isnad/lib/service/config";
import { runMain } from "../../lib/service/process/run-main.ts";
import { type CommandLine, readCommandLine, services } from "./services.ts";
import { runUp } from "./run-up.ts";

/** The text of `bun run up --help`. */
const HELP = `Starts the whole stack: database, migrations, every service; stops it on Ctrl-C.

Usage: bun run up [options]

Options:
  --scale=SERVICE=N[,SERVICE=N…]  processes of each service (default one; also UP_SCALE)
  --help                          print this help

Everything else comes from the environment; .env.example lists it. Once every service answers, one line says ready and
the URLs; run.json in DATA_DIR has the URLs, the tokens and the process ids. SIGUSR2 starts every process anew.

Exit codes: 0 stopped, 1 not started or ended by itself, 2 wrong usage.
`;

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
