import { createRunner, type Logger, type Registry, type Runner } from "../service/process/mod.ts";
import { paced } from "../std/mod.ts";
import type { Store } from "../store/mod.ts";
import { Gate, type RunnableStage, type Stage, stageWork, workMetrics } from "./stage.ts";

export type { Stage, StageFailure, StageOutcome } from "./stage.ts";

/** Returns the names of the stages that follow one. */
function followersOf(stages: readonly Stage[], name: string): string[] {
  return stages.filter(({ after }) => after === name).map((stage) => stage.name);
}

/** Holds what running stages needs. */
export type StagesOptions = {
  store: Pick<Store, "work">;
  /** All stages that articles go through, those too that cannot run here. */
  stages: readonly Stage[];
  logger: Logger;
  metrics: Registry;
  /** Name of this process among those that run. */
  instance: string;
  /** Says how often each stage looks for work that nobody called it for, in milliseconds (5,000). */
  pollMs?: number | undefined;
  /** Calls other processes when articles were queued for a stage. */
  wakeOthers?: ((stage: string, articleIds: readonly number[]) => void) | undefined;
};

/** The stages of a process. */
type Stages = {
  /** Says that a stage may have work; without a name, that any may. */
  wake(stage?: string): void;
  /** Works on articles, all stages side by side, until the signal aborts; then releases what is in flight. */
  run(signal: AbortSignal): Promise<void>;
  /** Updates the gauge of what waits. */
  measure(): Promise<void>;
  /** Returns for how many milliseconds no stage has run here; 0 while one does. */
  restedMs(): number;
};

const POLL_MS = 5_000;

/** Makes the runner of the stages; nothing is claimed before `run`. */
export function createStages(options: StagesOptions): Stages {
  const { store, stages, logger, instance, pollMs = POLL_MS, wakeOthers } = options;
  const names = stages.map(({ name }) => name);
  const metrics = workMetrics(options.metrics, names);
  const gate = new Gate();
  const runners = new Map<string, Runner>();
  const onHandOver = (following: readonly string[], articleIds: readonly number[]): void => {
    for (const stage of following) {
      runners.get(stage)?.wake();
      wakeOthers?.(stage, articleIds);
    }
  };
  const deps = { store, logger, metrics, gate, onHandOver };
  for (const stage of stages.filter(isRunnable)) {
    const { name, leaseS, concurrency = 1 } = stage;
    const work = stageWork(stage, followersOf(stages, name), deps);
    runners.set(name, createRunner(work, { logger, instance, leaseS, concurrency, pollMs }));
  }
  const backlog = paced(() => store.work.backlog());
  const wake = (stage?: string): void => {
    for (const [name, runner] of runners) if (stage === undefined || stage === name) runner.wake();
  };
  return {
    wake,
    async run(signal) {
      const listening = store.work.listen(wake);
      listening.catch((error) =>
        logger.warn({ err: error }, "new work is not announced; it is looked for by the clock"),
      );
      await Promise.all([
        ...[...runners.values()].map((runner) => runner.run(signal)),
        retryByOthers(stages, { store, logger, signal }),
      ]);
      await listening.then((stop) => stop()).catch(() => {});
    },
    measure: async () => metrics.onBacklog(await backlog()),
    restedMs: () => gate.restedMs(),
  };
}

const isRunnable = (stage: Stage): stage is RunnableStage => stage.run !== undefined;

/** Tries again what another version of a stage, such as another model, has set aside. */
async function retryByOthers(
  stages: readonly Stage[],
  { store, logger, signal }: Pick<StagesOptions, "store" | "logger"> & { signal: AbortSignal },
): Promise<void> {
  for (const { name, version, run } of stages) {
    if (run === undefined || version === undefined || signal.aborted) continue;
    try {
      const retried = await store.work.retry({ stage: name, notBy: version });
      if (retried > 0)
        logger.info({ stage: name, version, articles: retried }, "set aside by another version: tried again");
    } catch (error) {
      logger.warn({ err: error, stage: name }, "what another version set aside is not tried again");
    }
  }
}
