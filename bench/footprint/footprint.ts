import { setTimeout as sleep } from "node:timers/promises";
import { dataFolder } from "../../eval/retrieval-sets.ts";
import { atOnce } from "../mixed.ts";
import { mixedRoutes } from "../mixed-routes.ts";
import { importNews, newsRows, stagesEnd, withStack } from "../news-stack.ts";
import { footprintOf } from "../processes.ts";
import type { Figure } from "../rounds.ts";
import { linguisticFootprint } from "./linguistic.ts";

/** Articles of the archive; BENCH_ARTICLES sets another number. */
const ARTICLES = 10_000;
const LOAD_S = 60;
const STAGES_MAX_MS = 600_000;
/** Time after which a runtime has given back what it does not need, in milliseconds. */
const QUIET_MS = 20_000;
/** Ceilings of the whole stack, in MB (PSS). */
const AT_REST_MB = 600;
const WITH_ARTICLES_MB = 1_000;
/** Growth that counts as none: what six runtimes' heaps come and go by. */
const FLAT_MB = 150;

/**
 * Measures how much memory each process of the stack takes (PSS): at rest with an empty archive, with 10,000 articles,
 * after a mixed load, and after another one, from which on it is to be flat; then the linguistic service alone over
 * 10,000 requests.
 */
export async function footprint(): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) {
    process.stderr.write("footprint of the stack: skipped, no shared data (ISNAD_SHARED)\n");
    return await linguisticFootprint();
  }
  const stack = await stackFootprint(folder, Number(process.env.BENCH_ARTICLES ?? ARTICLES));
  return process.env.BENCH_ARTICLES === undefined ? [...stack, ...(await linguisticFootprint())] : stack;
}

async function stackFootprint(folder: string, count: number): Promise<Figure[]> {
  const edgeKey = "bench-footprint";
  return await withStack({ EDGE_API_KEY: edgeKey, SUMMARIZE_RATE_PER_MIN: "100000" }, async (stack) => {
    const looks: { when: string; mb: Record<string, number> }[] = [];
    const look = async (when: string): Promise<void> => {
      await sleep(QUIET_MS);
      looks.push({ when, mb: footprintOf(stack) });
    };
    await look("at rest");
    const rows = newsRows(folder, count);
    if (rows.length > 0) {
      await importNews(stack, rows);
      const left = await stagesEnd(stack, STAGES_MAX_MS);
      await look(`${rows.length} articles`);
      process.stderr.write(`${left} articles wait for a stage\n`);
      const { urls, tokens } = stack.info();
      const routes = mixedRoutes({ urls, ingestToken: tokens.ingest, edgeKey }, rows);
      for (const when of ["after load", "after more"]) {
        await atOnce(routes, LOAD_S);
        await look(when);
      }
    }
    show(looks);
    const [rest = 0, filled = 0, loaded = 0, last = 0] = looks.map(({ mb }) => totalOf(mb));
    const detail = `PSS of all processes, ${rows.length} articles`;
    const atRest = { name: "footprint: at rest, MB", value: rest, bound: { atMost: AT_REST_MB }, detail };
    if (rows.length === 0) return [atRest];
    return [
      atRest,
      { name: "footprint: with articles, MB", value: filled, bound: { atMost: WITH_ARTICLES_MB }, detail },
      { name: "footprint: growth by a second load, MB", value: last - loaded, bound: { atMost: FLAT_MB }, detail },
    ];
  });
}

const totalOf = (mb: Record<string, number>): number => Object.values(mb).reduce((sum, each) => sum + each, 0);

function show(looks: readonly { when: string; mb: Record<string, number> }[]): void {
  const row = (name: string, values: readonly (string | number)[]): string =>
    `${name.padEnd(14)}${values.map((value) => (typeof value === "number" ? value.toFixed(0) : value).padStart(16)).join("")}\n`;
  process.stderr.write(
    row(
      "MB (PSS)",
      looks.map(({ when }) => when),
    ),
  );
  for (const name of Object.keys(looks[0]?.mb ?? {})) {
    process.stderr.write(
      row(
        name,
        looks.map(({ mb }) => mb[name] ?? 0),
      ),
    );
  }
  process.stderr.write(
    row(
      "together",
      looks.map(({ mb }) => totalOf(mb)),
    ),
  );
}
