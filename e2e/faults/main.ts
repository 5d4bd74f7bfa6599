/**
 * `bun e2e/faults/main.ts [articles] [seed]`: imports made-up articles (5,000) into a stack of its own while every
 * process is killed in turn, the database too, and checks that each accepted article is indexed once in both indexes.
 * Exit code 1 when not.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAULTS } from "./faults.ts";
import { faultsFound, runTrial } from "./trial.ts";

const articles = Number(process.argv[2] ?? 5_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const say = (line: string) => process.stdout.write(`${line}\n`);

const dataDir = mkdtempSync(join(tmpdir(), "isnad-faults-"));
say(`seed ${seed}`);
try {
  const report = await runTrial({ dataDir, articles, batch: 20, faults: [...FAULTS, ...FAULTS], seed, say });
  for (const [name, value] of Object.entries(report)) say(`${name.padEnd(16)}${String(value).padStart(8)}`);
  const wrong = faultsFound(report);
  say(wrong.length === 0 ? "holds: nothing lost, nothing twice" : `MISSES: ${wrong.join(", ")}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
