import { setTimeout as sleep } from "node:timers/promises";
import { SearchBody } from "@isnad/lib/contract";
import { errorMessage, isObject, parseJson, parseJsonObject } from "@isnad/lib/std";
import type { Stack } from "./stack.ts";

/** Searches asked of a stack, and those that failed twice in a row. */
export type Searches = { searches: number; searchesFailed: number };

const PAUSE_MS = 200;
const RETRY_MS = 500;
/** How long what the services write of a request is waited for, in milliseconds. */
const LOG_MS = 300;

/** How searches are asked. */
export type SearchesOptions = {
  /** Whether an answer of one branch alone counts as one. */
  mayDegrade: boolean;
  /** Is told why each search failed that did, and why its repetition did. */
  onFailure(reasons: readonly string[]): void | Promise<void>;
  signal: AbortSignal;
};

/** Searches one after another until `signal` aborts; one that fails is repeated once. */
export async function keepSearching(
  stack: Stack,
  { mayDegrade, onFailure, signal }: SearchesOptions,
): Promise<Searches> {
  const counts = { searches: 0, searchesFailed: 0 };
  while (!signal.aborted) {
    counts.searches++;
    const first = await failureOf(stack, mayDegrade);
    if (first !== undefined) {
      await sleep(RETRY_MS);
      const second = await failureOf(stack, mayDegrade);
      if (second !== undefined) {
        counts.searchesFailed++;
        await onFailure([first, second]);
      }
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  return counts;
}

/** Asks one search. Returns why it failed: what it was answered with, and what the services say of it. */
async function failureOf(stack: Stack, mayDegrade: boolean): Promise<string | undefined> {
  const id = crypto.randomUUID();
  const startedAt = performance.now();
  const failure = await answerOf(stack, id, mayDegrade);
  if (failure === undefined) return undefined;
  const took = Math.round(performance.now() - startedAt);
  await sleep(LOG_MS);
  return [`${failure} after ${took} ms`, ...stack.linesWith(id).map(causeIn)].join("\n    ");
}

async function answerOf(stack: Stack, id: string, mayDegrade: boolean): Promise<string | undefined> {
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

/** What a line of the log says that explains a failure. */
function causeIn(line: string): string {
  const logged = parseJsonObject(line.slice(line.indexOf("{")));
  if (logged === undefined) return line;
  const { service, status, ms, keyword, vector, error, err } = logged;
  return JSON.stringify({ service, status, ms, keyword, vector, error, err: isObject(err) ? err.message : err });
}
