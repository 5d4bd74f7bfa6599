import type { Stage, StageOutcome } from "@isnad/lib/work";

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
