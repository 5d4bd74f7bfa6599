import {
  articleIdParam,
  DeletionReport,
  IngestItem,
  type ItemError,
  itemError,
  pageParams,
  RevisionResponse,
  type RevisionResult,
} from "@isnad/lib/contract";
import { changeReport, checkItems, type CheckThread, refused } from "@isnad/lib/ingest";
import {
  type Access,
  answer,
  BODY_PROBLEMS,
  bodyOf,
  createRoute,
  type HttpContext,
  type HttpEnv,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  readJsonText,
  z,
} from "@isnad/lib/service/http";
import { isObject } from "@isnad/lib/std";
import type { Revision, RevisionPage, RevisionReport, Store } from "@isnad/lib/store";
import { textDifference } from "@isnad/lib/text";
import type { ApiDeps } from "../deps.ts";
import { contractVersion, ingestLimits, itemsOf, summaryId } from "../ingest.ts";
import type { ApiMetrics } from "../metrics.ts";
import { unknownArticle } from "./articles.ts";

/** A valid report, or what is wrong with it. `externalId` is as sent, null where it is no string. */
type CheckedReport = { externalId: string; report: RevisionReport } | { externalId: string | null; error: ItemError };

/**
 * Checks the entries of a request: an article as the ingest route takes it, with what its source says now, or the
 * report of a deletion.
 */
async function checkReports(
  entries: readonly unknown[],
  { thread, requestId }: { thread: Pick<CheckThread, "check">; requestId: string },
): Promise<CheckedReport[]> {
  const checked = await checkItems(entries.filter(isArticle), thread);
  const articles = checked.values();
  return entries.map((entry): CheckedReport => {
    if (!isArticle(entry)) return checkDeletion(entry, requestId);
    const article = articles.next().value;
    if (article === undefined) throw new Error("the check left out an article");
    if ("error" in article) return article;
    return { externalId: article.externalId, report: changeReport(article.item, requestId) };
  });
}

function isArticle(entry: unknown): boolean {
  return !isObject(entry) || entry.kind === undefined || entry.kind === "changed";
}

function checkDeletion(entry: unknown, requestId: string): CheckedReport {
  if (!isObject(entry)) return { externalId: null, error: itemError("invalid-field", "the item must be an object") };
  const parsed = DeletionReport.safeParse(entry);
  if (!parsed.success) return refused(entry, parsed.error.issues);
  const { kind, source_id, external_id, url = null } = parsed.data;
  return { externalId: external_id, report: { kind, sourceId: source_id, externalId: external_id, url, requestId } };
}

type ReportDeps = Pick<ApiDeps, "config" | "store"> & {
  metrics: Pick<ApiMetrics, "revisionReports">;
  thread: CheckThread;
  limiter: Limiter;
  access: Access;
};

/** Decodes and checks reports, takes each down in a transaction of its own, and answers with what became of them. */
async function reportRevisions(c: HttpContext, deps: ReportDeps): Promise<Response> {
  const { maxBatch } = deps.config.ingest;
  const { text } = await readJsonText(c, ingestLimits(deps.config.ingest));
  return await deps.limiter.run(
    async () => {
      const requestId = summaryId(c.var.requestId);
      const entries = itemsOf(text, maxBatch, ["source_id", "external_id"]);
      const checked = await checkReports(entries, { thread: deps.thread, requestId: c.var.requestId });
      const results: RevisionResult[] = [];
      for (const entry of checked) results.push(await take(deps.store, entry));
      const counts = { recorded: 0, known: 0, failed: 0 };
      for (const { status } of results) {
        counts[status]++;
        deps.metrics.revisionReports.inc({ status });
      }
      const summary = { request_id: requestId, received: results.length, ...counts };
      note(c, { received: results.length, ...counts });
      return c.json({ schema: "revisions.v1", summary, results } satisfies RevisionResponse, 200);
    },
    { signal: c.req.raw.signal, client: c.var.client },
  );
}

async function take(store: Pick<Store, "revisions">, entry: CheckedReport): Promise<RevisionResult> {
  if ("error" in entry) return { external_id: entry.externalId, status: "failed", error: entry.error };
  const { externalId: external_id, report } = entry;
  const outcome = await store.revisions.record(report);
  if (outcome.status === "unknown") {
    const detail = `no article is known as external_id ${external_id} of source_id ${report.sourceId}`;
    return { external_id, status: "failed", error: itemError("unknown-article", detail) };
  }
  return { external_id, status: outcome.status, article_id: outcome.articleId, revision: outcome.revision };
}

const Report = z.union([
  DeletionReport,
  IngestItem.extend({ kind: z.literal("changed").optional() }).openapi("ChangeReport"),
]);

/** The request body: one report, or a batch. */
const revisionBody = (maxBatch: number) =>
  z.union([z.object({ articles: z.array(Report).min(1).max(maxBatch) }), Report]);

const time = () => z.string().openapi({ format: "date-time" });

/** Holds what changed from one text to the next. */
const Difference = z
  .object({
    title: z.object({ before: z.string(), after: z.string() }).nullable().openapi({ description: "null: the same." }),
    sentences: z
      .array(z.object({ change: z.enum(["removed", "added"]), text: z.string() }))
      .openapi({ description: "What only one of both texts has, in the order of reading." }),
    unchanged: z.int().openapi({ description: "Sentences that both have." }),
  })
  .openapi("TextDifference");

/** The revisions of an article, as clients see them. */
export const RevisionsView = z
  .object({
    article_id: z.int(),
    doc_id: z.uuid(),
    gone_at: time().nullable().openapi({ description: "Since when its own source has it no more." }),
    sources: z
      .array(
        z.object({
          source_id: z.string(),
          external_id: z.string(),
          url: z.string(),
          revision: z.int(),
          gone_at: time().nullable(),
        }),
      )
      .openapi({ description: "What each source that the article is known from says now, its own first." }),
    revisions: z.array(
      z
        .object({
          revision: z.int().openapi({ description: "1 is the article as it was stored." }),
          kind: z.enum(["stored", "changed", "deleted_at_source"]),
          at: time(),
          title: z.string().nullable(),
          content: z.string().nullable().openapi({ description: "null for a deletion." }),
          content_hash: z.string().nullable().openapi({ description: "SHA-256 in hex." }),
          url: z.string().nullable(),
          reported_by: z.object({
            source_id: z.string(),
            external_id: z.string(),
            request_id: z.string().nullable().openapi({ description: "X-Request-Id of the report." }),
          }),
          difference: Difference.nullable().openapi({ description: "From the text before it; null without either." }),
        })
        .openapi("Revision"),
    ),
    next_cursor: z.string().nullable(),
  })
  .openapi("Revisions");

type View = z.output<typeof RevisionsView>;

/** Shows revisions, each with its difference from the text before it. */
async function revisionsView({ articleId, docId, sources, revisions, nextBefore }: RevisionPage): Promise<View> {
  const views: View["revisions"] = [];
  for (const revision of revisions) views.push(await revisionView(revision));
  return {
    article_id: articleId,
    doc_id: docId,
    gone_at: sources[0]?.goneAt ?? null,
    sources: sources.map(({ sourceId, externalId, url, revision, goneAt }) => ({
      source_id: sourceId,
      external_id: externalId,
      url,
      revision,
      gone_at: goneAt,
    })),
    revisions: views,
    next_cursor: nextBefore === null ? null : String(nextBefore),
  };
}

async function revisionView(revision: Revision): Promise<View["revisions"][number]> {
  const { kind, reportedAt, title, content, contentHash, url, sourceId, externalId, requestId } = revision;
  return {
    revision: revision.revision,
    kind,
    at: reportedAt,
    title,
    content,
    content_hash: contentHash,
    url,
    reported_by: { source_id: sourceId, external_id: externalId, request_id: requestId },
    difference: await differenceOf(revision),
  };
}

async function differenceOf(revision: Revision): Promise<View["revisions"][number]["difference"]> {
  const { title, content, previous } = revision;
  if (previous === null || title === null || content === null) return null;
  return {
    title: title === previous.title ? null : { before: previous.title, after: title },
    ...(await textDifference(previous.content, content)),
  };
}

const REPORT_PATH = "/v1/ingest/revisions";

/** POST /v1/ingest/revisions and GET /v1/articles/{article_id}/revisions. */
export function addRevisions(app: OpenAPIHono<HttpEnv>, deps: ReportDeps): void {
  const { config, store, access } = deps;
  // As with articles, each report gets a verdict of its own: hence no validator for the whole body.
  app.openAPIRegistry.registerPath(report(config.ingest.maxBatch));
  app.post(REPORT_PATH, access.require("ingest"), contractVersion, (c) => reportRevisions(c, deps));

  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("TextDifference", Difference);
  app.openapi({ ...list, middleware: [access.read()] }, async (c) => {
    const { article_id } = c.req.valid("param");
    const { limit, cursor } = c.req.valid("query");
    const page = await store.revisions.list(article_id, { limit, before: cursor });
    if (page === undefined) throw unknownArticle(article_id);
    return c.json(await revisionsView(page), 200);
  });
}

const report = (maxBatch: number) =>
  createRoute({
    method: "post",
    path: REPORT_PATH,
    operationId: "reportRevisions",
    tags: ["articles"],
    summary: "Report what a source says of known articles now",
    description:
      "One report, or `articles` with a batch. A report is an article as the ingest route takes it, for instance one that it " +
      "answered `conflict` to, or says that the source has it no more (`kind: deleted_at_source`). The article is found by " +
      "source_id and external_id and stays as it was stored; what is reported is kept beside it, each text once, the newest " +
      "twenty. Where a source says something else than before, `article.revised` goes out.",
    security: [{ ingestToken: [] }],
    request: {
      body: bodyOf(revisionBody(maxBatch), {
        kind: "deleted_at_source",
        source_id: "alwatan",
        external_id: "2024-0815",
      }),
    },
    responses: {
      200: answer("What became of each report.", RevisionResponse),
      ...problems(
        ...BODY_PROBLEMS,
        "unsupported-contract-version",
        "unauthorized",
        "batch-too-large",
        "service-unavailable",
      ),
    },
  });

const list = createRoute({
  method: "get",
  path: "/v1/articles/{article_id}/revisions",
  operationId: "listRevisions",
  tags: ["articles"],
  summary: "What sources said of an article after it was stored, newest first",
  description: "The last one is the article as it was stored, which is what is searched and served elsewhere.",
  security: [{}, { publicKey: [] }],
  request: {
    params: z.object({
      article_id: articleIdParam(),
    }),
    query: z.object(pageParams({ max: 25, fallback: 10 })),
  },
  responses: {
    200: answer("A page of revisions.", RevisionsView),
    ...problems("unauthorized", "not-found", "validation-error", "service-unavailable"),
  },
});
