import { URL } from "node:url";
import { Worker } from "node:worker_threads";
import type { CallName, Calls, Reply, ThreadData } from "./protocol.ts";

/** The thread of the index has ended although nobody closed it. */
export class VectorThreadError extends Error {
  override readonly name = "VectorThreadError";
}

/** A thread that holds an index; calls are answered in any order. */
export type VectorThread = {
  /**
   * Rejects with {@link RangeError} for a query that cannot be searched, {@link VectorThreadError} when the thread has
   * ended.
   */
  call<N extends CallName>(name: N, ask: Calls[N]["ask"]): Promise<Calls[N]["answer"]>;
  /** Settles when the thread has ended by itself. */
  ended: Promise<void>;
  /** Lets the thread finish what it does, then end. */
  close(): Promise<void>;
};

type Waiting<N extends CallName> = { resolve(answer: Calls[N]["answer"]): void; reject(error: Error): void };

/** The calls in work, by name and number. */
type Inbox = { [N in CallName]: Map<number, Waiting<N>> };

/** Starts a thread with an empty index. */
export function startVectorThread(data: ThreadData): VectorThread {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: data });
  const inbox: Inbox = {
    load: new Map(),
    restart: new Map(),
    adopt: new Map(),
    apply: new Map(),
    tiers: new Map(),
    search: new Map(),
    save: new Map(),
    status: new Map(),
    close: new Map(),
  };
  const ended = Promise.withResolvers<void>();
  let next = 0;
  let working = 0;
  let closing: Promise<void> | undefined;
  let failure: Error | undefined;

  function end(cause: unknown): void {
    failure ??= new VectorThreadError("the thread of the vector index has ended", { cause });
    for (const calls of Object.values(inbox)) {
      for (const { reject } of calls.values()) reject(failure);
      calls.clear();
    }
  }

  function settle<N extends CallName>(reply: Reply<N>): void {
    const calls: Map<number, Waiting<N>> = inbox[reply.name];
    const waiting = calls.get(reply.id);
    calls.delete(reply.id);
    if (--working === 0) worker.unref();
    if ("answer" in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(reply.range ? new RangeError(reply.error) : new Error(reply.error));
  }

  function call<N extends CallName>(name: N, ask: Calls[N]["ask"]): Promise<Calls[N]["answer"]> {
    if (failure !== undefined) return Promise.reject(failure);
    const { promise, resolve, reject } = Promise.withResolvers<Calls[N]["answer"]>();
    const calls: Map<number, Waiting<N>> = inbox[name];
    const id = next++;
    calls.set(id, { resolve, reject });
    working++;
    worker.ref();
    worker.postMessage({ id, name, ask });
    return promise;
  }

  worker.on("error", end);
  worker.on("exit", (code) => {
    end(`exit code ${code}`);
    ended.resolve();
  });
  worker.on("message", (reply: Reply) => settle(reply));
  worker.unref();

  return {
    call,
    ended: ended.promise,
    close: () =>
      (closing ??= (async () => {
        await call("close", {}).catch(() => undefined);
        worker.ref();
        await ended.promise;
      })()),
  };
}
