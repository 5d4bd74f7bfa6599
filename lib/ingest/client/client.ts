import { createHash, randomUUID } from "node:crypto";
import type { DeletionReport, ItemDraft } from "../../contract/mod.ts";
import {
  ARTICLES,
  type ArticleStatus,
  type BatchLimits,
  byteLength,
  type Entry,
  fitItem,
  IngestError,
  type Outcome,
  post,
  type PostOptions,
  readOutcomes,
  type ReportStatus,
  requestBody,
  REVISIONS,
  roomOf,
  type Route,
} from "./post.ts";

export {
  ARTICLES,
  type BatchLimits,
  byteLength,
  type Endpoint,
  type Entry,
  fitItem,
  IngestError,
  type Outcome,
  type ReportStatus,
  requestBody,
  roomOf,
} from "./post.ts";

/** The ingest contract's own limits, with a little room for what lies between. */
const USUAL_LIMITS: BatchLimits = { maxItems: 100, maxBytes: 1_490_000 };

/** Describes how entries are sent. */
export type SendOptions = PostOptions & {
  /** Begins every Idempotency-Key: a body sent twice under one prefix gets its first answer again. */
  keyPrefix: string;
};

/**
 * Posts entries in one request and returns their outcomes in order. Entries in conflict are set aside and the others
 * sent again at once; a request over the API's limits is halved. Throws IngestError when the API refuses the request or
 * stays out of reach.
 */
export async function sendEntries<Status extends string>(
  entries: readonly Entry[],
  options: SendOptions,
  route: Route<Status>,
): Promise<Outcome<Status>[]> {
  if (entries.length === 0) return [];
  const body = requestBody(entries);
  const key = `${options.keyPrefix}-${createHash("sha256").update(body).digest("hex").slice(0, 32)}`;
  const reply = await post(route.path, body, key, options);
  if (reply.status === 413) {
    const [only] = entries;
    if (entries.length === 1 && only !== undefined) return [tooLarge(only)];
    const half = Math.ceil(entries.length / 2);
    const first = await sendEntries(entries.slice(0, half), options, route);
    return [...first, ...(await sendEntries(entries.slice(half), options, route))];
  }
  const outcomes = readOutcomes(reply.body, entries, route);
  if (reply.status !== 409) return outcomes;
  const rest = entries.filter((_, i) => outcomes[i]?.status !== "conflict");
  if (rest.length === entries.length) {
    throw new IngestError("bad-answer", "the API answered 409 without naming an item in conflict");
  }
  const others = (await sendEntries(rest, options, route)).values();
  return outcomes.flatMap((outcome) => (outcome.status === "conflict" ? [outcome] : (others.next().value ?? [])));
}

type TooLarge = { externalId: string; status: "failed"; error: { type: string; detail: string } };

/** Returns the outcome of an item that no request has room for. */
function tooLarge({ externalId }: Pick<Entry, "externalId">): TooLarge {
  const error = { type: "/errors/payload-too-large", detail: "the API takes no body of this size" };
  return { externalId, status: "failed", error };
}

/** Describes what became of one item; `undelivered` is open: the API may have it or not, and it may be sent again. */
export type Delivery<Status extends string = ArticleStatus> =
  | Outcome<Status>
  | { readonly externalId: string; readonly status: "undelivered" };

/** Describes what became of all items, in their order. */
export interface Deliveries<Status extends string = ArticleStatus> {
  readonly outcomes: readonly Delivery<Status>[];
  /** Why some are undelivered; undefined when none is. */
  readonly error?: Pick<IngestError, "code" | "message" | "retryAfterMs">;
}

/** Describes what a client is made of. */
export interface IngestClientOptions extends Pick<PostOptions, "endpoint" | "patienceMs" | "backoffMs" | "onRetry"> {
  readonly limits?: BatchLimits;
}

/** Hands articles over to the central API. */
export interface IngestClient {
  /**
   * Sends items in batches within the limits and says what became of each. Rejects only with the signal's reason: what
   * the API did not answer is `undelivered`, and after the first such batch no other is tried.
   */
  send(items: readonly ItemDraft[], options: DeliveryOptions): Promise<Deliveries>;
  /** Reports what sources say of known articles now, as `send` sends articles. */
  report(reports: readonly (ItemDraft | DeletionReport)[], options: DeliveryOptions): Promise<Deliveries<ReportStatus>>;
}

/** Describes how items are delivered. */
export interface DeliveryOptions {
  readonly signal: AbortSignal;
  readonly requestId?: string;
}

/** Makes a client of the ingest route and of the one of revisions. */
export function createIngestClient(options: IngestClientOptions): IngestClient {
  const limits = options.limits ?? USUAL_LIMITS;
  return {
    send: (items, delivery) => deliver(ARTICLES, batchesOf(items, limits), { ...options, ...delivery }),
    report: (reports, delivery) => deliver(REVISIONS, batchesOf(reports, limits), { ...options, ...delivery }),
  };
}

async function deliver<Status extends string>(
  route: Route<Status>,
  batches: Iterable<{ entries: Entry[] } | { externalId: string }>,
  options: Omit<Sending, "keyPrefix">,
): Promise<Deliveries<Status>> {
  const sending = { ...options, keyPrefix: randomUUID() };
  const outcomes: Delivery<Status>[] = [];
  let failure: IngestError | undefined;
  for (const batch of batches) {
    if (!("entries" in batch)) outcomes.push(tooLarge(batch));
    else if (failure !== undefined) outcomes.push(...undelivered(batch.entries));
    else {
      const sent = await sendAround(batch.entries, sending, route);
      outcomes.push(...sent.outcomes);
      failure = sent.failure;
    }
  }
  return { outcomes, ...(failure !== undefined && { error: failure }) };
}

type Sending = Parameters<typeof sendEntries>[1];
type Undelivered = { externalId: string; status: "undelivered" };
type Sent<Status extends string> = { outcomes: readonly Delivery<Status>[]; failure: IngestError | undefined };

/** Sends a batch; one whose body the API finds fault with is halved, until the item at fault is alone. */
async function sendAround<Status extends string>(
  entries: readonly Entry[],
  sending: Sending,
  route: Route<Status>,
): Promise<Sent<Status>> {
  try {
    return { outcomes: await sendEntries(entries, sending, route), failure: undefined };
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    if (error.code !== "bad-request") return { outcomes: undelivered(entries), failure: error };
    const [only] = entries;
    if (entries.length === 1 && only !== undefined) {
      const failed = { type: "/errors/bad-request", detail: error.message };
      return { outcomes: [{ externalId: only.externalId, status: "failed", error: failed }], failure: undefined };
    }
    const half = Math.ceil(entries.length / 2);
    const first = await sendAround(entries.slice(0, half), sending, route);
    const second =
      first.failure === undefined
        ? await sendAround(entries.slice(half), sending, route)
        : { outcomes: undelivered(entries.slice(half)), failure: first.failure };
    return { outcomes: [...first.outcomes, ...second.outcomes], failure: second.failure };
  }
}

function undelivered(entries: readonly Entry[]): Undelivered[] {
  return entries.map(({ externalId }) => ({ externalId, status: "undelivered" }));
}

/** Consecutive items that fit into one request, and items that fit into none. */
function* batchesOf(
  items: readonly (ItemDraft | DeletionReport)[],
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
