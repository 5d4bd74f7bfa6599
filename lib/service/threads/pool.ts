import { asCallersError, ThreadError } from "./errors.ts";
import type { CallOptions } from "./handlers.ts";
import type { PoolOptions, ThreadsState } from "./options.ts";
import { type Call, Place, type PlaceEnd } from "./place.ts";

/** Threads that share the calls made to them, in order of arrival; `openThreads` gives it types. */
export class ThreadPool {
  readonly #options: PoolOptions;
  readonly #places: readonly Place[];
  readonly #waiting: Call[] = [];
  /** Places that have no thread although they should. */
  readonly #failing = new Set<Place>();
  readonly #restarts = new Map<Place, ReturnType<typeof setTimeout>>();
  /** Calls that one thread may hold. */
  readonly #limit: number;
  #lastId = 0;
  #lastError: Error | undefined;
  /** Whether threads run without being needed, and are replaced. */
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

  send(name: string, ask: unknown, { signal, transfer, retry = false }: CallOptions = {}): Promise<never> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const call: Call = { id: ++this.#lastId, name, ask, transfer, retry, resolve, reject };
    if (signal !== undefined) this.#heed(signal, call);
    this.#waiting.push(call);
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
      if (this.#waiting.length > 0) {
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

  /** Hands out what waits, and starts the threads that are needed. */
  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const place = this.#idlest();
      if (place === undefined) break;
      const call = this.#waiting.shift();
      if (call !== undefined) place.give(call);
    }
    if (this.#kept || this.#waiting.length > 0) this.#startThreads();
    if (this.#waiting.length === 0) this.#onDrained?.();
    else if (!this.#places.some((place) => place.taken)) this.#rejectWaiting(this.#lastError);
  }

  #idlest(): Place | undefined {
    let best: Place | undefined;
    for (const place of this.#places) {
      if (place.ready && place.held < this.#limit && (best === undefined || place.held < best.held)) best = place;
    }
    return best;
  }

  #startThreads(): void {
    let starting = 0;
    for (const place of this.#places) if (place.taken && !place.ready) starting++;
    for (const place of this.#places) {
      if (place.taken) continue;
      if (!this.#kept && starting >= this.#waiting.length) return;
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
    if (this.#over !== undefined && held.length === 0 && this.#waiting.length === 0) return;
    const { name, logger } = this.#options;
    logger?.error({ threads: name, err: error, calls: held.length }, "a thread has ended by itself");
    this.#lastError = error;
    if (this.#kept || !began) this.#failing.add(place);
    for (const call of held.toReversed()) {
      if (call.retry) this.#waiting.unshift(call);
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
    const at = this.#waiting.indexOf(call);
    if (at >= 0) this.#waiting.splice(at, 1);
    for (const place of this.#places) place.abort(call.id);
    if (this.#waiting.length === 0) this.#onDrained?.();
  }

  #stopTaking(): void {
    this.#over ??= this.#closedError();
    this.#kept = false;
    for (const timer of this.#restarts.values()) clearTimeout(timer);
    this.#restarts.clear();
  }

  #rejectWaiting(error: unknown): void {
    for (const call of this.#waiting.splice(0)) call.reject(error);
    this.#onDrained?.();
  }

  #closedError(): Error {
    const { name, errors } = this.#options;
    return asCallersError(new ThreadError("closed", `${name}: closed`), errors);
  }
}
