import {
  inSpan,
  instruments,
  type LeasedWork,
  type Logger,
  queueLatency,
  type Registry,
} from "../service/process/mod.ts";
import { abortable, backoffMs, errorMessage } from "../std/mod.ts";
import { isUnavailable, type StageBacklog, type Step, type Store, type WorkItem } from "../store/mod.ts";

/** Holds what a run of a stage has to go by. */
type StageRun = {
  /** Aborts when the process stops, the lease is lost, or the run has taken too long. */
  signal: AbortSignal;
  /** To be handed to the statement that stores what was made, so that it ends the stage in its transaction. */
  step: Step;
};

/** An article that could not be worked on, and why. */
export type StageFailure = { articleId: number; error: unknown };

/** Holds what a run came to: the articles that failed, and counts for its line in the log. */
export type StageOutcome = { failures?: readonly StageFailure[]; counts?: Record<string, number> };

/**
 * A step on the way of an article: what it stores is the article's next state. To add one is to write its file and its
 * line in the table of stages.
 */
export type Stage = {
  /** Its name in the table of work, in metrics and logs. */
  name: string;
  /** The stage that it follows; undefined for the first one, whose work is written when an article is admitted. */
  after?: string;
  /** Articles of a run. */
  batch: number;
  /** Seconds after which the articles of a process that ended are claimed by another. */
  leaseS: number;
  /** Runs at a time in one process (1). */
  concurrency?: number;
  /** Longest time of a run, in seconds (600); it then counts as failed. */
  timeoutS?: number;
  /** Says how long a failed article waits: longer each time. */
  retry?: { baseMs: number; maxMs: number };
  /** Holds what it works with, such as a model: what one version set aside is tried again by another. */
  version?: string | undefined;
  /** Returns whether an error says that what every article needs is away: no attempt counts then. */
  isAway?: (error: unknown) => boolean;
  /**
   * Works on articles. Those that it neither stores nor names as failed are ended without more. When it rejects, each
   * of several articles is tried again by itself. Undefined while it cannot run here: its articles wait.
   */
  run: ((articles: readonly WorkItem[], run: StageRun) => Promise<StageOutcome>) | undefined;
};

/** An article is set aside once this many attempts have failed, or have ended their process. */
const MAX_ATTEMPTS = 5;

/** From this attempt on, what ended its process runs by itself: what happened to run beside it is not blamed again. */
const ALONE_FROM = 3;

const TIMEOUT_S = 600;
const RETRY = { baseMs: 1_000, maxMs: 60_000 };

type StageDeps = {
  store: Pick<Store, "work">;
  logger: Logger;
  metrics: WorkMetrics;
  gate: Gate;
  /** Called when articles were queued for these stages. */
  onHandOver(stages: readonly string[], articleIds: readonly number[]): void;
};

/** A stage that can run here. */
export type RunnableStage = Stage & { run: NonNullable<Stage["run"]> };

/** Says how the articles of a run are settled. */
type Settled = { failures: readonly StageFailure[]; counts: Record<string, number> };

/** Makes a stage's articles into leased work: claimed together, run, and each settled by what became of it. */
export function stageWork(stage: RunnableStage, next: readonly string[], deps: StageDeps): LeasedWork<WorkItem[]> {
  const { store, logger, metrics, gate, onHandOver } = deps;
  const { name, batch, leaseS, retry = RETRY, version, isAway } = stage;
  const delayS = (attempts: number): number => backoffMs(attempts - 1, retry) / 1000;

  /** Tries each article again, alone at once where it failed with others, or sets it aside. */
  const fail = async (step: Step, articles: readonly WorkItem[], failures: readonly StageFailure[]): Promise<void> => {
    if (failures.length === 0) return;
    const attempts = new Map(articles.map((article) => [article.articleId, article.attempts]));
    const settled = failures.map(({ articleId, error }) => ({
      articleId,
      reason: errorMessage(error),
      delayS: articles.length > 1 ? 0 : delayS(attempts.get(articleId) ?? 1),
    }));
    const aside = await store.work.fail(step, settled, { maxAttempts: MAX_ATTEMPTS, version });
    if (aside.length === 0) return;
    metrics.onSetAside(name, aside.length);
    logger.error({ stage: name, article_ids: aside, reason: settled[0]?.reason }, "articles were set aside");
  };

  const settle = async (step: Step, articles: readonly WorkItem[], { failures }: Settled): Promise<void> => {
    const failed = new Set(failures.map(({ articleId }) => articleId));
    const ended = articles.map(({ articleId }) => articleId).filter((id) => !failed.has(id));
    await store.work.end(step, ended);
    await fail(step, articles, failures);
    if (ended.length > 0 && next.length > 0) onHandOver(next, ended);
  };

  return {
    name,
    async claim(owner) {
      const articles = await store.work.claim({ stage: name, owner, leaseS, limit: batch });
      return articles.length === 0 ? undefined : articles;
    },
    heartbeat: async (owner) => (await store.work.heartbeat({ owner, leaseS })) > 0,
    async perform(articles, { owner, signal }) {
      const step: Step = { stage: name, owner, next };
      const waitedMs = metrics.onStart(name, articles);
      const startedAt = performance.now();
      const [first] = articles;
      const base = {
        stage: name,
        articles: articles.length,
        attempt: first?.attempts,
        waited_ms: Math.round(waitedMs),
      };
      const end = (level: "info" | "warn", outcome: "done" | "failed" | "away", fields: object): number => {
        const tookMs = performance.now() - startedAt;
        metrics.onEnd(name, outcome, tookMs / 1000, articles.length);
        logger[level]({ ...base, outcome, ...fields, took_ms: Math.round(tookMs) }, "stage");
        return 0;
      };
      // It has ended every process that tried it, which nobody could say afterwards.
      const dead = articles.filter(({ attempts }) => attempts > MAX_ATTEMPTS);
      if (dead.length > 0) {
        const error = new Error("each attempt ended with its process");
        await fail(
          step,
          articles,
          dead.map(({ articleId }) => ({ articleId, error })),
        );
        return end("warn", "failed", { reason: error.message });
      }
      const isSuspect = first?.orphaned === true && first.attempts >= ALONE_FROM;
      const work = () => inSpan(`stage ${name}`, spanOf(articles), () => runInTime(stage, articles, { signal, step }));
      try {
        const { failures = [], counts = {} } = await (isSuspect ? gate.exclusive(work) : gate.shared(work));
        await settle(step, articles, { failures, counts });
        if (failures.length === 0) return end("info", "done", counts);
        const failed = { failed: failures.length, reason: errorMessage(failures[0]?.error) };
        metrics.onEnd(name, "failed", 0, failures.length);
        return end("warn", "done", { ...counts, ...failed });
      } catch (error) {
        if (signal.aborted) throw error;
        if (isUnavailable(error) || isAway?.(error) === true) {
          end("warn", "away", { reason: errorMessage(error) });
          throw error;
        }
        await fail(
          step,
          articles,
          articles.map(({ articleId }) => ({ articleId, error })),
        );
        return end("warn", "failed", { err: error });
      }
    },
    release: (owner) => store.work.release(owner),
    fields: (articles) => ({ stage: name, articles: articles.length }),
  };
}

const spanOf = (articles: readonly WorkItem[]) => ({
  kind: "consumer" as const,
  attributes: { "isnad.articles": articles.length, "isnad.attempt": articles[0]?.attempts ?? 0 },
});

/** Runs a stage, which is left to itself when its signal aborts or its time is over: it may never come back. */
async function runInTime(
  { run, timeoutS = TIMEOUT_S }: RunnableStage,
  articles: readonly WorkItem[],
  { signal, step }: StageRun,
): Promise<StageOutcome> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`it did not end within ${timeoutS} s`)), timeoutS * 1000);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    return await abortable(run(articles, { signal: either, step }), either);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets many runs through side by side, or one that must have the process to itself. */
export class Gate {
  #shared = 0;
  #isClosed = false;
  #waiting: (() => void)[] = [];
  #endedAt = performance.now();

  /** Returns for how many milliseconds nothing has run; 0 while something does. */
  restedMs(): number {
    return this.#shared > 0 || this.#isClosed ? 0 : performance.now() - this.#endedAt;
  }

  /** Runs `work` beside others, but not beside exclusive work. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    while (this.#isClosed) await this.#change();
    this.#shared++;
    try {
      return await work();
    } finally {
      this.#shared--;
      this.#wake();
    }
  }

  /** Runs `work` once all others have ended; those that come meanwhile wait. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#isClosed) await this.#change();
    this.#isClosed = true;
    try {
      while (this.#shared > 0) await this.#change();
      return await work();
    } finally {
      this.#isClosed = false;
      this.#wake();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    this.#endedAt = performance.now();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Says how a run of a stage ended: `away` where it could not be done now, and nobody is to blame. */
type RunEnd = "done" | "failed" | "away";

type WorkMetrics = {
  /** Counts a run that begins; returns how long its oldest article has waited, in milliseconds. */
  onStart(stage: string, articles: readonly WorkItem[]): number;
  onEnd(stage: string, outcome: RunEnd, tookS: number, articles: number): void;
  onSetAside(stage: string, articles: number): void;
  onBacklog(backlog: readonly StageBacklog[]): void;
};

/** The stages that are queues of the specification; `queue_latency_seconds` is theirs. */
const QUEUES: ReadonlySet<string> = new Set(["ingestion", "analysis"]);

/** Registers the metrics of the stages of these names, and `queue_latency_seconds`. */
export function workMetrics(registry: Registry, stages: readonly string[]): WorkMetrics {
  const { counter, gauge, histogram } = instruments(registry);
  const latency = queueLatency(registry);
  const runs = histogram("worker_stage_seconds", "Time that runs of a stage take, in seconds.", ["stage", "outcome"], {
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  const articles = counter("worker_stage_articles_total", "Articles in runs of a stage that ended.", [
    "stage",
    "outcome",
  ]);
  const aside = counter("worker_stage_set_aside_total", "Articles that were set aside after their last attempt.", [
    "stage",
  ]);
  const backlog = gauge(
    "worker_stage_backlog",
    "Articles that wait for a stage, or were set aside in it.",
    ["stage", "state"],
    {
      // every worker reads the same number from the database
      aggregator: "max",
    },
  );
  // A series that is there from the start shows its first increase as one.
  for (const stage of stages) {
    aside.inc({ stage }, 0);
    for (const outcome of ["done", "failed", "away"]) articles.inc({ stage, outcome }, 0);
  }
  return {
    onStart(stage, claimed) {
      const now = Date.now();
      const waits = claimed.map(({ queuedAtMs }) => Math.max(0, now - queuedAtMs));
      if (QUEUES.has(stage)) for (const waitMs of waits) latency.observe(waitMs / 1000);
      return Math.max(0, ...waits);
    },
    onEnd(stage, outcome, tookS, count) {
      if (tookS > 0) runs.observe({ stage, outcome }, tookS);
      articles.inc({ stage, outcome }, count);
    },
    onSetAside: (stage, count) => aside.inc({ stage }, count),
    onBacklog(list) {
      const byStage = new Map(list.map((entry) => [entry.stage, entry]));
      for (const stage of new Set([...stages, ...byStage.keys()])) {
        backlog.set({ stage, state: "waiting" }, byStage.get(stage)?.waiting ?? 0);
        backlog.set({ stage, state: "set-aside" }, byStage.get(stage)?.setAside ?? 0);
      }
    },
  };
}
