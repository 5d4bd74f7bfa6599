import { InferenceError, modelId, openRegistry } from "@isnad/lib/models";
import {
  type CommandContext,
  CommandError,
  createProgress,
  defineCommand,
  UsageError,
  writeJson,
} from "@isnad/lib/service/cli";
import type { Config } from "@isnad/lib/service/config";
import { pause } from "@isnad/lib/service/process";
import { isObject } from "@isnad/lib/std";
import type { EntityModelCount, StageBacklog, Store } from "@isnad/lib/store";
import { MODEL_METRIC } from "../../workers/telemetry.ts";
import { enlistAll } from "../../workers/upkeep.ts";
import { openCommandStore } from "../open-store.ts";

/** A worker process and the model with which it finds entities. */
type TaggerAtWork = { instance: string; modelId: string };

/** A worker that has said nothing for this long counts as gone. */
const SILENT_S = 10;

/** Returns the models with which running workers find entities, as their published metrics say. */
async function taggersAtWork(store: Pick<Store, "workerMetrics">): Promise<TaggerAtWork[]> {
  const all = await store.workerMetrics.all(SILENT_S);
  return all.flatMap(({ instance, body }) => modelsIn(body).map((modelId) => ({ instance, modelId })));
}

/** Returns the models that a worker's metrics, as JSON, name. */
function modelsIn(body: unknown): string[] {
  const metrics = Array.isArray(body) ? body.filter(isObject) : [];
  const values = metrics.find(({ name }) => name === MODEL_METRIC)?.values;
  if (!Array.isArray(values)) return [];
  return values.flatMap((value: unknown) => {
    const labels = isObject(value) ? value.labels : undefined;
    return isObject(labels) && typeof labels.model === "string" ? [labels.model] : [];
  });
}

/**
 * Says which articles are put back to work: those whose entities one of these models found (null: a model that was not
 * kept).
 */
type RenewOptions = {
  store: Pick<Store, "entities">;
  modelIds: readonly (string | null)[];
  signal: AbortSignal;
  /** Told of the number put back so far. */
  onProgress?: (renewed: number) => void;
  /** Articles looked at in one statement. */
  stretch?: number;
};

/** Walks all articles as {@link enlistAll} does, and returns how many were put back to work. */
export async function renewEntities({ store, modelIds, ...options }: RenewOptions): Promise<number> {
  if (modelIds.length === 0) return 0;
  return await enlistAll((stretch) => store.entities.renew({ ...stretch, modelIds }), options);
}

const NO_BACKLOG = { waiting: 0, setAside: 0 };

type EntityWaitOptions = {
  store: Pick<Store, "work">;
  /** Says how long nothing may move before the waiting is abandoned, in milliseconds. */
  patienceMs: number;
  signal: AbortSignal;
  onProgress?: (waiting: number) => void;
};

/**
 * Returns once no article waits for its entities. Throws CommandError when the number has not fallen for `patienceMs`.
 */
async function waitForEntities(options: EntityWaitOptions): Promise<void> {
  const { store, patienceMs, signal, onProgress } = options;
  let least = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const { waiting } = await entityBacklog(store);
    onProgress?.(waiting);
    if (waiting === 0) return;
    if (waiting < least) movedAt = performance.now();
    least = Math.min(least, waiting);
    if (performance.now() - movedAt > patienceMs) {
      const seconds = Math.round(patienceMs / 1000);
      throw new CommandError(
        `${waiting} articles wait for their entities, and none fewer for ${seconds} s: do the workers run?`,
      );
    }
    await pause(250, signal);
  }
}

/** Returns how many articles wait for their entities, and how many were set aside. */
async function entityBacklog({ work }: Pick<Store, "work">): Promise<Omit<StageBacklog, "stage">> {
  const { waiting, setAside } = (await work.backlog()).find(({ stage }) => stage === "entities") ?? NO_BACKLOG;
  return { waiting, setAside };
}

/** Holds what `--model` calls articles of which it was not kept which model found their entities. */
const UNKNOWN = "unknown";

const number = new Intl.NumberFormat("en-US");

/** `entities:renew`: has the entities of articles found again that another model found. */
export const entitiesRenew = defineCommand({
  name: "entities:renew",
  summary: "Has entities found again in articles whose entities another model found.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    all: { kind: "flag", help: "every indexed article, those of the model in use too" },
    model: { kind: "list", value: "NAME", help: `only what this model (name, or name@revision; "${UNKNOWN}") found` },
    "dry-run": { kind: "flag", help: "only say how many there are" },
    wait: { kind: "flag", help: "wait until no article waits for its entities" },
    patience: {
      kind: "number",
      value: "S",
      help: "seconds to wait while nothing moves",
      default: 120,
      min: 1,
      max: 86_400,
    },
  },
  details: `
Marks the articles, in short steps and while the stack runs; the workers then find their entities again, behind those
of new articles, and the old ones stay until then. When it is cut short, start it again: what is marked stays marked. How many
still wait is also in the metric worker_entity_backlog.`,
  async run({ values }, context) {
    if (values.all && values.model.length > 0) throw new UsageError("--all and --model exclude each other");
    await using opened = await openCommandStore(context.env);
    const { store, config } = opened;
    const current = modelInUse(config);
    const counts = await store.entities.countByModel();
    const chosen = counts.filter(({ modelId: id }) =>
      values.model.length > 0 ? values.model.some((name) => names(name, id)) : values.all || id !== current,
    );
    for (const name of values.model) {
      if (name === UNKNOWN || counts.some(({ modelId: id }) => names(name, id))) continue;
      throw new CommandError(`no article has entities found by ${name}; ${found(counts)}`);
    }
    const todo = chosen.reduce((sum, { articles }) => sum + articles, 0);
    if (!values["dry-run"] && todo > 0) await refuseOtherModels(store, current);
    const renewed = values["dry-run"] ? 0 : await mark(store, chosen, todo, context);
    if (!context.json) {
      context.stdout.write(`${found(counts)}\nIn use: ${current}; to be found again: ${number.format(todo)} articles`);
      context.stdout.write(values["dry-run"] ? "\n" : `, ${number.format(renewed)} put back to work\n`);
    }
    const waitedS = values.wait ? await wait(store, values.patience, context) : undefined;
    const { waiting, setAside: givenUp } = await entityBacklog(store);
    if (context.json) {
      const by = counts.map(({ modelId: id, articles }) => ({ model: id, articles }));
      writeJson(context.stdout, {
        model: current,
        found_by: by,
        to_do: todo,
        renewed,
        waiting,
        given_up: givenUp,
        ...(waitedS !== undefined && { waited_s: waitedS }),
      });
    } else context.stdout.write(`${number.format(waiting)} articles wait, ${number.format(givenUp)} were given up\n`);
    return values.wait && givenUp > 0 ? 1 : 0;
  },
});

function modelInUse({ dataDir, models }: Config): string {
  const registry = openRegistry({ dataDir });
  try {
    return modelId(registry.card(models.tag ?? registry.default("tag")));
  } catch (error) {
    if (error instanceof InferenceError) throw new CommandError(`no model finds entities: ${error.message}`);
    throw error;
  }
}

/** Tells whether `--model NAME` means this model. */
function names(name: string, id: string | null): boolean {
  return id === null ? name === UNKNOWN : name === id || id.startsWith(`${name}@`);
}

function found(counts: readonly EntityModelCount[]): string {
  if (counts.length === 0) return "No article has entities yet";
  const by = counts.map(({ modelId: id, articles }) => `${number.format(articles)} by ${id ?? `${UNKNOWN} models`}`);
  return `Entities were found in ${by.join(", ")}`;
}

/** A worker that still runs another model would find the old entities again. */
async function refuseOtherModels(store: Store, current: string): Promise<void> {
  const others = (await taggersAtWork(store)).filter((tagger) => tagger.modelId !== current);
  if (others.length === 0) return;
  const who = others.map(({ instance, modelId: id }) => `${instance} with ${id}`).join(", ");
  throw new CommandError(`restart the workers first: ${current} is the model in use, but there runs ${who}`);
}

async function mark(
  store: Store,
  chosen: readonly EntityModelCount[],
  todo: number,
  { signal, stderr }: CommandContext,
): Promise<number> {
  const progress = createProgress(stderr);
  try {
    const modelIds = chosen.map(({ modelId: id }) => id);
    const onProgress = (done: number) =>
      progress.update(done, todo, `${number.format(done)} articles put back to work`);
    return await renewEntities({ store, modelIds, signal, onProgress });
  } catch (error) {
    if (signal.aborted) throw new CommandError("interrupted; start it again to go on");
    throw error;
  } finally {
    progress.clear();
  }
}

async function wait(store: Store, patienceS: number, { signal, stderr }: CommandContext): Promise<number> {
  const progress = createProgress(stderr);
  const startedAt = performance.now();
  let most = 0;
  try {
    await waitForEntities({
      store,
      patienceMs: patienceS * 1000,
      signal,
      onProgress(waiting) {
        most = Math.max(most, waiting);
        progress.update(most - waiting, most, `${number.format(waiting)} articles wait for their entities`);
      },
    });
  } catch (error) {
    if (signal.aborted) throw new CommandError("interrupted; the workers go on with what is marked");
    throw error;
  } finally {
    progress.clear();
  }
  return Number(((performance.now() - startedAt) / 1000).toFixed(1));
}
