import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "@isnad/lib/cli";
import type { DemoClient, Found } from "./client.ts";
import type { DemoArticle } from "./newsroom.ts";
import type { DemoSearch } from "./searches.ts";

/** Posts the newsroom; the ids of its articles by external id, and how many were new. */
export async function bringIn(
  client: DemoClient,
  articles: readonly DemoArticle[],
): Promise<{ ids: Map<string, number>; accepted: number }> {
  const { counts, ids } = await client.post(articles);
  return { ids, accepted: counts.accepted ?? 0 };
}

/**
 * Returns once every article is indexed and both branches find it by its title. Throws CommandError after `timeoutMs`.
 */
export async function untilFound(
  client: DemoClient,
  articles: readonly DemoArticle[],
  ids: ReadonlyMap<string, number>,
  { signal, timeoutMs = 60_000, everyMs = 100 }: { signal: AbortSignal; timeoutMs?: number; everyMs?: number },
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const left = articles.filter((article) => ids.has(article.external_id));
  while (left.length > 0) {
    const [next] = left;
    const id = next === undefined ? undefined : ids.get(next.external_id);
    if (next === undefined || id === undefined || (await isFound(client, next, id))) {
      left.shift();
      continue;
    }
    if (performance.now() > deadline) {
      throw new CommandError(
        `${left.length} of ${articles.length} articles could not be found within ${timeoutMs / 1000} s`,
      );
    }
    await sleep(everyMs, undefined, { signal });
  }
}

async function isFound(client: DemoClient, { title, source_id: source }: DemoArticle, id: number): Promise<boolean> {
  const state = await client.state(id);
  if (state === "failed") throw new CommandError(`article ${id} could not be indexed`);
  if (state !== "indexed") return false;
  for (const mode of ["bm25", "vector"]) {
    const { hits } = await client.search({ q: title, mode, source, limit: "50" });
    if (!hits.some((hit) => hit.articleId === id)) return false;
  }
  return true;
}

/** A search of the demo with its answer: the rank of the article that should come first, from 1, and null when it is missing. */
export type Shown = { search: DemoSearch; found: Found; rank: number | null };

/** Runs the searches one after the other. */
export async function runSearches(
  client: DemoClient,
  searches: readonly DemoSearch[],
  ids: ReadonlyMap<string, number>,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const search of searches) {
    const found = await client.search({ q: search.query, mode: search.mode });
    const at = found.hits.findIndex((hit) => hit.articleId === ids.get(search.answer));
    shown.push({ search, found, rank: at < 0 ? null : at + 1 });
  }
  return shown;
}
