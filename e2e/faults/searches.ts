import { setTimeout as sleep } from "node:timers/promises";
import { SearchBody } from "@isnad/lib/contract";
import type { Stack } from "./stack.ts";

/** Searches asked of a stack, and those that failed twice in a row. */
export type Searches = { searches: number; searchesFailed: number };

const PAUSE_MS = 200;
const RETRY_MS = 500;

/** Searches one after another until `signal` aborts; one that fails is repeated once. */
export async function keepSearching(
  stack: Stack,
  { mayDegrade, signal }: { mayDegrade: boolean; signal: AbortSignal },
): Promise<Searches> {
  const counts = { searches: 0, searchesFailed: 0 };
  const isAnswered = async (): Promise<boolean> => {
    try {
      const response = await fetch(`${stack.info().urls.api}/v1/search?q=harbour+council`, {
        signal: AbortSignal.timeout(20_000),
      });
      return response.ok && (mayDegrade || !SearchBody.parse(await response.json()).meta.degraded);
    } catch (error) {
      if (error instanceof Error) return false;
      throw error;
    }
  };
  while (!signal.aborted) {
    counts.searches++;
    if (!(await isAnswered())) {
      await sleep(RETRY_MS);
      if (!(await isAnswered())) counts.searchesFailed++;
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  return counts;
}
