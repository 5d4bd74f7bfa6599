import type { Fetcher } from "../../web/egress/mod.ts";
import { LlmError } from "../error.ts";
import { exchange } from "./connection.ts";
import type { Upstream } from "./upstream.ts";

/**
 * Resolves when the server answers, whether it lists its models or not. Throws {@link LlmError} when it does not,
 * fails, or refuses the key.
 */
export async function pingUpstream(upstream: Upstream, fetch: Fetcher, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of exchange({ ...upstream, fetch }, { path: "/models", method: "GET", signal }, nothing)) break;
  } catch (error) {
    if (error instanceof LlmError && (error.code === "not-found" || error.code === "refused")) return;
    throw error;
  }
}

async function* nothing(): AsyncGenerator<never> {}
