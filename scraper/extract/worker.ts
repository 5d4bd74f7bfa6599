import { parentPort } from "node:worker_threads";
import { extractPage } from "./extract.ts";
import { ExtractError, type ExtractErrorCode, type ExtractedPage, type PageInput } from "./item.ts";

/** What the pool sends to a worker. */
export interface ExtractJob {
  readonly id: number;
  readonly input: PageInput;
}

/** What a worker answers; `ready` comes once, before any job. */
export type ExtractAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "page"; readonly id: number; readonly page: ExtractedPage }
  | { readonly kind: "error"; readonly id: number; readonly code: ExtractErrorCode; readonly message: string };

parentPort?.on("message", ({ id, input }: ExtractJob) => {
  parentPort?.postMessage(answer(id, input));
});
parentPort?.postMessage({ kind: "ready" } satisfies ExtractAnswer);

function answer(id: number, input: PageInput): ExtractAnswer {
  try {
    return { kind: "page", id, page: extractPage(input) };
  } catch (error) {
    const code = error instanceof ExtractError ? error.code : "worker-failed";
    return { kind: "error", id, code, message: error instanceof Error ? error.message : String(error) };
  }
}
