import { URL } from "node:url";
import type { Logger } from "../../service/process/logger.ts";
import {
  areResting,
  type Background,
  type ErrorDecoders,
  openThreads,
  type ThreadsLogger,
  type ThreadsState,
} from "../../service/threads/mod.ts";
import type { Registry } from "../cards/registry.ts";
import { InferenceError, threadErrors } from "./errors.ts";
import type { ModelStart } from "./model-worker.ts";
import { createWorkQueue, type Taken } from "./work-queue.ts";

/** Says how inputs are run: `kind` takes turns with other kinds, for instance a route. */
export type RunOptions = { signal?: AbortSignal | undefined; kind?: string | undefined };

/** A model in a thread of its own; calls made at the same time share its runs. */
export interface ModelHost<In, Out> {
  /** One result an input, in order.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted */
  run(inputs: readonly In[], options?: RunOptions): Promise<Out[]>;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /**
   * Returns while the thread takes messages, whatever it is at; one that serves side by side takes them between steps.
   * @throws InferenceError `worker-failed`
   */
  check(): void;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

/** Says which model a task runs, and how; each task has defaults of its own. */
export type ModelOptions = {
  registry: Registry;
  /** Name of the model; the registry's default for the task when it is not given. */
  model?: string;
  /** Threads of one run of the model. */
  threads?: number;
  /** Inputs that may wait. */
  maxQueue?: number;
  /** Milliseconds that a call may take. */
  timeoutMs?: number;
  /** Milliseconds of rest after which the model is given back; its first use opens it. Default: it stays. */
  idleMs?: number;
  /** Nobody waits for what it gives: its thread lets all others of the machine go first. */
  background?: Background;
  logger?: ThreadsLogger;
};

export type ModelHostOptions<In, Out, Packed> = {
  /** The module whose `openModel` opens the model, in the thread. */
  module: URL;
  /** Holds what `openModel` gets. */
  data: unknown;
  /** Runs take turns between their steps. Default: they are answered one after the other. */
  sideBySide?: boolean | undefined;
  /** The model's name, for errors. */
  model: string;
  /** Returns the single results in what the Worker sends for a batch of `count` inputs. */
  unpack(packed: Packed, count: number): readonly Out[];
  /** Tells how much work an input is. */
  units(input: In): number;
  /** Inputs of one run. Default 64. */
  maxBatch?: number | undefined;
  /** Units of one run; an input larger than this is run alone. Default 100,000. */
  maxUnits?: number | undefined;
  /**
   * Runs that the Worker has at once. Default 2: one computes while the next is in the Worker's inbox. More are for a
   * Worker that serves them side by side.
   */
  maxRuns?: number | undefined;
  /** Inputs that may wait. Default 4096. */
  maxQueue?: number | undefined;
  /** Milliseconds that a call may take. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Milliseconds within which the thread takes a message. Default 60,000. */
  stuckMs?: number | undefined;
  /**
   * The thread is started by the first run, not at once, and ended after so many milliseconds without one. Default: it
   * is started at once, and stays.
   */
  idleMs?: number | undefined;
  /** Says that the model is known to run; another is opened at once, to tell whether it does. Default true. */
  isShipped?: boolean | undefined;
  /** Checks the files of a model that is not opened at once. @throws InferenceError `model-missing`, `model-altered` */
  verify?: (() => Promise<void>) | undefined;
  /** Holds what the Worker may throw beside an InferenceError. */
  errors?: ErrorDecoders | undefined;
  /** Runs the thread at the lowest priority of the machine. */
  background?: Background | undefined;
  logger?: ThreadsLogger | undefined;
};

/** Returns which model of a registry a host runs, in so many threads a run; `more` is what else it is opened with. */
export function ofRegistry(
  registry: Registry,
  name: string,
  threads: number,
  more: object = {},
): Pick<ModelHostOptions<never, never, never>, "data" | "model" | "verify" | "isShipped"> {
  return {
    data: { dir: registry.dir(name), card: registry.card(name), threads, ...more },
    model: name,
    verify: () => registry.verify(name),
    isShipped: registry.isShipped(name),
  };
}

/** Starts the model's thread and waits until it is loaded, unless it is to start when it is needed.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createModelHost<In, Out, Packed>(
  options: ModelHostOptions<In, Out, Packed>,
): Promise<ModelHost<In, Out>> {
  const {
    module,
    data,
    sideBySide = false,
    model,
    unpack,
    units,
    errors,
    background,
    idleMs,
    verify,
    isShipped = true,
    logger,
  } = options;
  const {
    maxBatch = 64,
    maxUnits = 100_000,
    maxRuns = 2,
    maxQueue = 4096,
    timeoutMs = 30_000,
    stuckMs = 60_000,
  } = options;
  const threads = openThreads<ModelStart<In>>({
    name: model,
    url: new URL("./model-worker.ts", import.meta.url),
    data: { module: module.href, data, sideBySide },
    background,
    idleMs,
    errors: { ...threadErrors(model), ...errors },
    logger,
  });
  if (idleMs === undefined || !isShipped) await threads.start();
  else await verify?.();

  const queue = createWorkQueue<In, Out>({ capacity: maxQueue, model, units });
  let runs = 0;
  let open = true;
  let idle: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  const run = async (taken: Taken<In, Out>): Promise<void> => {
    const { inputs, signal } = taken;
    try {
      taken.deliver(unpack(await threads.call("run", inputs, { signal }), inputs.length));
    } catch (error) {
      taken.fail(error);
    }
    runs--;
    pump();
  };

  const pump = (): void => {
    while (runs < maxRuns) {
      const taken = queue.take(maxBatch, maxUnits);
      if (taken === undefined) break;
      runs++;
      void run(taken);
    }
    if (runs === 0) idle?.();
  };

  let pingedAt: number | undefined;
  const ping = async (): Promise<void> => {
    pingedAt = performance.now();
    await threads.call("ping", []).catch(() => undefined);
    pingedAt = undefined;
  };

  const check = (): void => {
    if (idleMs !== undefined && areResting(threads.state())) return;
    const { alive, lastError = "it is starting" } = threads.state();
    const failed = (why: string) => new InferenceError("worker-failed", `${model}: ${why}`, { model });
    if (alive === 0) throw failed(lastError);
    if (pingedAt === undefined) void ping();
    else if (performance.now() - pingedAt > stuckMs) throw failed("its thread is stuck");
  };

  const close = async (): Promise<void> => {
    open = false;
    if (runs > 0 || queue.size() > 0) {
      await new Promise<void>((resolve) => {
        idle = resolve;
      });
    }
    await threads.close();
  };

  return {
    async run(inputs, { signal, kind } = {}) {
      if (!open) throw new InferenceError("closed", `${model} is closed`, { model });
      if (inputs.length === 0) return [];
      // To open the model takes none of the time that a call has.
      if (areResting(threads.state())) await threads.call("ping", inputs, { signal });
      const answer = queue.add(inputs, { signal, kind, timeoutMs });
      // calls made in the same turn of the event loop go into the same run
      queueMicrotask(pump);
      return answer;
    },
    threads: () => threads.state(),
    check,
    close: () => (closing ??= close()),
  };
}

/** A model that a service can do without, or why it is not there. */
export type OptionalModel<T> = { model: T; problem?: undefined } | { model?: undefined; problem: InferenceError };

/**
 * Milliseconds after which a model that nobody uses is given back: the next use waits some hundred milliseconds longer.
 */
export const MODEL_IDLE_MS = 600_000;

/**
 * Milliseconds after which one is given back whose answers nobody waits for. To open the three of the stages takes
 * 1.4 s of a processor: at the worst, an article each time that they were given back, that is 2.3 % of one.
 */
export const BACKGROUND_IDLE_MS = 60_000;

/** Checks a model that is open; one that rests is well, and is not opened for a check. */
export async function checkIfOpen<T extends object>(model: T, check: (model: T) => Promise<unknown>): Promise<unknown> {
  return "threads" in model && typeof model.threads === "function" && areResting(model.threads())
    ? undefined
    : await check(model);
}

/** A model that nobody asked to load. */
export const NOT_LOADED: OptionalModel<never> = { problem: new InferenceError("model-unknown", "it was not loaded") };

/**
 * Loads the model of a task. When it is missing, altered or cannot be run, the log says so once, with `without` (what
 * happens in the meantime), and all else goes on.
 */
export async function loadOptional<T>(
  { task, without }: { task: string; without: string },
  load: () => Promise<T>,
  logger: Pick<Logger, "error">,
): Promise<OptionalModel<T>> {
  try {
    return { model: await load() };
  } catch (problem) {
    if (!(problem instanceof InferenceError)) throw problem;
    const { model, code, message } = problem;
    logger.error({ task, model, code, reason: message }, `a model cannot be used: ${without}`);
    return { problem };
  }
}
