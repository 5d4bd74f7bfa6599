import { setTimeout as sleep } from "node:timers/promises";
import { createServer } from "node:http";
import { WebhookEvent } from "@isnad/lib/contract";
import { at, parseJson } from "@isnad/lib/std";
import { madeUpArticle, type Stack } from "./stack.ts";

/** Holds what a webhook was told: of which search and article, under which number, and whether as said before. */
export type Told = { searchId: number; eventId: number; articleId: number; repeated: boolean };

/** Holds what is wrong with what webhooks were told; every number should be 0. */
export type AlertsAudit = {
  /** Matches that were never told, and articles that were told of and do not match, or under two numbers. */
  alertsMissing: number;
  alertsWrong: number;
  /** Events that came for the first time after one of a higher number. */
  alertsUnordered: number;
  /** Events that came again and did not say so. */
  alertsUnmarked: number;
};

/** Searches that are kept during a trial, each with the made-up articles that match it. */
const SEARCHES = [
  { query: { source: "made-up", mode: "bm25" }, holds: () => true },
  {
    query: { q: "harbour", lang: "en", mode: "bm25" },
    holds: (n: number) => n % 3 > 0 && /\bharbour\b/.test(`${madeUpArticle(n).title} ${madeUpArticle(n).content}`),
  },
] as const;

/** Matches that are kept watch of: `audit` waits for those of the articles, by their numbers. */
type Alerts = { audit(ids: ReadonlyMap<number, number>): Promise<AlertsAudit>; close(): void };

/** Keeps searches in a stack whose matches are posted to this process. */
export async function keepSearches(stack: Pick<Stack, "info">, waitMs = 180_000): Promise<Alerts> {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      const event = WebhookEvent.parse(parseJson(text));
      if (event.type === "search.matched") {
        const { id, search_id, repeated = false, article } = event;
        told.push({ searchId: search_id, eventId: id, articleId: article.article_id, repeated });
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const webhook = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
  const { urls, tokens } = stack.info();
  const searchIds: number[] = [];
  for (const { query } of SEARCHES) {
    const response = await fetch(`${urls.api}/v1/searches`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${tokens.ingest}` },
      body: JSON.stringify({ name: "trial", query, notify: { webhook } }),
    });
    if (response.status !== 201) throw new Error(`a search was not kept: ${response.status} ${await response.text()}`);
    searchIds.push(Number(Object(await response.json()).search_id));
  }
  return {
    async audit(ids) {
      const expected = new Map(
        SEARCHES.map(({ holds }, i) => {
          const matching = [...ids].flatMap(([n, id]) => (holds(n) ? [id] : []));
          return [at(searchIds, i), new Set(matching)];
        }),
      );
      const deadline = performance.now() + waitMs;
      while (auditOf(told, expected).alertsMissing > 0 && performance.now() < deadline) await sleep(200);
      return auditOf(told, expected);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Compares what was told, in the order in which it came, with the articles that match each search. */
export function auditOf(told: readonly Told[], expected: ReadonlyMap<number, ReadonlySet<number>>): AlertsAudit {
  const audit = { alertsMissing: 0, alertsWrong: 0, alertsUnordered: 0, alertsUnmarked: 0 };
  for (const [searchId, articles] of expected) {
    const events = new Map<number, number>();
    let last = 0;
    for (const { eventId, articleId, repeated } of told.filter((each) => each.searchId === searchId)) {
      if (events.has(eventId)) {
        if (!repeated) audit.alertsUnmarked++;
        continue;
      }
      if (eventId < last) audit.alertsUnordered++;
      last = Math.max(last, eventId);
      events.set(eventId, articleId);
    }
    const matched = new Set(events.values());
    audit.alertsMissing += articles.difference(matched).size;
    audit.alertsWrong += matched.difference(articles).size + (events.size - matched.size);
  }
  return audit;
}
