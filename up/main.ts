/** `bun run up`: starts the whole stack and keeps it running until Ctrl-C. Everything comes from the environment. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "../lib/config/index.ts";
import { runMain } from "../lib/process/run-main.ts";
import { runUp } from "./run-up.ts";
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
    },
    signal,
  );
});
