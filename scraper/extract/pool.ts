import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { ExtractError, type ExtractedPage, type PageInput } from "./item.ts";
import type { ExtractAnswer, ExtractJob } from "./worker.ts";

/** How a pool works. */
export interface ExtractPoolOptions {
  /** Worker threads. Default 1. */
  readonly workers?: number;
  /** How long one page may take, in milliseconds, from when a worker takes it up. Default 1,200. */
  readonly deadlineMs?: number;
}

interface Waiting {
  readonly job: ExtractJob;
  readonly resolve: (page: ExtractedPage) => void;
  readonly reject: (error: ExtractError) => void;
}

interface Member {
  readonly thread: Worker;
  ready: boolean;
  current: Waiting | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Extracts pages in worker threads, so that no page holds up the service: one that takes longer than the deadline is given
 * up with its thread. Threads start with the first page and do not keep the process alive.
 */
export class ExtractPool {
  readonly #size: number;
  readonly #deadlineMs: number;
  readonly #members = new Set<Member>();
  readonly #queue: Waiting[] = [];
  #nextId = 1;
  #closed = false;

  constructor({ workers = 1, deadlineMs = 1200 }: ExtractPoolOptions = {}) {
    this.#size = workers;
    this.#deadlineMs = deadlineMs;
  }

  /** Extracts one page. Throws ExtractError. */
  extract(input: PageInput): Promise<ExtractedPage> {
    if (this.#closed) return Promise.reject(new ExtractError("closed", "the extractor is closed"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ job: { id: this.#nextId++, input }, resolve, reject });
      this.#dispatch();
    });
  }

  /** Ends the threads; pages still waiting or under way fail with `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    const closed = new ExtractError("closed", "the extractor is closed");
    for (const waiting of this.#queue.splice(0)) waiting.reject(closed);
    const members = [...this.#members];
    for (const member of members) this.#drop(member, closed);
    await Promise.all(members.map((member) => member.thread.terminate()));
  }

  #dispatch(): void {
    for (const member of this.#members) if (member.ready && member.current === undefined) this.#give(member);
    const idle = [...this.#members].filter((member) => member.current === undefined).length;
    if (this.#queue.length > idle && this.#members.size < this.#size) this.#start();
  }

  #give(member: Member): void {
    const next = this.#queue.shift();
    if (next === undefined) return;
    member.current = next;
    member.timer = setTimeout(() => {
      this.#drop(member, new ExtractError("too-slow", `the page took longer than ${this.#deadlineMs} ms`));
      void member.thread.terminate();
      this.#dispatch();
    }, this.#deadlineMs);
    member.thread.postMessage(next.job);
  }

  #start(): void {
    const thread = new Worker(fileURLToPath(new URL("./worker.ts", import.meta.url).href));
    const member: Member = { thread, ready: false, current: undefined, timer: undefined };
    this.#members.add(member);
    thread.on("message", (answer: ExtractAnswer) => this.#receive(member, answer));
    const fail = (error: unknown) => {
      if (!this.#members.has(member)) return;
      this.#drop(member, new ExtractError("worker-failed", "the extraction thread ended", { cause: error }));
      this.#dispatch();
    };
    thread.on("error", fail);
    thread.on("exit", fail);
    thread.unref();
  }

  #receive(member: Member, answer: ExtractAnswer): void {
    if (answer.kind === "ready") member.ready = true;
    else if (member.current?.job.id === answer.id) {
      const { resolve, reject } = member.current;
      clearTimeout(member.timer);
      member.current = undefined;
      if (answer.kind === "page") resolve(answer.page);
      else reject(new ExtractError(answer.code, answer.message));
    }
    this.#dispatch();
  }

  #drop(member: Member, error: ExtractError): void {
    clearTimeout(member.timer);
    this.#members.delete(member);
    member.current?.reject(error);
    member.current = undefined;
  }
}
