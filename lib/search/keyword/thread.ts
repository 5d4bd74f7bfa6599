import { URL } from "node:url";
import { Worker } from "node:worker_threads";
import type { KeywordEngine } from "./engine.ts";
import type { KeywordMethod, KeywordReply, KeywordWorkerData } from "./protocol.ts";
import { KeywordIndexError } from "./types.ts";

type Call = { resolve(value: never): void; reject(error: KeywordIndexError): void };

/** The Worker that an index lives in, and the calls that wait for its answers. */
export class KeywordThread {
  /** Resolves, once the index is open, to whether it was made anew. */
  readonly opened: Promise<boolean>;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  #gone: KeywordIndexError | undefined;

  constructor(workerData: KeywordWorkerData) {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData });
    this.#worker = worker;
    this.opened = new Promise((resolve, reject) => {
      const end = (error: KeywordIndexError): void => {
        this.#end(error);
        reject(error);
      };
      worker.on("message", (reply: KeywordReply) => {
        if (reply.kind === "opened") resolve(reply.fresh);
        else if (reply.kind === "failed") end(new KeywordIndexError(reply.reason, reply.message));
        else this.#settle(reply);
      });
      worker.on("error", (cause) => {
        end(new KeywordIndexError("unavailable", "keyword index: its thread failed", { cause }));
      });
      worker.on("exit", () => end(new KeywordIndexError("closed", "keyword index: closed")));
    });
    this.#exited = new Promise((resolve) => worker.once("exit", () => resolve()));
  }

  /** Calls that wait for their answers. */
  get pending(): number {
    return this.#calls.size;
  }

  /** Calls a method of the engine in the Worker. */
  call<M extends KeywordMethod>(
    method: M,
    ...args: Parameters<KeywordEngine[M]>
  ): Promise<ReturnType<KeywordEngine[M]>> {
    return new Promise((resolve, reject) => {
      if (this.#gone !== undefined) return reject(this.#gone);
      const id = ++this.#lastId;
      this.#calls.set(id, { resolve, reject });
      this.#worker.postMessage({ id, method, args });
    });
  }

  /** Answers what has been asked, closes the index and ends the Worker. */
  async close(): Promise<void> {
    if (this.#gone === undefined) {
      const done = this.call("close");
      this.#gone = new KeywordIndexError("closed", "keyword index: closed");
      await done;
    }
    await this.#exited;
  }

  #settle(reply: Extract<KeywordReply, { id: number }>): void {
    const call = this.#calls.get(reply.id);
    this.#calls.delete(reply.id);
    if (reply.kind === "result") call?.resolve(reply.value);
    else call?.reject(new KeywordIndexError(reply.reason, reply.message));
  }

  #end(error: KeywordIndexError): void {
    this.#gone ??= error;
    for (const call of this.#calls.values()) call.reject(error);
    this.#calls.clear();
  }
}
