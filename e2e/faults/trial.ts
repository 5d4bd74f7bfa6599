import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { WebhookEvent } from "@isnad/lib/contract";
import { at, parseJson } from "@isnad/lib/std";
import { seeded } from "../../lib/std/random.ts";
import { type Audit, audit, keepSearching, type Searches, WAIT_MS } from "./audit.ts";
import type { EngineUnderTrial } from "./engine.ts";
import { type Fault, strike } from "./faults.ts";
import { madeUpArticle, postAll, type Stack, startStack } from "./stack.ts";

/** Holds what a webhook was told: of which search and article, under which number, and whether as said before. */
export type Told = { searchId: number; eventId: number; articleId: number; repeated: boolean };

/** Holds what is wrong with what webhooks were told; every number should be 0. */
type AlertsAudit = {
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
async function keepSearches(stack: Pick<Stack, "info">): Promise<Alerts> {
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
      const deadline = performance.now() + WAIT_MS;
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

/** Says how a trial is run. */
export type TrialOptions = {
  dataDir: string;
  articles: number;
  /** Articles a request. */
  batch: number;
  /** Pause after each request, so that a short import lasts long enough to be hit. */
  pauseMs?: number;
  /** Holds what is broken, in this order, at random moments of the import. */
  faults: readonly Fault[];
  /** Posts no more until what was to be broken by then is broken. */
  oneByOne?: boolean;
  seed: number;
  /** Processes of each service, as `up --scale` takes them; one of each when left out. */
  scale?: string | undefined;
  /** Requires that articles come to the end of the stages behind the search, and into a story. */
  stages?: boolean | undefined;
  /** The services that are started; all when left out. */
  services?: readonly string[];
  /** Holds what it searches with, where that is another process; searches go on all the time then. */
  engine?: EngineUnderTrial | undefined;
  /** Keeps searches whose matches are posted to the trial: what a killed process had in hand comes after its lease. */
  alerts?: boolean;
  say?(line: string): void;
};

type TrialReport = Audit &
  Searches &
  Partial<AlertsAudit> & {
    torn: number;
    unanswered: number;
    repeated: number;
    struck: number;
    tookMs: number;
  };

/**
 * Starts a stack, imports made-up articles, and breaks things meanwhile: each fault strikes once, spread over the
 * import, at a moment that the seed decides. Afterwards every article that the client was told of must be indexed once
 * in both indexes.
 */
export async function runTrial(options: TrialOptions): Promise<TrialReport> {
  const { dataDir, articles, batch, pauseMs = 0, faults, seed, scale, services, stages, engine } = options;
  const { say = () => {} } = options;
  const random = seeded(seed);
  const env = { ...(scale !== undefined && { UP_SCALE: scale }), ...engine?.env };
  const stack = await startStack(dataDir, env, services);
  const over = new AbortController();
  try {
    const alerts = options.alerts === true ? await keepSearches(stack) : undefined;
    over.signal.addEventListener("abort", () => alerts?.close());
    const mayDegrade = engine?.mayDegrade ?? true;
    const onFailure = async (reasons: readonly string[]) => {
      say(`a search failed twice; ${(await engine?.state()) ?? ""}\n  ${reasons.join("\n  ")}`);
    };
    const searching = engine && keepSearching(stack, { mayDegrade, onFailure, signal: over.signal });
    const startedAt = performance.now();
    const moments = faults.map((_, i) => Math.floor(((i + random()) / faults.length) * articles));
    let struck = 0;
    let striking: Promise<void> = Promise.resolve();
    const broken = new AbortController();
    const posted = await postAll(stack, {
      count: articles,
      batch,
      pauseMs,
      signal: broken.signal,
      onBatch(done) {
        const fault = faults[struck];
        if (fault === undefined || done < (moments[struck] ?? 0)) return;
        struck++;
        striking = striking.then(async () => {
          await sleep(random() * 150);
          say(`${done} articles posted: ${fault}`);
          await strike({ stack, engine, random }, fault);
        });
        striking.catch((error) => broken.abort(error));
        return options.oneByOne === true ? striking : undefined;
      },
    });
    await striking;
    for (; struck < faults.length; struck++) await strike({ stack, engine, random }, faults[struck] ?? "workers");
    const retrievalUrl = stack.info().urls.retrieval ?? "";
    const outcome = await audit({ dataDir, retrievalUrl, env, stages }, [...posted.ids.values()]);
    const told = await alerts?.audit(posted.ids);
    over.abort();
    const searches = (await searching) ?? { searches: 0, searchesFailed: 0 };
    const { torn, repeated, ids } = posted;
    const tookMs = Math.round(performance.now() - startedAt);
    return {
      ...outcome,
      ...searches,
      ...told,
      torn: torn.length,
      unanswered: articles - ids.size,
      repeated,
      struck,
      tookMs,
    };
  } catch (error) {
    throw new Error(`the trial broke off; the end of the log:\n${stack.log()}`, { cause: error });
  } finally {
    over.abort();
    await stack.stop();
  }
}

/** The numbers of a report that should be 0 and are not. */
export function faultsFound(report: TrialReport): string[] {
  const {
    articles: _,
    passages: __,
    repeated: ___,
    struck: ____,
    tookMs: _____,
    searches: ______,
    retried: _______,
    ...shouldBeNone
  } = report;
  return Object.entries(shouldBeNone).flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]));
}
