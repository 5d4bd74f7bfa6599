import { join } from "node:path";
import {
  type CommandContext,
  CommandError,
  createProgress,
  defineCommand,
  explain,
  UsageError,
  writeJson,
} from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import type { ModelCard } from "../../lib/models/cards/card.ts";
import { writeChoice } from "../../lib/models/cards/choice.ts";
import { catalogueEntry } from "../../lib/models/cards/hub/catalogue.ts";
import { pullModel } from "../../lib/models/cards/hub/pull.ts";
import { openRegistry, type Registry, SHIPPED_MODELS } from "../../lib/models/cards/registry.ts";
import { canChoose, canRun, list, tryOut } from "./list.ts";

/** `models pull NAME…`: brings models of the catalogue into DATA_DIR/models. Exit code 1 when one could not be had. */
async function pull(names: readonly string[], context: CommandContext): Promise<number> {
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

/** What has to be done once another model is in use, by task. */
const AFTERWARDS: Partial<Record<string, string>> = {
  embed: "Start the services again; `bun run search:reindex` then embeds every article anew.",
};

/**
 * `models use NAME`: makes a model that is at hand the one for its task, once its files are as its card says and it
 * could be started. A shipped model takes the place of any choice made before. Throws CommandError for one that this
 * version cannot run.
 */
async function use(registry: Registry, name: string, dataDir: string, context: CommandContext): Promise<number> {
  const card = registry.card(name);
  const { task } = card;
  if (!canRun(card)) {
    throw new CommandError(`${name} is at hand, but this version cannot run it yet`);
  }
  if (!canChoose(task)) {
    throw new CommandError(`the linguistic service uses its model for ${task} by name; there is none to choose`);
  }
  await registry.verify(name);
  await tryOut(registry, name);
  const shipped = openRegistry({ dirs: [SHIPPED_MODELS] });
  const isDefault = shipped.list().some((entry) => entry.name === name) && shipped.default(task) === name;
  await writeChoice(join(dataDir, "models"), task, isDefault ? undefined : name);
  const then = AFTERWARDS[task] ?? "Start the services again.";
  if (context.json) writeJson(context.stdout, { task, model: name });
  else context.stdout.write(`${name} is the model for ${task} now. ${then}\n`);
  return 0;
}

/**
 * `models verify [NAME…]`: compares files with the checksums of their cards. Exit code 1 when one is not as it should
 * be.
 */
async function verify(
  registry: Registry,
  names: readonly string[],
  { stdout, stderr, json }: CommandContext,
): Promise<number> {
  const asked = names.length > 0 ? names : registry.list().map((entry) => entry.name);
  const results: { name: string; ok: boolean; problem?: string }[] = [];
  for (const name of asked) {
    const problem = await registry.verify(name).then(
      () => undefined,
      (error: unknown) => explain(error),
    );
    results.push(problem === undefined ? { name, ok: true } : { name, ok: false, problem });
    if (!json && problem === undefined) stdout.write(`${name}: every file is as its card says\n`);
    if (!json && problem !== undefined) stderr.write(`${problem}\n`);
  }
  if (json) writeJson(stdout, { results });
  return results.every((result) => result.ok) ? 0 : 1;
}

/** `models list|verify|pull|use`. */
export const models = defineCommand({
  name: "models",
  summary: "List, check, pull and choose models.",
  positionals: { usage: "list | verify [NAME…] | pull NAME… | use NAME", min: 1, max: 100 },
  options: { available: { kind: "flag", help: "list also the models that can be pulled" } },
  details: `Models are looked for in nlp/models and in DATA_DIR/models. verify compares files with the checksums of their
cards, of every model when none is named. pull brings models from the hub (MODELS_HUB_URL) into DATA_DIR/models, going on
where a broken pull stopped. use makes a model the one for its task, once it could be started here; EMBED_MODEL and the
like still win over it. The last column of list says which models this version runs.`,
  async run({ values, positionals: [action = "", ...names] }, context) {
    const { dataDir } = loadConfig(context.env);
    const registry = openRegistry({ dataDir });
    const [name] = names;
    if (action === "list" && name === undefined) return list(registry, values.available, context);
    if (action === "verify") return verify(registry, names, context);
    if (action === "pull" && name !== undefined) return pull(names, context);
    if (action === "use" && name !== undefined && names.length === 1) return use(registry, name, dataDir, context);
    throw new UsageError(
      { list: "list takes no names", pull: "pull takes the names of models", use: "use takes the name of one model" }[
        action
      ] ?? `${action}: not one of list, verify, pull, use`,
    );
  },
});
