import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "@isnad/lib/service/config";
import { runMain } from "../../../lib/service/process/run-main.ts";
import { runUp } from "../run-up.ts";

/** `up` over one small service, for tests: the same code as the real one, without the time that real services take. */
await runMain((signal) =>
  runUp(
    {
      config: loadConfig(process.env),
      services: [{ name: "fake", entry: "fake-entry.ts", portOption: "FAKE_PORT", healthPath: "/health", shown: true }],
      env: process.env,
      root: dirname(fileURLToPath(import.meta.url)),
      write: (text) => process.stdout.write(text),
      onRestartAsked: (restart) => process.on("SIGUSR2", restart),
    },
    signal,
  ),
);
