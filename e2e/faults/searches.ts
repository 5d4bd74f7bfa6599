import { setTimeout as sleep } from "node:timers/promises";
import { SearchBody } from "@isnad/lib/contract";
import { errorMessage, isObject, parseJson, parseJsonObject } from "@isnad/lib/std";
import type { Stack } from "./stack.ts";

/** Searches asked of a stack, and those that failed twice in a row. */
export type Searches = { searches: number; searchesFailed: number };

/** Pauses, in milliseconds: between searches, before a repetition, and for what the services write of a request. */
type Pauses = { betweenMs: number; retryMs: number; logMs: number };

const PAUSES: Pauses = { betweenMs: 200, retryMs: 500, logMs: 300 };

/** Holds what is used of a stack. */
type SearchedStack = { info(): { urls: Record<string, string> } } & Pick<Stack, "linesWith">;

/** Says how searches are asked. */
type SearchesOptions = {
  /** True when an answer of one branch alone counts as one. */
  mayDegrade: boolean;
  /** Is told why each search failed that did, and why its repetition did. */
  onFailure(reasons: readonly string[]): void | Promise<void>;
  signal: AbortSignal;
  pauses?: Pauses;
};

/** Searches one after another until `signal` aborts; one that fails is repeated once. */
export async function keepSearching(
  stack: SearchedStack,
  { mayDegrade, onFailure, signal, pauses = PAUSES }: SearchesOptions,
): Promise<Searches> {
  const counts = { searches: 0, searchesFailed: 0 };
  const ask = () => failureOf(stack, { mayDegrade, logMs: pauses.logMs });
  while (!signal.aborted) {
    counts.searches++;
    const first = await ask();
    if (first !== undefined) {
      await sleep(pauses.retryMs);
      const second = await ask();
      if (second !== undefined) {
        counts.searchesFailed++;
        await onFailure([first, second]);
      }
    }
    await sleep(pauses.betweenMs, undefined, { signal }).catch(() => undefined);
  }
  return counts;
}

/** Asks one search. Returns why it failed: what it was answered with, and what the services say of it. */
async function failureOf(
  stack: SearchedStack,
  { mayDegrade, logMs }: { mayDegrade: boolean; logMs: number },
): Promise<string | undefined> {
  const id = crypto.randomUUID();
  const startedAt = performance.now();
  const failure = await answerOf(stack, id, mayDegrade);
  if (failure === undefined) return undefined;
  const took = Math.round(performance.now() - startedAt);
  await sleep(logMs);
  return [`${failure} after ${took} ms`, ...stack.linesWith(id).map(causeIn)].join("\n    ");
}

async function answerOf(stack: SearchedStack, id: string, mayDegrade: boolean): Promise<string | undefined> {
  try {
    const response = await fetch(`${stack.info().urls.api}/v1/search?q=harbour+council`, {
      headers: { "X-Request-Id": id },
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (!response.ok) return `${response.status} ${String(parseJsonObject(text)?.detail)}`;
    const { meta } = SearchBody.parse(parseJson(text));
    return mayDegrade || !meta.degraded ? undefined : `degraded ${JSON.stringify(meta.diagnostics)}`;
  } catch (error) {
    if (error instanceof Error) return errorMessage(error);
    throw error;
  }
}

/** Returns what a line of the log says that explains a failure. */
function causeIn(line: string): string {
  const logged = parseJsonObject(line.slice(line.indexOf("{")));
  if (logged === undefined) return line;
  const { service, status, ms, keyword, vector, error, err } = logged;
  return JSON.stringify({ service, status, ms, keyword, vector, error, err: isObject(err) ? err.message : err });
}
