/**
 * `bun e2e/faults/main.ts [scaled] [articles] [seed]`: imports made-up articles (5,000) into a stack of its own while
 * every process is killed in turn, the database too, and checks that each accepted article is indexed once in both
 * indexes. `scaled`: two processes of each service, one of which is killed every few seconds. Exit code 1 when not.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randoms } from "./articles.ts";
import { eitherOfTwo, FAULTS } from "./faults.ts";
import { faultsFound, runTrial, type TrialOptions } from "./trial.ts";

const scaled = process.argv[2] === "scaled";
const numbers = process.argv.slice(scaled ? 3 : 2);
const articles = Number(numbers[0] ?? 5_000);
const seed = Number(numbers[1] ?? Date.now() % 1_000_000);
const say = (line: string) => process.stdout.write(`${line}\n`);

/** So slow that a process dies about every five seconds: 20 articles each half second, one death for 200 of them. */
const SCALED = {
  scale: "api=2,workers=2,retrieval=2,scraper=2,edge=2,nlp=2",
  pauseMs: 500,
  faults: eitherOfTwo(Math.max(1, Math.round(articles / 200)), randoms(seed)),
};
const how: Pick<TrialOptions, "scale" | "pauseMs" | "faults"> = scaled ? SCALED : { faults: [...FAULTS, ...FAULTS] };

const dataDir = mkdtempSync(join(tmpdir(), "isnad-faults-"));
say(`seed ${seed}`);
try {
  const report = await runTrial({ dataDir, articles, batch: 20, seed, say, ...how });
  for (const [name, value] of Object.entries(report)) say(`${name.padEnd(16)}${String(value).padStart(8)}`);
  const wrong = faultsFound(report);
  say(wrong.length === 0 ? "holds: nothing lost, nothing twice" : `MISSES: ${wrong.join(", ")}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
