import { type CommandContext, createProgress, writeJson } from "@isnad/lib/service/cli";
import type { PullCounts, PullOptions, Source } from "@isnad/lib/store";
import { type PullDeps, type PullOutcome, runPull } from "../../workers/pull/run-pull.ts";

/**
 * Pulls a source within the command, with progress on a terminal, prints what came of it, and returns the exit code.
 */
export async function pullNow(
  source: Source,
  deps: PullDeps,
  options: PullOptions,
  { json, signal, stdout, stderr }: CommandContext,
): Promise<number> {
  const progress = createProgress(stderr);
  const max = typeof options.max === "number" ? options.max : undefined;
  let outcome: PullOutcome;
  try {
    outcome = await runPull(source, deps, {
      options,
      signal,
      onProgress: (counts) => progress.update(counts.discovered, max, `${source.key}: ${wordsOf(counts)}`),
    });
  } finally {
    progress.clear();
  }
  const { runId, status, counts, error } = outcome;
  if (json) {
    const { key, provider } = source;
    writeJson(stdout, { source: key, provider, run_id: runId, status, counts, error: error ?? null });
  } else {
    stdout.write(`${source.key}: ${status}, ${wordsOf(counts)}\n`);
    if (error !== undefined) stderr.write(`${source.key}: ${error}\n`);
  }
  return outcome.complete && status !== "failed" ? 0 : 1;
}

function wordsOf({ discovered, accepted, duplicate, conflict, failed }: Readonly<PullCounts>): string {
  return `${discovered} items: ${accepted} new, ${duplicate} known, ${conflict} changed at the source, ${failed} refused`;
}
