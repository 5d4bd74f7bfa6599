import { parentPort } from "node:worker_threads";
import type { ReaderErrorCode } from "./error.ts";
import { codeOf, perform, type Task, type TaskResult } from "./tasks.ts";

/** What the pool sends to a worker. */
export interface ReaderJob {
  readonly id: number;
  readonly task: Task;
}

/** What a worker answers; `ready` comes once, before any job. */
export type ReaderAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly id: number; readonly result: TaskResult }
  | { readonly kind: "error"; readonly id: number; readonly code: ReaderErrorCode; readonly message: string };

parentPort?.on("message", ({ id, task }: ReaderJob) => {
  parentPort?.postMessage(answer(id, task));
});
parentPort?.postMessage({ kind: "ready" } satisfies ReaderAnswer);

function answer(id: number, task: Task): ReaderAnswer {
  try {
    return { kind: "done", id, result: perform(task) };
  } catch (error) {
    return { kind: "error", id, code: codeOf(error), message: error instanceof Error ? error.message : String(error) };
  }
}
