import type { URL } from "node:url";
import { Worker } from "node:worker_threads";
import { decodeError, type EncodedError } from "./errors.ts";
import type { Reply, Request, WorkerData } from "./protocol.ts";

/** An answer to a call, or why there is none. The caller knows the type of the answer. */
export type CallReply = Extract<Reply<never>, { id: number }>;

/**
 * How a thread came to its end: why its start failed in its own words, what it threw, or the code that it ended with.
 */
export type ThreadEnd = { failed: EncodedError } | { error: Error } | { exitCode: number };

/** What the owner of a thread learns of it; nothing after its end. */
export type ThreadEvents = {
  onReady(): void;
  onReply(reply: CallReply): void;
  /** `began` says whether it had become ready. */
  onEnd(end: ThreadEnd, began: boolean): void;
};

/** One Worker whose file calls `serve`. */
export class Thread {
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

  /** Whether it takes calls. */
  get ready(): boolean {
    return this.#state === "ready";
  }

  /** @throws DataCloneError when the question cannot be sent */
  post(request: Request<unknown>, transfer?: ArrayBuffer[]): void {
    // An empty list costs a sixth of a round trip.
    if (transfer === undefined) this.#worker.postMessage(request);
    else this.#worker.postMessage(request, transfer);
  }

  /** Whether the thread keeps the process alive. */
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
      this.#events.onReady();
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
export function reasonOf(end: ThreadEnd): { reason: string; cause: Error | undefined } {
  if ("exitCode" in end) return { reason: `exit code ${end.exitCode}`, cause: undefined };
  const cause = "failed" in end ? decodeError(end.failed) : end.error;
  // The runtime puts a prefix of its own before the message of a module that could not be loaded.
  return { reason: cause.message.replace(/^error: /, "") || cause.name, cause };
}
