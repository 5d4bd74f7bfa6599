/**
 * `bun run check [NAME…]`: what must hold of the sources before a change goes in; every check runs, and the names of
 * those that fail end the log.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath, URL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The checks, in the order in which they run. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  format: ["node_modules/.bin/biome", "format", "."],
  lint: ["node_modules/.bin/biome", "lint", "--error-on-warnings", "."],
  types: ["node_modules/.bin/tsc", "-p", ".", "--singleThreaded"],
  islands: ["node_modules/.bin/tsc", "-p", "api/desk/islands", "--singleThreaded"],
  "types-deno": ["node_modules/.bin/deno", "check", "--quiet", "."],
  code: [process.execPath, "tools/check-code.ts"],
  patterns: [process.execPath, "tools/patterns/check-patterns.ts"],
  env: [process.execPath, "tools/env-example.ts"],
  readme: [process.execPath, "tools/readme-check.ts"],
  lexicon: [process.execPath, "tools/lexicon/check-lexicon.ts"],
  clients: [process.execPath, "tools/clients/main.ts"],
  python: [process.execPath, "tools/check-python.ts"],
  profiles: [process.execPath, "cli/main.ts", "scraper:schema", "--check"],
  "text-under-deno": [
    "bash",
    "-c",
    "diff <(bun lib/text/testing-golden.ts) <(node_modules/.bin/deno run --quiet --allow-read --allow-env lib/text/testing-golden.ts)",
  ],
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  process.stderr.write(`usage: bun run check [${Object.keys(CHECKS).join("|")}] …\n`);
  process.exit(2);
}
const failed: string[] = [];
for (const [name, [program = "", ...args]] of Object.entries(CHECKS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`== ${name}\n`);
  const { status } = spawnSync(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) failed.push(name);
}
process.stdout.write(failed.length === 0 ? "all hold\n" : `failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
