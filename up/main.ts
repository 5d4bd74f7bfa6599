/**
 * `bun run up [--scale SERVICE=N,…]`: starts the whole stack and keeps it running until Ctrl-C. Everything else comes
 * from the environment. SIGUSR2 starts every process anew, one after another.
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "../lib/config/index.ts";
import { runMain } from "../lib/process/run-main.ts";
import { runUp } from "./run-up.ts";
import { scaleArgument } from "./scale.ts";
import { services } from "./services.ts";

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
      root: dirname(dirname(fileURLToPath(import.meta.url))),
      write: (text) => {
        if (heard) process.stdout.write(text);
      },
      scale: scaleArgument(process.argv.slice(2)),
      onRestartAsked: (restart) => process.on("SIGUSR2", restart),
    },
    signal,
  );
});
