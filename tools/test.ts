/**
 * `bun run test [FILE…]`: runs the tests in four processes, as much of a test is waiting, and files that fail beside
 * others once more alone (`second-look.ts`). Each process keeps the modules that it has loaded from file to file, and
 * the server of the test databases stays up meanwhile. Temporary files are kept in memory where there is enough, else,
 * or where `TEST_FOLDER=disk` says so, among the temporary files of the machine.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { testServer } from "@isnad/lib/store/testing";
import { runTests } from "./second-look.ts";
import { testFolder } from "./test-folder.ts";

/** Holds the memory with which four processes run the tests, in bytes; with less there are three. */
const MEMORY_FOR_FOUR = 12 * 2 ** 30;

/** Names the files that take longest, in their order: they start first, so that none is left alone at the end. */
const SLOW_FILES = [
  "lib/search/engines/engines.test.ts",
  "e2e/faults/trial.test.ts",
  "cli/demo/demo.test.ts",
  "e2e/commands.test.ts",
  "lib/work/queue/statement-limit.test.ts",
  "workers/damaged-models.test.ts",
  "nlp/retrieval/damaged-models.test.ts",
  "scraper/main.test.ts",
  "e2e/clients.test.ts",
  "e2e/compose/compose.test.ts",
  "workers/kill.test.ts",
  "lib/work/queue/faults.test.ts",
  "examples/examples.test.ts",
];

/** Returns what tells `bun test` the order of the files: how long each takes, as it keeps that itself. */
function order(root: string): { args: string[]; remove(): void } {
  const listed = spawnSync("git", ["ls-files", "*.test.ts"], { cwd: root, encoding: "utf8" });
  if (listed.status !== 0) return { args: [], remove() {} };
  const files = Object.fromEntries(listed.stdout.split("\n").map((file) => [file, 1]));
  SLOW_FILES.forEach((file, rank) => {
    files[file] = 1_000 * (SLOW_FILES.length - rank);
  });
  const dir = mkdtempSync(join(tmpdir(), "isnad-order-"));
  writeFileSync(join(dir, "timings.json"), JSON.stringify({ version: 1, files }));
  return { args: [`--timings=${join(dir, "timings.json")}`], remove: () => rmSync(dir, { recursive: true }) };
}

const folder = process.env.TEST_FOLDER === "disk" ? undefined : testFolder();
if (folder !== undefined) process.env.TMPDIR = folder.path;
const server = await testServer();
const root = fileURLToPath(new URL("..", import.meta.url));
const { args, remove } = order(root);
const code = await runTests([...args, ...process.argv.slice(2)], {
  root,
  processes: totalmem() >= MEMORY_FOR_FOUR ? 4 : 3,
  write: (text) => process.stdout.write(text),
});
remove();
await server.release();
folder?.remove();
process.exit(code);
