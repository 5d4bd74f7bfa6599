import { fileURLToPath, URL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Feed } from "@isnad/lib/feeds";
import type { ListPage, ListPageInput } from "../discovery/list-page.ts";
import type { Sitemap } from "../discovery/sitemap.ts";
import type { ExtractedPage, PageInput } from "../extract/item.ts";
import { ReaderError } from "./error.ts";
import { patience, processorMs } from "./patience.ts";
import type { FeedInput, SitemapInput, Task, TaskResult } from "./tasks.ts";
import type { ReaderAnswer, ReaderJob } from "./worker.ts";

/** How a pool works. */
export interface ReaderPoolOptions {
  /** Worker threads. Default 1. */
  readonly workers?: number;
  /** How long one page may take, in milliseconds of processor time, from when a worker takes it up. Default 1,200. */
  readonly deadlineMs?: number;
}

interface Waiting {
  readonly job: ReaderJob;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: ReaderError) => void;
}

interface Member {
  readonly thread: Worker;
  ready: boolean;
  current: Waiting | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Reads pages, feeds and sitemaps in worker threads, so that nothing from outside holds up the service: what takes longer
 * than the deadline is given up with its thread. Threads start with the first task and do not keep the process alive. Every
 * method throws ReaderError.
 */
export class ReaderPool {
  readonly #size: number;
  readonly #deadlineMs: number;
  readonly #members = new Set<Member>();
  readonly #queue: Waiting[] = [];
  #nextId = 1;
  #closed = false;

  constructor({ workers = 1, deadlineMs = 1200 }: ReaderPoolOptions = {}) {
    this.#size = workers;
    this.#deadlineMs = deadlineMs;
  }

  /** Extracts the article of a page. Errors: `too-large`, `bad-selector`, and those of every task: `too-slow`, `worker-failed`, `closed`. */
  async extract(input: PageInput): Promise<ExtractedPage> {
    const result = await this.#run({ task: "page", input });
    return result.task === "page" ? result.page : mismatch();
  }

  /** Reads the links of a list page, and where the list goes on. Errors: `too-large`, `bad-selector`. */
  async list(input: ListPageInput): Promise<ListPage> {
    const result = await this.#run({ task: "list", input });
    return result.task === "list" ? result.list : mismatch();
  }

  /** Reads a feed. Errors: `not-a-feed`, `too-large`. */
  async feed(input: FeedInput): Promise<Feed> {
    const result = await this.#run({ task: "feed", input });
    return result.task === "feed" ? result.feed : mismatch();
  }

  /** Reads a sitemap file. Errors: `not-a-sitemap`, `too-large`. */
  async sitemap(input: SitemapInput): Promise<Sitemap> {
    const result = await this.#run({ task: "sitemap", input });
    return result.task === "sitemap" ? result.sitemap : mismatch();
  }

  /** Ends the threads; tasks still waiting or under way fail with `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    const closed = new ReaderError("closed", "the reader is closed");
    for (const waiting of this.#queue.splice(0)) waiting.reject(closed);
    const members = [...this.#members];
    for (const member of members) this.#drop(member, closed);
    await Promise.all(members.map((member) => member.thread.terminate()));
  }

  #run(task: Task): Promise<TaskResult> {
    if (this.#closed) return Promise.reject(new ReaderError("closed", "the reader is closed"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ job: { id: this.#nextId++, task }, resolve, reject });
      this.#dispatch();
    });
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
    this.#watch(member, performance.now(), processorMs(), this.#deadlineMs);
    member.thread.postMessage(next.job);
  }

  #watch(member: Member, startedAt: number, startedProcessor: number, forMs: number): void {
    member.timer = setTimeout(() => {
      const left = patience(this.#deadlineMs, {
        waited: performance.now() - startedAt,
        used: processorMs() - startedProcessor,
        sharedBy: [...this.#members].filter(({ current }) => current !== undefined).length,
      });
      if (left > 0) return this.#watch(member, startedAt, startedProcessor, left);
      this.#drop(member, new ReaderError("too-slow", `it took longer than ${this.#deadlineMs} ms`));
      void member.thread.terminate();
      this.#dispatch();
    }, forMs);
  }

  #start(): void {
    const thread = new Worker(fileURLToPath(new URL("./worker.ts", import.meta.url).href));
    const member: Member = { thread, ready: false, current: undefined, timer: undefined };
    this.#members.add(member);
    thread.on("message", (answer: ReaderAnswer) => this.#receive(member, answer));
    const fail = (cause: unknown) => {
      if (!this.#members.has(member)) return;
      const error = new ReaderError("worker-failed", "the reader thread ended", { cause });
      this.#drop(member, error);
      // A thread that does not even start, would not the next time either.
      if (!member.ready) for (const waiting of this.#queue.splice(0)) waiting.reject(error);
      this.#dispatch();
    };
    thread.on("error", fail);
    thread.on("exit", fail);
    thread.unref();
  }

  #receive(member: Member, answer: ReaderAnswer): void {
    if (answer.kind === "ready") member.ready = true;
    else if (member.current?.job.id === answer.id) {
      const { resolve, reject } = member.current;
      clearTimeout(member.timer);
      member.current = undefined;
      if (answer.kind === "done") resolve(answer.result);
      else reject(new ReaderError(answer.code, answer.message));
    }
    this.#dispatch();
  }

  #drop(member: Member, error: ReaderError): void {
    clearTimeout(member.timer);
    this.#members.delete(member);
    member.current?.reject(error);
    member.current = undefined;
  }
}

function mismatch(): never {
  throw new ReaderError("worker-failed", "the reader thread answered another task");
}
