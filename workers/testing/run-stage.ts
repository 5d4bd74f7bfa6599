import type { Stage, StageOutcome } from "@isnad/lib/work";
import type { PassageReader } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";

/** Returns what the work rejects with, as text; "none" when it does not. */
export function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: unknown) => String(error),
  );
}

const { signal: never } = new AbortController();

/** For tests: runs a stage over these articles as if somebody had claimed them, at their attempt of this number. */
export async function runStage(
  stage: Stage,
  articleIds: readonly number[],
  { signal = never, attempts = 1 }: { signal?: AbortSignal; attempts?: number } = {},
): Promise<Required<StageOutcome>> {
  if (stage.run === undefined) throw new Error(`stage ${stage.name} cannot run`);
  const items = articleIds.map((articleId) => ({ articleId, attempts, queuedAtMs: 0, orphaned: false }));
  const step = { stage: stage.name, owner: "test", next: [] };
  const { failures = [], counts = {} } = await stage.run(items, { signal, step });
  return { failures, counts };
}

const DIMS = 16;

/** Holds what `read` is asked for, in the order of the calls. */
type TestReader = Pick<PassageReader, "modelId" | "read"> & { asked: (readonly string[])[] };

/**
 * A reader whose vectors follow from the text alone: the sums of its code units by their place, as far as a byte goes.
 * `before` is called with the passages of each call, and may reject.
 */
export function testReader({
  modelId = "test-reader@1",
  before = async () => {},
}: {
  modelId?: string;
  before?: (passages: readonly string[], signal?: AbortSignal) => Promise<void>;
} = {}): TestReader {
  const asked: (readonly string[])[] = [];
  return {
    modelId,
    asked,
    async read(passages, signal) {
      asked.push(passages);
      await before(passages, signal);
      return passages.map(vectorOf);
    },
  };
}

/** The vector that it gives for a passage. */
function vectorOf(passage: string): Int8Array {
  const vector = new Int8Array(DIMS);
  for (let i = 0; i < passage.length; i++) vector[i % DIMS] = at(vector, i % DIMS) + passage.charCodeAt(i);
  return vector;
}
