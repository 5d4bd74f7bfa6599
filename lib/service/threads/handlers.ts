/** What a handler gets beside its question. */
export type Context = {
  /** Aborts when nobody waits for the answer any more; long work ends then, by throwing. */
  readonly signal: AbortSignal;
};

/**
 * The start of a thread, run in it: makes the handlers from the data that the thread was opened with. `restarts` says
 * how many threads stood in its place before. `close`, where there is one, is called once, last of all.
 */
export type Start = (data: never, context: { restarts: number }) => object | Promise<object>;

/** The handlers that a start makes. */
export type HandlersOf<S extends Start> = Awaited<ReturnType<S>>;

/** The data that a start takes; undefined where it takes none. */
export type DataOf<S extends Start> = Parameters<S> extends [] ? undefined : Parameters<S>[0];

/** The names that can be called. */
export type CallName<S extends Start> = Exclude<keyof HandlersOf<S>, "close"> & string;

/** The arguments of a call. */
export type Arguments<F> = F extends () => unknown
  ? [ask?: undefined, options?: CallOptions]
  : F extends (ask: infer Ask, context: Context) => unknown
    ? [ask: Ask, options?: CallOptions]
    : never;

/** What a call resolves to. */
export type AnswerOf<F> = F extends (...args: never) => infer Answer ? Received<Awaited<Answer>> : never;

type Received<Answer> = Answer extends Transferred<infer Value> ? Value : Answer;

/** How a call is made. */
export type CallOptions = {
  /** Rejects the call with its reason. A thread that works on it already learns so from its context. */
  signal?: AbortSignal | undefined;
  /** Buffers of the question that are handed over instead of copied. */
  transfer?: ArrayBuffer[];
  /**
   * Asks another thread, once, when the one that was asked ends before it answers: for questions that change nothing.
   */
  retry?: boolean;
};

/** An answer of which some buffers are handed over instead of copied. */
export class Transferred<Value> {
  readonly value: Value;
  readonly buffers: ArrayBuffer[];
  constructor(value: Value, buffers: ArrayBuffer[]) {
    this.value = value;
    this.buffers = buffers;
  }
}
