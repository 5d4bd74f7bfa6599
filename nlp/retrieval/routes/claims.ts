import { MatchRequest, MatchResponse } from "@isnad/lib/contract";
import {
  BODY_PROBLEMS,
  createRoute,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
} from "@isnad/lib/service/http";
import { installed, type RetrievalDeps } from "../deps.ts";

/** POST /claims/match: the reviews and claims nearest to texts; the API asks it. */
export function addClaims(
  app: OpenAPIHono<HttpEnv>,
  { claims, embedder, limiter }: Pick<RetrievalDeps, "claims" | "embedder"> & { limiter: Limiter },
): void {
  app.openapi(route, async (c) => {
    const { text, texts = [], k, lang } = c.req.valid("json");
    const { signal } = c.req.raw;
    // Without vectors nothing is told apart: then this throws.
    installed(embedder);
    const all = text === undefined ? texts : [text];
    const ask = async () => (await claims?.match({ texts: all, k, lang }, signal)) ?? [];
    const results = await limiter.run(ask, { cost: all.length, signal, client: c.var.client });
    note(c, { texts: all.length });
    return c.json({ results }, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/claims/match",
  operationId: "findNearClaims",
  tags: ["claims"],
  summary: "Find the reviews and claims nearest to a text",
  description: "As `POST /v1/claims/match` of the API, which asks it.",
  middleware: [jsonBody()] as const,
  request: { body: { required: true, content: { "application/json": { schema: MatchRequest } } } },
  responses: {
    200: {
      description: "For each text what is near, best first.",
      content: { "application/json": { schema: MatchResponse } },
    },
    ...problems(...BODY_PROBLEMS, "overloaded", "service-unavailable", "model-not-installed"),
  },
});
