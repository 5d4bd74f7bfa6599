import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "@isnad/lib/service/config";
import { runMain } from "../../../lib/service/process/run-main.ts";
import { runUp } from "../run-up.ts";
import { services } from "../services.ts";

/** `up` over those of its services that a test needs, which its arguments name. */
const names = process.argv.slice(2);
await runMain((signal) =>
  runUp(
    {
      config: loadConfig(process.env),
      services: services.filter(({ name }) => names.includes(name)),
      env: process.env,
      root: join(dirname(fileURLToPath(import.meta.url)), "../../.."),
      write: (text) => process.stdout.write(text),
    },
    signal,
  ),
);
