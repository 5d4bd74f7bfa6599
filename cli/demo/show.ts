import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "@isnad/lib/service/cli";
import type { DemoClient, Found } from "./client.ts";
import type { DemoArticle } from "./newsroom.ts";
import type { DemoSearch } from "./searches.ts";

/**
 * Returns once both branches find every article of `source` by its title: the articles' ids by slug. Throws
 * CommandError after `timeoutMs`.
 */
export async function untilFound(
  client: Pick<DemoClient, "search">,
  articles: readonly DemoArticle[],
  options: { source: string; signal: AbortSignal; timeoutMs?: number; everyMs?: number },
): Promise<Map<string, number>> {
  const { source, signal, timeoutMs = 60_000, everyMs = 100 } = options;
  const deadline = performance.now() + timeoutMs;
  const ids = new Map<string, number>();
  for (const { slug, title } of articles) {
    for (;;) {
      const id = await idOf(client, title, source);
      if (id !== undefined) {
        ids.set(slug, id);
        break;
      }
      if (performance.now() > deadline) {
        const left = articles.length - ids.size;
        throw new CommandError(
          `${left} of ${articles.length} articles could not be found within ${timeoutMs / 1000} s`,
        );
      }
      await sleep(everyMs, undefined, { signal });
    }
  }
  return ids;
}

/** The id of the article of this title, once both branches find it. */
async function idOf(client: Pick<DemoClient, "search">, title: string, source: string): Promise<number | undefined> {
  const find = async (mode: string) => {
    const { results } = await client.search({ q: title, mode, source, limit: "50" });
    return results.find((hit) => hit.title === title)?.article_id;
  };
  const id = await find("bm25");
  return id !== undefined && (await find("vector")) === id ? id : undefined;
}

/**
 * A search of the demo with its answer: the rank of the article that should come first, from 1, and null when it is
 * missing.
 */
export type Shown = { search: DemoSearch; found: Found; rank: number | null };

/** Runs the searches one after the other. */
export async function runSearches(
  client: Pick<DemoClient, "search">,
  searches: readonly DemoSearch[],
  ids: ReadonlyMap<string, number>,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const search of searches) {
    const body = await client.search({ q: search.query, mode: search.mode });
    const at = body.results.findIndex((hit) => hit.article_id === ids.get(search.answer));
    shown.push({ search, found: body, rank: at < 0 ? null : at + 1 });
  }
  return shown;
}
