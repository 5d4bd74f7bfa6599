import { withSlip } from "../../eval/tasks/typed-queries.ts";
import { at } from "@isnad/lib/std";
import { seeded } from "../../lib/std/random.ts";
import { type Figure, median, quantile } from "../rounds.ts";

/** Words of a headline that are asked with. */
const WORDS = 2;
/** Letters that are left of a word that is only begun. */
const BEGUN_UNITS = 4;
/** Letters of a headline that are typed before suggestions are asked for. */
const TYPED_UNITS = [2, 3, 4, 6, 9, 12];

/**
 * Searches as people type them, by word and in turns: two words of a headline, one of them misspelt, the last only
 * begun; and suggestions for what was typed of it.
 */
export async function asTyped(retrieval: string, queries: readonly string[], over: string): Promise<Figure[]> {
  const times = { plain: [] as number[], misspelt: [] as number[], begun: [] as number[], suggested: [] as number[] };
  const random = seeded(1);
  const ask = async (path: string, params: Record<string, string>): Promise<number> => {
    const start = performance.now();
    const response = await fetch(`${retrieval}${path}?${new URLSearchParams(params)}`);
    await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return performance.now() - start;
  };
  for (const [i, query] of queries.entries()) {
    const words = query
      .split(" ")
      .filter((word) => /^\p{L}{4,}$/u.test(word))
      .slice(0, WORDS);
    const last = words.at(-1);
    if (words.length < WORDS || last === undefined) continue;
    const before = words.slice(0, -1).join(" ");
    const mode = "bm25";
    times.plain.push(await ask("/search", { mode, q: words.join(" ") }));
    times.misspelt.push(await ask("/search", { mode, q: `${before} ${withSlip(last, random)}` }));
    times.begun.push(await ask("/search", { mode, q: `${before} ${last.slice(0, BEGUN_UNITS)}`, prefix: "true" }));
    times.suggested.push(await ask("/suggest", { q: query.slice(0, at(TYPED_UNITS, i % TYPED_UNITS.length)) }));
  }
  const plain = median(times.plain);
  const beside = (name: string, ms: readonly number[]): Figure => ({
    name: `${name} / plain search p50, ${over}`,
    value: median(ms) / plain,
    bound: { atMost: 1.5 },
    detail: `${median(ms).toFixed(2)} / ${plain.toFixed(2)} ms, p99 ${quantile(ms, 0.99).toFixed(1)} ms`,
  });
  return [
    beside("a typing error", times.misspelt),
    beside("a word begun", times.begun),
    {
      name: `suggestions p95, ms, ${over}`,
      value: quantile(times.suggested, 0.95),
      bound: { atMost: 5 },
      detail: `p50 ${median(times.suggested).toFixed(2)}, p99 ${quantile(times.suggested, 0.99).toFixed(1)} ms`,
    },
  ];
}
