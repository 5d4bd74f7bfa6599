import type { URL } from "node:url";
import { Worker } from "node:worker_threads";
import { backoffMs } from "../../std/mod.ts";
import { BackgroundThread } from "./background-thread.ts";
import {
  asCallersError,
  type Deadline,
  decodeError,
  describeDeadline,
  type EncodedError,
  isDeclared,
  type PoolOptions,
  processorMs,
  remainingMs,
  type Reply,
  type Request,
  ThreadError,
  type WorkerData,
} from "./protocol.ts";

/** An answer to a call, or why there is none. The caller knows the type of the answer. */
type CallReply = Extract<Reply<never>, { id: number }>;

/**
 * Describes how a thread came to its end: why its start failed in its own words, what it threw, or the code that it
 * ended with.
 */
type ThreadEnd = { failed: EncodedError } | { error: Error } | { exitCode: number };

/** Describes what the owner of a thread learns of it; nothing after its end. */
type ThreadEvents = {
  /** `thread`: the number that Linux knows it by. */
  onReady(thread: number | undefined): void;
  onReply(reply: CallReply): void;
  /** `began` says whether it had become ready. */
  onEnd(end: ThreadEnd, began: boolean): void;
};

/** One Worker whose file calls `serve`. */
class Thread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #begun = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  #state: "starting" | "ready" | "ended" = "starting";

  constructor(url: URL, workerData: WorkerData<unknown>, events: ThreadEvents) {
    this.#events = events;
    this.#worker = new Worker(url, { workerData })
      .on("message", (reply: Reply<never>) => this.#receive(reply))
      .on("error", (thrown: unknown) =>
        this.#end({ error: thrown instanceof Error ? thrown : new Error(String(thrown)) }),
      )
      .on("exit", (exitCode) => {
        this.#end({ exitCode });
        this.#exited.resolve();
      });
  }

  /** Tells whether it takes calls. */
  get ready(): boolean {
    return this.#state === "ready";
  }

  /** @throws DataCloneError when the question cannot be sent */
  post(request: Request<unknown>, transfer?: ArrayBuffer[]): void {
    // An empty list costs a sixth of a round trip.
    if (transfer === undefined) this.#worker.postMessage(request);
    else this.#worker.postMessage(request, transfer);
  }

  /** Tells whether the thread keeps the process alive. */
  keepAlive(needed: boolean): void {
    if (needed) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Lets the thread finish its calls, then ends it. Resolves when it has ended. */
  async close(): Promise<void> {
    this.keepAlive(true);
    await this.#begun.promise;
    if (this.ready) this.post({ kind: "close" });
    await this.#exited.promise;
  }

  /** Ends the thread at once; inside native code this aborts the process. No event follows. */
  async terminate(): Promise<void> {
    this.#state = "ended";
    await this.#worker.terminate();
  }

  #receive(reply: Reply<never>): void {
    if (this.#state === "ended") return;
    if (reply.kind === "failed") this.#end({ failed: reply.error });
    else if (reply.kind === "ready") {
      this.#state = "ready";
      this.#begun.resolve();
      this.#events.onReady(reply.thread);
    } else this.#events.onReply(reply);
  }

  #end(end: ThreadEnd): void {
    this.#begun.resolve();
    if (this.#state === "ended") return;
    const began = this.ready;
    this.#state = "ended";
    this.keepAlive(false);
    this.#events.onEnd(end, began);
  }
}

/** Why a thread ended, in words, and the error behind it. */
function reasonOf(end: ThreadEnd): { reason: string; cause: Error | undefined } {
  if ("exitCode" in end) return { reason: `exit code ${end.exitCode}`, cause: undefined };
  const cause = "failed" in end ? decodeError(end.failed) : end.error;
  // The runtime puts a prefix of its own before the message of a module that could not be loaded.
  return { reason: cause.message.replace(/^error: /, "") || cause.name, cause };
}

/** The rest before a second and further start in a row. */
const REST = { baseMs: 250, maxMs: 10_000 };

/** A call until it is settled. */
export type Call = {
  readonly id: number;
  /** Names what takes turns with others. */
  readonly kind: string;
  readonly name: string;
  readonly ask: unknown;
  /** Says how much work it is beside others of its kind. */
  readonly cost: number;
  readonly transfer: ArrayBuffer[] | undefined;
  /** Tells whether another thread may be asked when the one that holds it ends. */
  retry: boolean;
  resolve(answer: never): void;
  reject(error: unknown): void;
};

/** Why a thread ended, as the caller's error, whether it had become ready, and the calls that it held. */
export type PlaceEnd = { error: Error; began: boolean; held: readonly Call[] };

/** Describes what the owner of a place learns of it. */
type PlaceEvents = {
  /** The thread of the place is ready for the first time. */
  onReady(place: Place): void;
  /** The place can take a call, or a new thread. */
  onFree(place: Place): void;
  /** The thread of the place ended by itself. */
  onEnd(place: Place, end: PlaceEnd): void;
  /** Calls in flight in all places. */
  inWork(): number;
};

/** The place of one thread, which others take after it: what that thread holds, and when the next one may start. */
export class Place {
  readonly #options: PoolOptions;
  readonly #data: unknown;
  readonly #events: PlaceEvents;
  readonly #held = new Map<number, Call>();
  #thread: Thread | undefined;
  #background: BackgroundThread | undefined;
  /** Ends of threads that were retired. */
  readonly #retired = new Set<Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #starts = 0;
  /** Ends since a thread of this place last answered. */
  #failures = 0;
  #notBefore = 0;

  constructor(options: PoolOptions, data: unknown, events: PlaceEvents) {
    this.#options = options;
    this.#data = data;
    this.#events = events;
  }

  /** Tells whether a thread runs here, or starts. */
  get taken(): boolean {
    return this.#thread !== undefined;
  }

  get ready(): boolean {
    return this.#thread?.ready === true;
  }

  /** Calls that its thread holds. */
  get held(): number {
    return this.#held.size;
  }

  /** Counts the calls of a kind that its thread holds. */
  heldOf(kind: string): number {
    let count = 0;
    for (const call of this.#held.values()) if (call.kind === kind) count++;
    return count;
  }

  get restarts(): number {
    return Math.max(0, this.#starts - 1);
  }

  /**
   * Says how long to wait before the next start, in milliseconds: not at all after a first end, then longer each time.
   */
  get restMs(): number {
    return Math.max(0, this.#notBefore - performance.now());
  }

  start(): void {
    const { url, background = false, allowanceMs } = this.#options;
    const workerData = { data: this.#data, restarts: this.#starts++ };
    const thread: Thread = new Thread(url, workerData, {
      onReady: (number) => {
        thread.keepAlive(false);
        // Only now: a start is waited for.
        if (background !== false && number !== undefined && this.#thread === thread) {
          const isBusy = (): boolean => this.#held.size > 0;
          this.#background = new BackgroundThread(number, { background, isBusy, allowanceMs });
        }
        this.#events.onReady(this);
      },
      onReply: (reply) => this.#onReply(reply),
      onEnd: (end, began) => {
        if (this.#thread === thread) this.#onEnd(end, began);
      },
    });
    this.#thread = thread;
  }

  /** Hands a call to the thread. One that cannot be sent is rejected. */
  give(call: Call): void {
    const { id, name, ask, transfer } = call;
    try {
      this.#thread?.post({ kind: "call", id, name, ask }, transfer);
    } catch (error) {
      call.reject(error);
      return;
    }
    if (this.#held.size === 0) this.#thread?.keepAlive(true);
    this.#held.set(id, call);
    if (this.#options.deadline !== undefined) this.#watch(call, this.#options.deadline);
  }

  /** Tells the thread, if it holds the call, that nobody waits for it any more. */
  abort(id: number): void {
    if (this.#held.has(id)) this.#thread?.post({ kind: "abort", id });
  }

  /** Ends the thread, which holds nothing; the next one counts as the same. */
  retire(): void {
    const thread = this.#thread;
    if (thread === undefined || !this.ready) return;
    this.#vacate();
    this.#starts--;
    const ended = thread.close().finally(() => this.#retired.delete(ended));
    this.#retired.add(ended);
  }

  /** Lets the thread finish what it holds, then end. */
  async close(): Promise<void> {
    await Promise.all([this.#thread?.close(), ...this.#retired]);
  }

  /** Ends the thread at once; the calls that it held are left to the caller. */
  terminate(): { held: Call[]; ended: Promise<void> } {
    const thread = this.#thread;
    const held = this.#vacate();
    return { held, ended: thread?.terminate() ?? Promise.resolve() };
  }

  #onReply(reply: CallReply): void {
    const call = this.#held.get(reply.id);
    if (call === undefined) return;
    this.#held.delete(reply.id);
    clearTimeout(this.#timer);
    this.#failures = 0;
    if (this.#held.size === 0) this.#thread?.keepAlive(false);
    if (reply.kind === "answer") call.resolve(reply.answer);
    else call.reject(decodeError(reply.error, this.#options.errors));
    this.#events.onFree(this);
  }

  #onEnd(end: ThreadEnd, began: boolean): void {
    const held = this.#vacate();
    this.#failures++;
    if (this.#failures > 1) this.#notBefore = performance.now() + backoffMs(this.#failures - 2, REST);
    this.#events.onEnd(this, { error: errorOf(end, began, this.#options), began, held });
  }

  #watch(call: Call, deadline: Deadline): void {
    const startedAt = performance.now();
    const usedBefore = processorMs();
    const look = (): void => {
      const elapsed = performance.now() - startedAt;
      const spent = { elapsed, used: processorMs() - usedBefore, sharedBy: this.#events.inWork() };
      const left = remainingMs(deadline, spent);
      if (left > 0) this.#timer = setTimeout(look, left);
      else this.#giveUp(call, deadline);
    };
    this.#timer = setTimeout(look, "ms" in deadline ? deadline.ms : deadline.cpuMs);
  }

  #giveUp(call: Call, deadline: Deadline): void {
    void this.terminate().ended;
    const { name, errors } = this.#options;
    const late = new ThreadError("too-slow", `${name}: it took longer than ${describeDeadline(deadline)}`);
    call.reject(asCallersError(late, errors));
    this.#events.onFree(this);
  }

  #vacate(): Call[] {
    clearTimeout(this.#timer);
    this.#background?.close();
    this.#background = undefined;
    this.#thread = undefined;
    const held = [...this.#held.values()];
    this.#held.clear();
    return held;
  }
}

/** The error of a failed start is the thread's own where its class is declared. */
function errorOf(end: ThreadEnd, began: boolean, { name, errors = {} }: PoolOptions): Error {
  if ("failed" in end && isDeclared(end.failed.name, errors)) return decodeError(end.failed, errors);
  const { reason, cause } = reasonOf(end);
  const error = began
    ? new ThreadError("ended", `${name}: its thread has ended: ${reason}`, { cause })
    : new ThreadError("start-failed", `${name}: its thread could not start: ${reason}`, { cause });
  return asCallersError(error, errors);
}
