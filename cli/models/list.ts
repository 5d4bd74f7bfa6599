import { type CommandContext, writeJson } from "@isnad/lib/service/cli";
import { at } from "@isnad/lib/std";
import type { ModelCard, Task } from "../../lib/models/cards/card.ts";
import { CATALOGUE } from "../../lib/models/cards/hub/catalogue.ts";
import type { Registry, RegistryEntry } from "../../lib/models/cards/registry.ts";
import { createClassifier } from "../../lib/models/tasks/checkworthiness/classifier.ts";
import { createEmbedder } from "../../lib/models/tasks/embed/embedder.ts";
import { createTagger } from "../../lib/models/tasks/entities/tagger.ts";
import { createReranker } from "../../lib/models/tasks/rerank/reranker.ts";
import { createMachineTranscriber } from "../../lib/models/tasks/transcribe/machine-transcriber.ts";
import { createMachineTranslator } from "../../lib/models/tasks/translate/machine-translator.ts";

/** How a model of a task is started, and the architectures that this version runs for it. */
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

/** What the linguistic service runs by name: there is one model for the task, and none to choose. */
const FIXED: Partial<Record<Task, ModelCard["architecture"]>> = {
  morph: "linear",
  relations: "linear",
  senses: "encoder-attention",
};

/** Whether this version has what runs such a model. */
export function canRun({ task, architecture }: Pick<ModelCard, "task" | "architecture">): boolean {
  if (architecture === undefined) return false;
  return FIXED[task] === architecture || RUNNERS[task]?.architectures.includes(architecture) === true;
}

/** Whether `models use` can make another model the one for a task. */
export function canChoose(task: Task): boolean {
  return task in RUNNERS;
}

/**
 * Starts a model as its service does, and ends it again. @throws InferenceError when it cannot be started, saying why
 */
export async function tryOut(registry: Registry, name: string): Promise<void> {
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
export async function list(registry: Registry, available: boolean, { stdout, json }: CommandContext): Promise<number> {
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

/** The row of a model that is not at hand. */
function pullableRow(entry: (typeof CATALOGUE)[number]): Row {
  const { name, task, languages, dims, licence } = entry;
  const facts = { revision: "to pull", languages: languages.join(","), dims: String(dims ?? ""), megabytes: "" };
  return { name, task, ...facts, licence, runs: runs(entry) };
}

/** Pieces are read by the models that name them. */
function runs(card: Pick<ModelCard, "task" | "architecture">): string {
  return canRun(card) ? "yes" : card.task === "pieces" ? "in others" : "not yet";
}
