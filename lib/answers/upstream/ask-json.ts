import type { Fetcher } from "../../web/egress/mod.ts";
import { parseJson } from "../../std/mod.ts";
import type { z } from "zod";
import { LlmError } from "../error.ts";
import { exchange, type OpenAnswer, type UpstreamRequest } from "./connection.ts";
import { retryOnce } from "./retry-once.ts";
import type { Upstream } from "./upstream.ts";

/**
 * Asks for something that comes in one piece, as JSON of this form; once more when that fails in a way that may be over
 * soon. Throws {@link LlmError}.
 */
export async function askJson<T extends z.ZodType>(
  upstream: Upstream,
  fetch: Fetcher,
  request: UpstreamRequest,
  schema: T,
): Promise<z.output<T>> {
  const read = async function* ({ pieces }: OpenAnswer): AsyncGenerator<z.output<T>> {
    const text = Buffer.concat(await Array.fromAsync(pieces)).toString("utf8");
    const parsed = schema.safeParse(parseJson(text));
    if (!parsed.success) throw new LlmError("bad-answer", "the upstream's answer has another form than it should");
    yield parsed.data;
  };
  for await (const answer of retryOnce(() => exchange({ ...upstream, fetch }, request, read), request.signal))
    return answer;
  throw new LlmError("bad-answer", "the upstream gave no answer");
}

/** A request that carries JSON. */
export function jsonRequest(
  path: string,
  body: unknown,
  { requestId, signal }: { requestId?: string | undefined; signal: AbortSignal },
): UpstreamRequest {
  return { path, headers: { "content-type": "application/json" }, body: JSON.stringify(body), requestId, signal };
}
