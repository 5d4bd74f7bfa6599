import { randomUUID } from "node:crypto";
import { type BatchLimits, byteLength, type Entry, fitItem, roomOf, USUAL_LIMITS } from "./body.ts";
import { IngestError } from "./error.ts";
import type { IngestItem } from "./item.ts";
import type { Outcome } from "./outcome.ts";
import type { PostOptions } from "./post.ts";
import { sendEntries, tooLarge } from "./send-entries.ts";

/** What became of one item; `undelivered` is open: the API may have it or not, and it may be sent again. */
export type Delivery = Outcome | { readonly externalId: string; readonly status: "undelivered" };

/** What became of all items, in their order. */
export interface Deliveries {
  readonly outcomes: readonly Delivery[];
  /** Why some are undelivered; undefined when none is. */
  readonly error?: Pick<IngestError, "code" | "message" | "retryAfterMs">;
}

/** What a client is made of. */
export interface IngestClientOptions extends Pick<PostOptions, "endpoint" | "patienceMs" | "backoffMs" | "onRetry"> {
  readonly limits?: BatchLimits;
}

/** Hands articles over to the central API. */
export interface IngestClient {
  /**
   * Sends items in batches within the limits and says what became of each. Rejects only with the signal's reason: what the
   * API did not answer is `undelivered`, and after the first such batch no other is tried.
   */
  send(
    items: readonly IngestItem[],
    options: { readonly signal: AbortSignal; readonly requestId?: string },
  ): Promise<Deliveries>;
}

/** Makes a client of the ingest route. */
export function createIngestClient(options: IngestClientOptions): IngestClient {
  const limits = options.limits ?? USUAL_LIMITS;
  return {
    async send(items, { signal, requestId }) {
      const sending = { ...options, signal, keyPrefix: randomUUID(), ...(requestId !== undefined && { requestId }) };
      const outcomes: Delivery[] = [];
      let failure: IngestError | undefined;
      for (const batch of batchesOf(items, limits)) {
        if (!("entries" in batch)) outcomes.push(tooLarge(batch));
        else if (failure !== undefined) outcomes.push(...undelivered(batch.entries));
        else {
          const sent = await sendAround(batch.entries, sending);
          outcomes.push(...sent.outcomes);
          failure = sent.failure;
        }
      }
      return {
        outcomes,
        ...(failure !== undefined && { error: failure }),
      };
    },
  };
}

type Sending = Parameters<typeof sendEntries>[1];
type Sent = { outcomes: readonly Delivery[]; failure: IngestError | undefined };

/** Sends a batch; one whose body the API finds fault with is halved, until the item at fault is alone. */
async function sendAround(entries: readonly Entry[], sending: Sending): Promise<Sent> {
  try {
    return { outcomes: await sendEntries(entries, sending), failure: undefined };
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    if (error.code !== "bad-request") return { outcomes: undelivered(entries), failure: error };
    const [only] = entries;
    if (entries.length === 1 && only !== undefined) {
      const failed = { type: "/errors/bad-request", detail: error.message };
      return { outcomes: [{ externalId: only.externalId, status: "failed", error: failed }], failure: undefined };
    }
    const half = Math.ceil(entries.length / 2);
    const first = await sendAround(entries.slice(0, half), sending);
    const second =
      first.failure === undefined
        ? await sendAround(entries.slice(half), sending)
        : { outcomes: undelivered(entries.slice(half)), failure: first.failure };
    return { outcomes: [...first.outcomes, ...second.outcomes], failure: second.failure };
  }
}

function undelivered(entries: readonly Entry[]): Delivery[] {
  return entries.map(({ externalId }) => ({ externalId, status: "undelivered" }));
}

/** Consecutive items that fit into one request, and items that fit into none. */
function* batchesOf(
  items: readonly IngestItem[],
  limits: BatchLimits,
): Generator<{ entries: Entry[] } | { externalId: string }> {
  const room = roomOf(limits);
  let entries: Entry[] = [];
  let bytes = 0;
  for (const item of items) {
    const externalId = item.external_id ?? "";
    const json = fitItem(item, room)?.json;
    const size = json === undefined ? room : byteLength(json) + 1;
    if (entries.length > 0 && (entries.length >= limits.maxItems || bytes + size > room || json === undefined)) {
      yield { entries };
      entries = [];
      bytes = 0;
    }
    if (json === undefined) yield { externalId };
    else {
      entries.push({ externalId, json });
      bytes += size;
    }
  }
  if (entries.length > 0) yield { entries };
}
