import { type ClaimDeps, storeClaims } from "@isnad/lib/claims";
import type { Stage } from "@isnad/lib/work";

/**
 * Makes the stage `claims`: keeps the sentences of articles that are worth a check, once their entities are found.
 * Without its models articles wait.
 */
export function claims(deps: ClaimDeps | undefined): Stage {
  return {
    name: "claims",
    after: "entities",
    batch: 16,
    leaseS: 120,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    version: deps?.models.classifier.modelId,
    run:
      deps &&
      (async (items, { signal, step }) => {
        const ids = items.map(({ articleId }) => articleId);
        return { counts: await storeClaims(deps, ids, { signal, step }) };
      }),
  };
}
