import type { AnswerOf, Arguments, CallName, DataOf, HandlersOf, Start } from "./handlers.ts";
import type { PoolOptions, ThreadsState } from "./options.ts";
import { ThreadPool } from "./pool.ts";

/** Threads that answer calls with the handlers of a start. */
export interface Threads<S extends Start> {
  /**
   * Starts all threads, and from then on keeps them running. Without it a thread starts when a call needs it. Rejects
   * with why the first one could not start; then all are closed.
   */
  start(): Promise<void>;
  /**
   * Asks the thread that has least to do. Rejects with what the handler threw, the signal's reason, or a
   * {@link import("./errors.ts").ThreadError}: a thread that ends fails only the calls that it held.
   */
  call<N extends CallName<S>>(name: N, ...rest: Arguments<HandlersOf<S>[N]>): Promise<AnswerOf<HandlersOf<S>[N]>>;
  state(): ThreadsState;
  /** Takes no more calls, answers those it has, then ends the threads. */
  close(): Promise<void>;
  /** Ends the threads at once, and fails every call with `closed`: only for threads without native code. */
  terminate(): Promise<void>;
}

/** How threads are opened: `data` is what their `start` gets. */
export type ThreadsOptions<S extends Start> = PoolOptions &
  (undefined extends DataOf<S> ? { data?: DataOf<S> } : { data: DataOf<S> });

/**
 * Threads that run the Worker file `url`, whose `start` is of type `S`. A thread that ends is replaced: at once after a
 * first end, after growing pauses of at most 10 s while it keeps ending. Idle threads keep no process alive.
 */
export function openThreads<S extends Start>({ data, ...options }: ThreadsOptions<S>): Threads<S> {
  const pool = new ThreadPool(options, data);
  return {
    start: () => pool.start(),
    call: (name, ...[ask, callOptions]) => pool.send(name, ask, callOptions),
    state: () => pool.state(),
    close: () => pool.close(),
    terminate: () => pool.terminate(),
  };
}
