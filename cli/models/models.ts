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
import { at } from "@isnad/lib/std";
import {
  type ModelCard,
  openRegistry,
  type Registry,
  type RegistryEntry,
  SHIPPED_MODELS,
  type Task,
  writeChoice,
} from "../../lib/models/cards/registry.ts";
import { CATALOGUE, catalogueEntry, pullModel } from "../../lib/models/cards/hub.ts";
import { createClassifier } from "../../lib/models/tasks/checkworthiness/classifier.ts";
import { createEmbedder } from "../../lib/models/tasks/embed/embedder.ts";
import { createTagger } from "../../lib/models/tasks/entities/tagger.ts";
import { createReranker } from "../../lib/models/tasks/rerank/reranker.ts";
import { createMachineTranscriber } from "../../lib/models/tasks/transcribe/machine-transcriber.ts";
import { createMachineTranslator } from "../../lib/models/tasks/translate/machine-translator.ts";

/** Says how a model of a task is started, and the architectures that this version runs for it. */
type Runner = {
  architectures: readonly NonNullable<ModelCard["architecture"]>[];
  start(options: { registry: Registry; model: string }): Promise<{ close(): Promise<void> }>;
};

const RUNNERS: Partial<Record<Task, Runner>> = {
  embed: { architectures: ["weighted-bag", "encoder"], start: createEmbedder },
  rerank: { architectures: ["dual-encoder", "cross-encoder"], start: createReranker },
  classify: { architectures: ["encoder-classifier"], start: createClassifier },
  translate: { architectures: ["encoder-decoder"], start: createMachineTranslator },
  transcribe: { architectures: ["encoder-decoder"], start: createMachineTranscriber },
  tag: { architectures: ["encoder-chain"], start: createTagger },
};

/** Holds what services run by name: there is one model for the task, and none to choose. */
const FIXED: Partial<Record<Task, ModelCard["architecture"]>> = {
  morph: "linear",
  relations: "linear",
  dialect: "linear",
  senses: "encoder-attention",
  read: "encoder-pair",
};

/** Tells whether this version has what runs such a model. */
function canRun({ task, architecture }: Pick<ModelCard, "task" | "architecture">): boolean {
  if (architecture === undefined) return false;
  return FIXED[task] === architecture || RUNNERS[task]?.architectures.includes(architecture) === true;
}

/** Tells whether `models use` can make another model the one for a task. */
function canChoose(task: Task): boolean {
  return task in RUNNERS;
}

/**
 * Starts a model as its service does, and ends it again. @throws InferenceError when it cannot be started, saying why
 */
async function tryOut(registry: Registry, name: string): Promise<void> {
  const running = await RUNNERS[registry.card(name).task]?.start({ registry, model: name });
  await running?.close();
}

type Row = {
  name: string;
  task: string;
  revision: string;
  languages: string;
  dims: string;
  megabytes: string;
  licence: string;
  runs: string;
};

function rowOf({ name, card }: RegistryEntry): Row {
  const bytes = Object.values(card?.files ?? {}).reduce((sum, file) => sum + file.bytes, 0);
  return {
    name,
    task: card?.task ?? "?",
    revision: card?.revision ?? "?",
    languages: card?.languages.join(",") ?? "?",
    dims: String(card?.dims ?? ""),
    megabytes: (bytes / 1e6).toFixed(1),
    licence: card?.licence ?? "?",
    runs: card === undefined ? "?" : runs(card),
  };
}

/**
 * `models list`: the models at hand and, with `available`, those that can be pulled; which of them this version runs.
 * Exit code 1 when a card cannot be used.
 */
async function list(registry: Registry, available: boolean, { stdout, json }: CommandContext): Promise<number> {
  const entries = registry.list();
  const here = new Set(entries.map(({ name }) => name));
  const more = available ? CATALOGUE.filter(({ name }) => !here.has(name)) : [];
  if (json) {
    writeJson(stdout, {
      models: entries.map(({ name, dir, card, problem }) => ({
        name,
        dir,
        ...(card === undefined ? { problem } : { ...card, runs: canRun(card) }),
      })),
      ...(available && { available: more.map((entry) => ({ ...entry, runs: canRun(entry) })) }),
    });
  } else {
    const header: Row = {
      name: "name",
      task: "task",
      revision: "revision",
      languages: "languages",
      dims: "dims",
      megabytes: "MB",
      licence: "licence",
      runs: "runs",
    };
    const rows = [header, ...entries.map(rowOf), ...more.map(pullableRow)].map((row) => Object.values(row));
    const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
    for (const row of rows) {
      stdout.write(
        `${row
          .map((cell, column) => cell.padEnd(at(widths, column)))
          .join("  ")
          .trimEnd()}\n`,
      );
    }
    for (const { name, problem } of entries) if (problem !== undefined) stdout.write(`${name}: ${problem}\n`);
  }
  return entries.some((entry) => entry.problem !== undefined) ? 1 : 0;
}

/** Returns the row of a model that is not at hand. */
function pullableRow(entry: (typeof CATALOGUE)[number]): Row {
  const { name, task, languages, dims, licence } = entry;
  const facts = { revision: "to pull", languages: languages.join(","), dims: String(dims ?? ""), megabytes: "" };
  return { name, task, ...facts, licence, runs: runs(entry) };
}

/** Pieces are read by the models that name them. */
function runs(card: Pick<ModelCard, "task" | "architecture">): string {
  return canRun(card) ? "yes" : card.task === "pieces" ? "in others" : "not yet";
}

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
 * Returns what is left to do before a model that was pulled is in use: of translation models each has its languages,
 * and no other model transcribes.
 */
function nextStep(card: ModelCard): string {
  if (!canRun(card)) return "this version cannot run it yet";
  if (card.task === "translate" || card.task === "transcribe") return "the edge worker uses it from its next start";
  return `in use after: models use ${card.name}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Holds what has to be done once another model is in use, by task. */
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
