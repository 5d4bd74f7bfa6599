import { available } from "@isnad/lib/answers";
import { CHUNK_FIELDS, ChunkFilters, textField } from "@isnad/lib/contract";
import {
  BODY_PROBLEMS,
  type Access,
  createRoute,
  headerToken,
  type HttpEnv,
  invalidFields,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { at } from "@isnad/lib/std";
import type { EdgeDeps } from "../capabilities.ts";
import type { DevItem, DevItems } from "../rag/dev-items.ts";
import { RagAnswer, ragQuery, RagQuery, smoke } from "../rag/query.ts";

/** POST /rag/query: chunks of articles nearest in meaning, reranked. */
export function addRagQuery(
  app: OpenAPIHono<HttpEnv>,
  { config, access, limiter, ...deps }: EdgeDeps & { access: Access; limiter: Limiter; devItems: DevItems | undefined },
): void {
  const middleware = [access.read(config.tokens.edgeQuery), jsonBody()];
  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("ChunkFilters", ChunkFilters);
  app.openapi({ ...route, middleware }, async (c) => {
    const { signal } = c.req.raw;
    const on = { requestId: c.var.requestId, client: c.var.client, signal };
    const { answer, failure } = await limiter.run(() => ragQuery(deps, c.req.valid("json"), on), {
      signal,
      client: c.var.client,
    });
    note(c, {
      hits: answer.results.length,
      reranked: answer.reranked,
      ...(failure !== undefined && { rerank: failure }),
    });
    return c.json(answer, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/rag/query",
  operationId: "queryChunks",
  tags: ["rag"],
  summary: "Vector search over the chunks of articles, with an optional rerank step",
  description:
    "Takes the max(`k`, `rerank_top_n`) nearest chunks among those that pass the filters, reranks the first `rerank_top_n`, and gives the first `k`. " +
    "Needs `x-api-key` only where EDGE_QUERY_KEYS is set.",
  security: [{}, { apiKey: [] }],
  request: { body: { required: true, content: { "application/json": { schema: RagQuery } } } },
  responses: {
    200: { description: "Best first.", content: { "application/json": { schema: RagAnswer } } },
    ...problems(...BODY_PROBLEMS, "unauthorized", "overloaded", "service-unavailable", "model-not-installed"),
  },
});

/** The key of developers; the routes are there only where anybody may use them. */
const DEV_KEY = "local-dev";

/** Items of one batch, at most. */
const MAX_BATCH = 256;

/** POST /rag/dev/…: what developers try the vector index with. Only for `APP_ENV=local`. */
export function addRagDev(
  app: OpenAPIHono<HttpEnv>,
  { capabilities, retrieval, devItems }: EdgeDeps & { devItems: DevItems },
): void {
  const middleware = [headerToken("x-dev-key", [DEV_KEY]), jsonBody()];

  app.openapi({ ...echoEmbed, middleware }, async (c) => {
    const { use, model } = available(capabilities.embed);
    const vectors = await use.embed([c.req.valid("json").text], "query", c.req.raw.signal);
    const vector = at(vectors, 0);
    return c.json({ ok: true as const, model, dims: vector.length, vector: Array.from(vector) }, 200);
  });

  app.openapi({ ...vectorizeSmoke, middleware }, async (c) => {
    const on = { requestId: c.var.requestId, signal: c.req.raw.signal };
    const outcome = await smoke({ capabilities, retrieval, devItems }, c.req.valid("json").text, on);
    note(c, { found: outcome.found });
    return c.json(outcome, 200);
  });

  app.openapi({ ...upsertBatch, middleware }, async (c) => {
    const { use } = available(capabilities.embed);
    const { items } = c.req.valid("json");
    const vectors = await use.embed(
      items.map(({ text }) => text),
      "passage",
      c.req.raw.signal,
    );
    const made = items.map(
      ({ id, text, metadata = {} }, i): DevItem => ({ id, text, metadata, vector: at(vectors, i) }),
    );
    try {
      devItems.upsert(made);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw invalidFields({ items: [`must not make ${cause.message} in all`] }, { cause });
    }
    return c.json({ ok: true as const, upserted: new Set(items.map(({ id }) => id)).size }, 200);
  });
}

const text = textField({ min: 1, max: 20_000 });

const metadata = z
  .looseObject({
    title: z.string().max(512),
    url: z.string().max(2048),
    lang: z.string().max(16).nullable(),
    source: z.string().max(128),
    category: z.string().max(128).nullable(),
    domain: z.string().max(255),
    published_at_bucket: z.int().min(101).max(999_912).nullable(),
    article_id: z.union([z.string().max(128), z.int()]),
  })
  .partial()
  .transform(({ title, url, lang, source, category, domain, published_at_bucket, article_id }) => ({
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    ...(lang !== undefined && { lang }),
    ...(source !== undefined && { source }),
    ...(category !== undefined && { category }),
    ...(domain !== undefined && { domain }),
    ...(published_at_bucket !== undefined && { published_at_bucket }),
    ...(article_id !== undefined && { article_id }),
  }))
  .openapi({
    type: "object",
    description: `title and url, and what filters look at: ${CHUNK_FIELDS.join(", ")}`,
  });

const EchoEmbed = z.object({ text }).openapi("EchoEmbedRequest");
const Smoke = z.object({ text: text.default("A ship left the harbour at dawn.") }).openapi("SmokeRequest");
const Batch = z
  .object({
    items: z
      .array(z.object({ id: textField({ min: 1, max: 256 }), text, metadata: metadata.optional() }))
      .min(1)
      .max(MAX_BATCH),
  })
  .openapi("UpsertBatchRequest");

const devRoute = <const P extends string, B extends z.ZodType, A extends z.ZodType>(
  path: P,
  {
    operationId,
    summary,
    description,
    body,
    answer,
  }: { operationId: string; summary: string; description: string; body: B; answer: A },
) =>
  createRoute({
    method: "post",
    path,
    operationId,
    tags: ["dev"],
    summary,
    description,
    security: [{ devKey: [] }],
    request: { body: { required: true, content: { "application/json": { schema: body } } } },
    responses: {
      200: { description: "Done.", content: { "application/json": { schema: answer } } },
      ...problems(...BODY_PROBLEMS, "unauthorized", "service-unavailable", "model-not-installed"),
    },
  });

const echoEmbed = devRoute("/rag/dev/echo-embed", {
  operationId: "embedText",
  summary: "The embedding vector of a text",
  description: "As a question is embedded; of length 1.",
  body: EchoEmbed,
  answer: z.object({ ok: z.literal(true), model: z.string(), dims: z.int(), vector: z.array(z.number()) }),
});

const vectorizeSmoke = devRoute("/rag/dev/vectorize-smoke", {
  operationId: "testVectors",
  summary: "Embed, upsert and query for one item",
  description: "Leaves nothing behind. `found` says whether the item was the first result for its own text.",
  body: Smoke,
  answer: z.object({
    ok: z.boolean(),
    id: z.string(),
    found: z.boolean(),
    timing_ms: z.object({ embed: z.int(), upsert: z.int(), query: z.int(), total: z.int() }),
  }),
});

const upsertBatch = devRoute("/rag/dev/upsert-batch", {
  operationId: "upsertItems",
  summary: "Insert a batch of items into the vector index",
  description:
    "Items are found by `/rag/query` like the chunks of articles, until this process ends. An id `article:<uuid>:chunk:<no>` is kept; of another one a uuid is made. " +
    "An item of an id that is there takes its place.",
  body: Batch,
  answer: z.object({ ok: z.literal(true), upserted: z.int() }),
});
