import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { OptionDoc } from "../lib/service/config/option.ts";
import { options } from "../lib/service/config/options.ts";

/** The text of `.env.example`: every option with its documentation, its default commented out. */
export function envExample(docs: readonly OptionDoc[]): string {
  const intro = [
    "# Every option of every service. Copy to .env and uncomment what you change; nothing has to be set.",
    "# A secret can also be given as a file: NAME_FILE=/path/to/file.",
  ];
  const entries = docs.map(({ name, default: value, unit, doc, secret }) =>
    [`# ${doc}`, `# ${[unit, ...(secret ? ["secret"] : [])].join(", ")}`, `#${name}=${value}`].join("\n"),
  );
  return `${[intro.join("\n"), ...entries].join("\n\n")}\n`;
}

/** Tells whether the file is what the options say; with `write`, makes it so. */
export function syncEnvExample(path: string, { write = false } = {}): boolean {
  const content = envExample(options);
  if (write) writeFileSync(path, content);
  return existsSync(path) && readFileSync(path, "utf8") === content;
}

if (import.meta.main) {
  const path = fileURLToPath(new URL("../.env.example", import.meta.url).href);
  if (!syncEnvExample(path, { write: process.argv.includes("--write") })) {
    process.stderr.write(".env.example is not what the options say; run: bun run env:example\n");
    process.exitCode = 1;
  }
}
