import { item, testApi } from "../api/testing.ts";
import { longestTurn } from "./event-loop.ts";
import { type Figure, median } from "./rounds.ts";

const ROUNDS = 9;
const AIM_MS = 10;

/** Bodies near the limit of a request; each call makes articles that were never sent. */
const BODIES: Record<string, () => Record<string, unknown>[]> = {
  "a full batch of long articles": () => many(100, (n) => `${n} ${"ع ".repeat(3_500)}`),
  "a full batch of markup": () => many(100, (n) => `${n} ${'<p class="x">كلمة<br/>جملة &amp; أخرى</p>'.repeat(190)}`),
  "one article of 1.4 MB": () => many(1, () => "ع ".repeat(450_000)),
  "one article of 1.4 MB of markup": () => many(1, () => "<p>كلمة <b>x</b></p>".repeat(55_000)),
};

/**
 * How long the largest ingest requests keep the event loop of the API: the most processor time that its thread spends
 * on one thing, the median of some requests of each kind.
 */
export async function ingestLoop(): Promise<Figure[]> {
  const api = await testApi();
  try {
    const figures: Figure[] = [];
    for (const [name, articles] of Object.entries(BODIES)) {
      await api.post({ articles: articles() });
      const longest: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const body = JSON.stringify({ articles: articles() });
        longest.push((await longestTurn(() => api.post(body))).ms);
      }
      figures.push({
        name: `loop: ms that ${name} keeps it`,
        value: median(longest),
        bound: { atMost: AIM_MS },
        detail: `longest ${Math.max(...longest).toFixed(1)} of ${ROUNDS}`,
      });
    }
    return figures;
  } finally {
    await api.close();
  }
}

let sent = 0;

function many(count: number, content: (n: number) => string): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) => {
    const id = `loop-${++sent}`;
    return item({ external_id: id, content: `${id} ${content(n)}` });
  });
}
