import { FairQueue } from "../../std/mod.ts";
import {
  type AnswerOf,
  type Arguments,
  asCallersError,
  type CallName,
  type CallOptions,
  type DataOf,
  type HandlersOf,
  type PoolOptions,
  type Start,
  ThreadError,
  type ThreadsState,
} from "./protocol.ts";
import { type Call, Place, type PlaceEnd } from "./place.ts";

/** Runs threads that share the calls made to them, kinds of calls in turn; `openThreads` gives it types. */
class ThreadPool {
  readonly #options: PoolOptions;
  readonly #places: readonly Place[];
  readonly #waiting = new FairQueue<Call>(({ cost }) => cost);
  /** Places that have no thread although they should. */
  readonly #failing = new Set<Place>();
  readonly #restarts = new Map<Place, ReturnType<typeof setTimeout>>();
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** Calls that one thread may hold. */
  readonly #limit: number;
  #lastId = 0;
  #lastError: Error | undefined;
  /** Tells whether threads run without being needed, and are replaced. */
  #kept = false;
  #started: PromiseWithResolvers<void> | undefined;
  /** Places in which no thread has become ready yet. */
  readonly #fresh: Set<Place>;
  /** Why no call is taken any more. */
  #over: Error | undefined;
  #closed: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;

  constructor(options: PoolOptions, data: unknown) {
    this.#options = options;
    this.#limit = options.deadline === undefined ? Number.POSITIVE_INFINITY : 1;
    const events = {
      onReady: (place: Place) => this.#onReady(place),
      onFree: () => this.#dispatch(),
      onEnd: (place: Place, end: PlaceEnd) => this.#onEnd(place, end),
      inWork: () => this.#places.reduce((sum, place) => sum + place.held, 0),
    };
    this.#places = Array.from({ length: options.size ?? 1 }, () => new Place(options, data, events));
    this.#fresh = new Set(this.#places);
  }

  start(): Promise<void> {
    if (this.#started !== undefined) return this.#started.promise;
    if (this.#over !== undefined) return Promise.reject(this.#over);
    this.#started = Promise.withResolvers();
    this.#kept = true;
    this.#dispatch();
    if (this.#fresh.size === 0) this.#started.resolve();
    return this.#started.promise;
  }

  send(name: string, ask: unknown, options: CallOptions = {}): Promise<never> {
    const { signal, transfer, retry = false } = options;
    const isFair = this.#options.perKind !== undefined;
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const call: Call = {
      id: ++this.#lastId,
      kind: isFair ? (options.kind ?? name) : "",
      cost: isFair ? (options.cost ?? 1) : 1,
      ...{ name, ask, transfer, retry, resolve, reject },
    };
    if (signal !== undefined) this.#heed(signal, call);
    this.#waiting.add(call, call);
    this.#dispatch();
    return promise;
  }

  state(): ThreadsState {
    const places = this.#places;
    return {
      threads: places.length,
      alive: places.filter((place) => place.ready).length,
      failing: this.#failing.size,
      restarts: places.reduce((sum, place) => sum + place.restarts, 0),
      lastError: this.#lastError?.message,
    };
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#stopTaking();
      if (this.#waiting.size > 0) {
        await new Promise<void>((resolve) => {
          this.#onDrained = resolve;
        });
      }
      await Promise.all(this.#places.map((place) => place.close()));
    })();
    return this.#closed;
  }

  async terminate(): Promise<void> {
    this.#stopTaking();
    const closed = this.#closedError();
    const ended = this.#places.map((place) => {
      const { held, ended } = place.terminate();
      for (const call of held) call.reject(closed);
      return ended;
    });
    this.#rejectWaiting(closed);
    await Promise.all(ended);
  }

  /** Takes the call back when the signal aborts before it is settled. */
  #heed(signal: AbortSignal, call: Call): void {
    const { resolve, reject } = call;
    const abort = (): void => {
      reject(signal.reason);
      this.#abandon(call);
    };
    signal.addEventListener("abort", abort, { once: true });
    call.resolve = (answer) => {
      signal.removeEventListener("abort", abort);
      resolve(answer);
    };
    call.reject = (error) => {
      signal.removeEventListener("abort", abort);
      reject(error);
    };
  }

  /** Ends the threads once nothing was called for as long as the options say. */
  #rest(): void {
    const { idleMs } = this.#options;
    clearTimeout(this.#resting);
    if (idleMs === undefined || this.#waiting.size > 0 || this.#places.some(({ held }) => held > 0)) return;
    this.#resting = setTimeout(() => {
      this.#kept = false;
      for (const place of this.#places) place.retire();
    }, idleMs);
    this.#resting.unref();
  }

  /** Hands out what waits, and starts the threads that are needed. */
  #dispatch(): void {
    const hasPlace = (kind: string): boolean => this.#idlest(kind) !== undefined;
    for (let call = this.#waiting.next(hasPlace); call !== undefined; call = this.#waiting.next(hasPlace)) {
      this.#waiting.spend(call, call.cost);
      this.#waiting.delete(call);
      this.#idlest(call.kind)?.give(call);
    }
    if (this.#kept || this.#waiting.size > 0) this.#startThreads();
    this.#rest();
    if (this.#waiting.size === 0) this.#onDrained?.();
    else if (!this.#places.some((place) => place.taken)) this.#rejectWaiting(this.#lastError);
  }

  /** Returns the thread that holds least, of those that can take a call of this kind. */
  #idlest(kind: string): Place | undefined {
    const { perKind = Number.POSITIVE_INFINITY } = this.#options;
    let best: Place | undefined;
    for (const place of this.#places) {
      if (!place.ready || place.held >= this.#limit || place.heldOf(kind) >= perKind) continue;
      if (best === undefined || place.held < best.held) best = place;
    }
    return best;
  }

  #startThreads(): void {
    let starting = 0;
    for (const place of this.#places) if (place.taken && !place.ready) starting++;
    for (const place of this.#places) {
      if (place.taken) continue;
      if (!this.#kept && starting >= this.#waiting.size) return;
      const { restMs } = place;
      if (restMs > 0) {
        if (this.#kept) this.#startLater(place, restMs);
        continue;
      }
      place.start();
      starting++;
    }
  }

  #startLater(place: Place, inMs: number): void {
    if (this.#restarts.has(place)) return;
    const timer = setTimeout(() => {
      this.#restarts.delete(place);
      this.#dispatch();
    }, inMs);
    this.#restarts.set(place, timer.unref());
  }

  #onReady(place: Place): void {
    const { name, logger } = this.#options;
    if (this.#failing.delete(place)) logger?.info({ threads: name, restarts: place.restarts }, "a thread runs again");
    this.#fresh.delete(place);
    if (this.#fresh.size === 0) this.#started?.resolve();
    this.#dispatch();
  }

  #onEnd(place: Place, { error, began, held }: PlaceEnd): void {
    if (this.#over !== undefined && held.length === 0 && this.#waiting.size === 0) return;
    const { name, logger } = this.#options;
    logger?.error({ threads: name, err: error, calls: held.length }, "a thread has ended by itself");
    this.#lastError = error;
    if (this.#kept || !began) this.#failing.add(place);
    for (const call of held.toReversed()) {
      if (call.retry) this.#waiting.add(call, { kind: call.kind, first: true });
      else call.reject(error);
      call.retry = false;
    }
    if (this.#started !== undefined && this.#fresh.has(place)) {
      this.#started.reject(error);
      void this.close();
    }
    this.#dispatch();
  }

  #abandon(call: Call): void {
    call.retry = false;
    this.#waiting.delete(call);
    for (const place of this.#places) place.abort(call.id);
    if (this.#waiting.size === 0) this.#onDrained?.();
  }

  #stopTaking(): void {
    this.#over ??= this.#closedError();
    this.#kept = false;
    clearTimeout(this.#resting);
    for (const timer of this.#restarts.values()) clearTimeout(timer);
    this.#restarts.clear();
  }

  #rejectWaiting(error: unknown): void {
    for (const call of [...this.#waiting]) {
      this.#waiting.delete(call);
      call.reject(error);
    }
    this.#onDrained?.();
  }

  #closedError(): Error {
    const { name, errors } = this.#options;
    return asCallersError(new ThreadError("closed", `${name}: closed`), errors);
  }
}

/** Threads that answer calls with the handlers of a start. */
export interface Threads<S extends Start> {
  /**
   * Starts all threads, and from then on keeps them running. Without it a thread starts when a call needs it. Rejects
   * with why the first one could not start; then all are closed.
   */
  start(): Promise<void>;
  /**
   * Asks the thread that has least to do. Rejects with what the handler threw, the signal's reason, or a
   * {@link import("./protocol.ts").ThreadError}: a thread that ends fails only the calls that it held.
   */
  call<N extends CallName<S>>(name: N, ...rest: Arguments<HandlersOf<S>[N]>): Promise<AnswerOf<HandlersOf<S>[N]>>;
  state(): ThreadsState;
  /** Takes no more calls, answers those it has, then ends the threads. */
  close(): Promise<void>;
  /** Ends the threads at once, and fails every call with `closed`: only for threads without native code. */
  terminate(): Promise<void>;
}

/** Describes how threads are opened: `data` is what their `start` gets. */
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

/** Threads by what they are for; undefined where there are none. */
export type ThreadStates = Readonly<Record<string, ThreadsState | undefined>>;

/** Returns whether threads rest: none runs, and none should, as nobody needs one. */
export function areResting({ alive, failing }: ThreadsState): boolean {
  return alive === 0 && failing === 0;
}

/** For health routes: throws when a thread does not run although it should, naming what it is for and why it ended. */
export function assertThreadsRun(states: ThreadStates): void {
  const failing = Object.entries(states).flatMap(([name, state]) =>
    state === undefined || state.failing === 0
      ? []
      : [`${name}: ${state.failing} of ${state.threads} failing after ${state.restarts} restarts, ${state.lastError}`],
  );
  if (failing.length > 0) throw new Error(failing.join("; "));
}
