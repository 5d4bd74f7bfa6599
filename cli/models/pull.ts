import { join } from "node:path";
import { type CommandContext, createProgress, explain, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import type { ModelCard } from "../../lib/models/cards/card.ts";
import { catalogueEntry } from "../../lib/models/cards/hub/catalogue.ts";
import { pullModel } from "../../lib/models/cards/hub/pull.ts";
import { canRun } from "./runs.ts";

/** `models pull NAME…`: brings models of the catalogue into DATA_DIR/models. Exit code 1 when one could not be had. */
export async function pull(names: readonly string[], context: CommandContext): Promise<number> {
  const { env, stdout, stderr, signal, json } = context;
  const { dataDir, hub } = loadConfig(env);
  const entries = names.map(catalogueEntry);
  const results: { name: string; ok: boolean; outcome?: string; revision?: string; problem?: string }[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const progress = createProgress(stderr);
    try {
      const { card, outcome, dir } = await pullModel(entry, {
        hub,
        dir: join(dataDir, "models"),
        signal,
        onProgress: (bytes, total) =>
          progress.update(bytes, total, `${name}  ${megabytes(bytes)} of ${megabytes(total)}`),
      });
      progress.clear();
      results.push({ name, ok: true, outcome, revision: card.revision });
      const said = outcome === "present" ? "is there already" : `is in ${dir}`;
      const then = nextStep(card);
      if (!json) stdout.write(`${name} ${said}, revision ${card.revision}; ${then}\n`);
    } catch (error) {
      progress.clear();
      signal.throwIfAborted();
      results.push({ name, ok: false, problem: explain(error) });
      if (!json) stderr.write(`${name}: ${explain(error)}\n`);
    }
  }
  if (json) writeJson(stdout, { results });
  return results.every(({ ok }) => ok) ? 0 : 1;
}

/**
 * What is left to do before a model that was pulled is in use: of translation models each has its languages, and no
 * other model transcribes.
 */
function nextStep(card: ModelCard): string {
  if (!canRun(card)) return "this version cannot run it yet";
  if (card.task === "translate" || card.task === "transcribe") return "the edge worker uses it from its next start";
  return `in use after: models use ${card.name}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
