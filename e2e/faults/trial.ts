import { setTimeout as sleep } from "node:timers/promises";
import { postAll, startStack } from "./stack.ts";
import { seeded } from "../../lib/std/random.ts";
import { type AlertsAudit, keepSearches } from "./alerts.ts";
import { type Audit, audit, keepSearching, type Searches } from "./audit.ts";
import type { EngineUnderTrial } from "./engine.ts";
import { type Fault, strike } from "./faults.ts";

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

/** Holds what came of a trial. */
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
