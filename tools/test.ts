/**
 * `bun run test [FILE…]`: runs the tests in five processes, as much of a test is waiting, and files that fail beside
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

/** Holds the memory that a process is given, in bytes: with less than five have there are fewer, three at the least. */
const MEMORY = 3 * 2 ** 30;

/**
 * Names the files that take longest, in their order: they start first, so that none is left alone at the end. Those
 * that wait stand among those that start processes, which would keep each other from the processor.
 */
const SLOW_FILES = [
  "cli/demo/demo.test.ts",
  "lib/search/engines/engines.test.ts",
  "lib/work/queue/statement-limit.test.ts",
  "e2e/faults/trial.test.ts",
  "lib/work/queue/faults.test.ts",
  "e2e/clients.test.ts",
  "lib/store/embedded/ensure.test.ts",
  "e2e/commands.test.ts",
  "api/frozen.test.ts",
  "workers/damaged-models.test.ts",
  "workers/main.test.ts",
  "lib/store/frozen.test.ts",
  "nlp/retrieval/damaged-models.test.ts",
  "e2e/desk/frame.test.ts",
  "scraper/main.test.ts",
  "lib/store/scraper/polite-processes.test.ts",
  "e2e/compose/compose.test.ts",
  "workers/kill.test.ts",
  "scraper/runs/killed.test.ts",
  "examples/examples.test.ts",
  "lib/search/vector/vector-index.test.ts",
  "workers/outbox/relay.test.ts",
  "api/main.test.ts",
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
  processes: Math.max(3, Math.min(5, Math.floor(totalmem() / MEMORY))),
  write: (text) => process.stdout.write(text),
});
remove();
await server.release();
folder?.remove();
process.exit(code);
