/**
 * `bun e2e/faults/main.ts [kills|scaled|opensearch|meilisearch] [articles] [seed]`: imports made-up articles (5,000)
 * into a stack of its own while every process is killed in turn, the database too, and the workers at each stage, and
 * checks that each accepted article is indexed once in both indexes, ends its stages and has a story, and that the
 * webhooks of saved searches are told of each match once, in order, or again and marked. `kills`: 100 deaths during an
 * import of 400, of the workers in a stage at random, or of what follows the log. `scaled`: two processes of each
 * service, one of which is killed every few seconds. `opensearch`: a cluster of three nodes, one of which is killed,
 * three times. `meilisearch`: the server is killed and its data deleted, three times. Exit code 1 when not.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../../lib/std/random.ts";
import { type EngineUnderTrial, meilisearch, openSearchNodes } from "./engine.ts";
import { anyStageOrFollower, eitherOfTwo, FAULTS } from "./faults.ts";
import { faultsFound, runTrial, type TrialOptions } from "./trial.ts";

const ENGINES: Record<string, (dir: string, say: (line: string) => void) => Promise<EngineUnderTrial>> = {
  opensearch: (folder, tell) => openSearchNodes(folder, 3, tell),
  meilisearch,
};

const [, , name = ""] = process.argv;
const openEngine = ENGINES[name];
const isNamed = name === "scaled" || name === "kills" || openEngine !== undefined;
const numbers = process.argv.slice(isNamed ? 3 : 2);
const articles = Number(numbers[0] ?? (name === "kills" ? 400 : 5_000));
const seed = Number(numbers[1] ?? Date.now() % 1_000_000);
const say = (line: string) => process.stdout.write(`${line}\n`);

/** So slow that a process dies about every five seconds: 20 articles each half second, one death for 200 of them. */
const SCALED = {
  scale: "api=2,workers=2,retrieval=2,scraper=2,edge=2,nlp=2",
  pauseMs: 500,
  faults: eitherOfTwo(Math.max(1, Math.round(articles / 200)), seeded(seed)),
};

/** Deaths at random. */
const KILLS = 100;

const dir = mkdtempSync(join(tmpdir(), "isnad-faults-"));
say(`seed ${seed}`);
const engine = await openEngine?.(join(dir, "engine"), say);
const how: Pick<TrialOptions, "scale" | "pauseMs" | "faults" | "oneByOne" | "engine" | "stages"> =
  name === "scaled"
    ? SCALED
    : name === "kills"
      ? { faults: anyStageOrFollower(KILLS, seeded(seed)), oneByOne: true, stages: true }
      : engine
        ? { engine, faults: ["engine", "engine", "engine"] }
        : { faults: [...FAULTS, ...FAULTS], stages: true };
try {
  const report = await runTrial({
    dataDir: join(dir, "data"),
    articles,
    batch: name === "kills" ? Math.max(1, Math.round(articles / KILLS)) : 20,
    seed,
    say,
    alerts: engine === undefined,
    ...how,
  });
  for (const [name, value] of Object.entries(report)) say(`${name.padEnd(16)}${String(value).padStart(8)}`);
  const wrong = faultsFound(report);
  say(wrong.length === 0 ? "holds: nothing lost, nothing twice" : `MISSES: ${wrong.join(", ")}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await engine?.stop();
  rmSync(dir, { recursive: true, force: true });
}
