/**
 * `bun run bench [section …]`: prints each ratio that this project promises beside its bound, all measured in this run.
 */
import { type Figure, holds, line } from "./rounds.ts";

/** A section measures some figures; larger `rounds` are steadier. */
const sections: Record<string, (rounds: number) => Promise<Figure[]>> = {
  validation: async (rounds) => (await import("./validation.ts")).validation(rounds),
  durable: async (rounds) => (await import("./store-articles.ts")).durable(rounds),
  admission: async (rounds) => (await import("./store-articles.ts")).admission(rounds),
  outbox: async (rounds) => (await import("./outbox.ts")).outbox(rounds),
  search: async (rounds) => (await import("./search/search.ts")).search(rounds),
  claims: async () => (await import("./claims.ts")).claims(),
  copies: async () => (await import("./copies.ts")).copies(),
  alerts: async () => (await import("./alerts.ts")).alerts(),
  overload: async () => (await import("./overload.ts")).overload(),
  check: async () => (await import("./check.ts")).check(),
  embed: async () => (await import("./models.ts")).embed(),
  rerank: async () => (await import("./models.ts")).rerank(),
  summaries: async () => (await import("./models.ts")).summaries(),
  door: async () => (await import("./door.ts")).door(),
  edge: async () => (await import("./edge.ts")).edge(),
  cost: async () => (await import("./cost.ts")).cost(),
  loop: async () => (await import("./overload.ts")).loop(),
  entities: async () => (await import("./models.ts")).entities(),
  morph: async () => (await import("./linguistic.ts")).morph(),
  ready: async () => (await import("./linguistic.ts")).ready(),
  ner: async (rounds) => (await import("./linguistic.ts")).ner(rounds),
  mixed: async () => (await import("./mixed.ts")).mixed(),
  footprint: async () => (await import("./footprint.ts")).footprint(),
  memory: async () => (await import("./footprint.ts")).memory(),
  extract: async (rounds) => (await import("./extract.ts")).extract(rounds),
  growth: async () => (await import("./growth.ts")).growth(),
  stories: async () => (await import("./stories.ts")).stories(),
  desk: async () => (await import("./desk.ts")).desk(),
  vectors: async () => (await import("./search/vectors.ts")).vectors(),
};

/** Sections that take so long that they are measured when they are named only. */
const LONG = new Set(["stories", "growth", "mixed", "footprint", "cost", "claims", "desk"]);

const asked = process.argv.slice(2).filter((name) => !name.startsWith("-"));
const unknown = asked.filter((name) => sections[name] === undefined);
if (unknown.length > 0 || process.argv.includes("--help")) {
  process.stderr.write(`usage: bun run bench [${Object.keys(sections).join("|")}] …\n`);
  process.exit(unknown.length > 0 ? 2 : 0);
}
const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
let missed = 0;
for (const [name, measure] of Object.entries(sections)) {
  if (asked.length > 0 ? !asked.includes(name) : LONG.has(name)) continue;
  for (const figure of await measure(rounds)) {
    process.stdout.write(`${line(figure)}\n`);
    if (!holds(figure)) missed++;
  }
}
process.exitCode = missed > 0 ? 1 : 0;
process.exit();
