import { createHash, randomUUID } from "node:crypto";
import { type IngestConflict, type IngestResponse, IngestResult } from "@isnad/lib/contract";
import {
  acceptedIds,
  admitChecked,
  type CheckedItem,
  checkItems,
  type CheckThread,
  type Enqueuer,
  mergeResults,
  submittedOf,
} from "@isnad/lib/ingest";
import {
  type Access,
  AppError,
  bearerToken,
  type BodyLimits,
  createMiddleware,
  type HttpContext,
  type HttpEnv,
  invalidFields,
  type Limiter,
  MAX_BODY_VALUES,
  note,
  PROBLEM_JSON,
  readJsonText,
  requestLogger,
  z,
} from "@isnad/lib/service/http";
import { isObject } from "@isnad/lib/std";
import type { Decided, IdempotencyKey } from "@isnad/lib/store";
import type { ApiDeps } from "./deps.ts";
import type { ApiMetrics } from "./metrics.ts";

/** Values of an article, each name of its `raw` among them, that a batch may have in the mean. */
const VALUES_PER_ARTICLE = 500;

/** Returns the limits of a body of the ingest routes. */
export function ingestLimits({ maxBodyBytes, maxBatch }: ApiDeps["config"]["ingest"]): BodyLimits {
  return { limit: maxBodyBytes, values: Math.max(MAX_BODY_VALUES, VALUES_PER_ARTICLE * maxBatch) };
}

/**
 * Returns the items of a request: the entries of `articles`, or the body itself as one item, which has one of the
 * fields of `itemHas` where there are any. Throws an {@link AppError}: 400 for malformed JSON, 422 for another shape or
 * an empty batch, 413 for more than `maxBatch` items.
 */
export function itemsOf(text: string, maxBatch: number, itemHas: readonly string[] = []): unknown[] {
  const body = parse(text);
  if (!isObject(body)) throw invalidFields({ body: ["must be an article or an object with `articles`"] });
  if (!Object.hasOwn(body, "articles")) {
    if (itemHas.length === 0 || itemHas.some((name) => Object.hasOwn(body, name))) return [body];
    throw invalidFields({ body: [`must have \`articles\`, or be one item, with ${itemHas.join(" and ")}`] });
  }
  const { articles } = body;
  if (!Array.isArray(articles)) throw invalidFields({ articles: ["must be an array"] });
  if (articles.length === 0) throw invalidFields({ articles: ["must hold at least one article"] });
  if (articles.length > maxBatch) {
    const detail = `The batch has ${articles.length} articles; at most ${maxBatch} are allowed.`;
    throw new AppError("batch-too-large", detail);
  }
  return articles;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("malformed-json", "The body is not valid JSON.", { cause });
  }
}

/** A key with its scope and what it was sent with. Hashes in hex. */
type RequestKey = Pick<IdempotencyKey, "tokenHash" | "key" | "bodyHash">;

/** Longest key that is taken. */
const KEY_LENGTH = 1_000;

/**
 * The request's `Idempotency-Key` with its scope, the token; undefined without the header. Throws an {@link AppError}
 * (422) for a key that is too long.
 */
function idempotencyKeyOf(c: HttpContext, body: string): RequestKey | undefined {
  const key = c.req.header("idempotency-key")?.trim() ?? "";
  if (key === "") return undefined;
  if (key.length > KEY_LENGTH) {
    throw new AppError("validation-error", "A header is not valid.", {
      errors: { "Idempotency-Key": [`must have at most ${KEY_LENGTH} characters`] },
    });
  }
  const token = bearerToken(c.req.header("authorization")) ?? c.req.header("x-api-key") ?? "";
  return { tokenHash: sha256(token), key, bodyHash: sha256(body) };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The path of the route, and so the `instance` of its problems. */
export const INGEST_PATH = "/v1/ingest/articles";

/** The answer to a request whose items have been decided: 202, or 409 when one of them conflicts. */
type Answer = { status: 202; body: IngestResponse } | { status: 409; body: IngestConflict };

/** Makes the answer out of what became of the items. */
export function answerOf(results: readonly IngestResult[], requestId: string): Answer {
  const summary = summarize(results, requestId);
  const body: IngestResponse = { schema: "ingest.v1", summary, results: [...results] };
  const { conflicts } = summary;
  return conflicts === 0 ? { status: 202, body } : { status: 409, body: { ...conflictProblem(conflicts), ...body } };
}

/** Serves an answer, for the first time or again. */
function respondWith({ status, body }: Answer, { replayed }: { replayed: boolean }): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": status === 202 ? "application/json" : PROBLEM_JSON,
      ...(replayed && { "Idempotency-Replayed": "true" }),
    },
  });
}

/** Counts the statuses among the results. */
export function summarize(results: readonly IngestResult[], requestId: string): IngestResponse["summary"] {
  const count = (wanted: IngestResult["status"]) => results.filter(({ status }) => status === wanted).length;
  return {
    request_id: requestId,
    received: results.length,
    accepted: count("accepted"),
    failed: count("failed"),
    conflicts: count("conflict"),
  };
}

function conflictProblem(conflicts: number) {
  const detail = conflicts === 1 ? "One article is known" : `${conflicts} articles are known`;
  return {
    type: "/errors/conflict",
    title: "Conflict",
    status: 409,
    detail: `${detail} with other content; nothing was stored.`,
    instance: INGEST_PATH,
  };
}

/** Holds what is known of a request before its items are decided: with the verdicts, all that its answer says. */
const Memo = z.object({
  requestId: z.string(),
  submitted: z.array(
    z.union([
      z.object({ externalId: z.string().nullable(), error: IngestResult.shape.error.unwrap() }),
      z.object({ externalId: z.string(), sourceId: z.string() }),
    ]),
  ),
});
type Memo = z.output<typeof Memo>;

/** The answer that the verdicts make. */
function answerTo({ requestId, submitted }: Memo, { results }: Decided): Answer {
  return answerOf(mergeResults(submitted, results), requestId);
}

/** The memo that was kept under a key. Throws when it is none. */
function readMemo(text: string): Memo {
  return Memo.parse(JSON.parse(text));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The `request_id` of a summary is a UUID: the request's own id when it is one, else a new one. */
export function summaryId(requestId: string): string {
  return UUID.test(requestId) ? requestId : randomUUID();
}

/** Describes what the handler of the ingest route needs. */
export type IngestDeps = Pick<ApiDeps, "config" | "store"> & {
  metrics: ApiMetrics;
  enqueuer: Enqueuer;
  thread: CheckThread;
  limiter: Limiter;
  access: Access;
};

/** Reads the body of a request, and has it worked on when its turn comes. */
export async function ingest(c: HttpContext, deps: IngestDeps): Promise<Response> {
  const { text, bytes } = await readJsonText(c, ingestLimits(deps.config.ingest));
  deps.metrics.ingestBodyBytes.inc(bytes);
  return await deps.limiter.run(() => admitAll(c, text, deps), { signal: c.req.raw.signal, client: c.var.client });
}

/** Decodes, checks and admits the items of a body, and answers with what became of each. */
async function admitAll(
  c: HttpContext,
  text: string,
  { config, store, enqueuer, thread }: IngestDeps,
): Promise<Response> {
  const { maxBatch, requireKnownSource, idempotencyTtlS: ttlS } = config.ingest;
  const key = idempotencyKeyOf(c, text);
  const checked = await checkItems(itemsOf(text, maxBatch), thread);
  const memo: Memo = { requestId: summaryId(c.var.requestId), submitted: submittedOf(checked) };
  const outcome = await admitChecked(store, checked, {
    requireKnownSource,
    idempotency: key && { ...key, ttlS, memo: JSON.stringify(memo) },
  });
  if (outcome.kind === "replayed") {
    note(c, { replayed: true });
    return respondWith(answerTo(readMemo(outcome.memo), outcome), { replayed: true });
  }
  if (outcome.kind === "key-reuse" && !(checked.length === 1 && outcome.conflict)) {
    throw new AppError("idempotency-key-reuse", "This Idempotency-Key was used before for another body.");
  }
  const answer = answerTo(memo, outcome);
  const { results, summary } = answer.body;
  report(c, summary);
  if (outcome.conflict) reportConflicts(c, checked, results);
  else enqueuer.enqueue(acceptedIds(results));
  return respondWith(answer, { replayed: false });
}

/** Puts the counts into the request's log line. */
function report(c: HttpContext, { received, accepted, failed, conflicts }: IngestResponse["summary"]): void {
  note(c, { received, accepted, failed, conflicts, duplicates: received - accepted - failed - conflicts });
}

/** Writes a line for each conflict. */
function reportConflicts(c: HttpContext, checked: readonly CheckedItem[], results: readonly IngestResult[]): void {
  const logger = requestLogger(c);
  checked.forEach((entry, index) => {
    if (results[index]?.status !== "conflict" || !("item" in entry)) return;
    logger.warn({ source_id: entry.item.sourceId }, `conflict for external_id ${entry.externalId}`);
  });
}

/** Refuses a contract version other than 1. */
export const contractVersion = createMiddleware<HttpEnv>(async function checkContractVersion(c, next) {
  const version = c.req.header("x-contract-version");
  if (version !== undefined && version.trim() !== "1") {
    throw new AppError("unsupported-contract-version", "X-Contract-Version must be 1.");
  }
  await next();
});
