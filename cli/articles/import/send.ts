import { CommandError } from "@isnad/lib/service/cli";
import {
  ARTICLES,
  IngestError,
  type SendOptions as IngestOptions,
  sendEntries as ingest,
} from "@isnad/lib/ingest/client";
import type { Entry } from "./batches.ts";
import type { Outcome } from "./outcome.ts";

/** How batches are sent. */
export type SendOptions = Omit<IngestOptions, "keyPrefix"> & {
  /** Distinguishes this import: a batch sent twice within it gets its first answer again. */
  runId: string;
};

/**
 * Posts the entries and returns their outcomes in order. Throws CommandError when the API refuses them or stays out of
 * reach.
 */
export async function sendEntries(entries: readonly Entry[], { runId, ...options }: SendOptions): Promise<Outcome[]> {
  try {
    const outcomes = await ingest(entries, { ...options, keyPrefix: `import-${runId}` }, ARTICLES);
    return entries.flatMap(({ line }, i) => {
      const outcome = outcomes[i];
      return outcome === undefined ? [] : [{ line, ...outcome }];
    });
  } catch (error) {
    if (error instanceof IngestError) throw new CommandError(error.message);
    throw error;
  }
}
