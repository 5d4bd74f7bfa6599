import { EmbedAnswer, EmbedRequest } from "@isnad/lib/contract";
import {
  type Access,
  createRoute,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
} from "@isnad/lib/service/http";
import { available } from "@isnad/lib/answers";
import type { EdgeDeps } from "../deps.ts";

/** POST /llm/embed: the vectors of texts, by the model that articles are embedded with. */
export function addEmbed(
  app: OpenAPIHono<HttpEnv>,
  { access, limiter, capabilities }: EdgeDeps & { access: Access; limiter: Limiter },
): void {
  const middleware = [access.require("edge", "x-api-key"), jsonBody()];
  app.openapi({ ...route, middleware }, async (c) => {
    const { texts, kind } = c.req.valid("json");
    const { use, model } = available(capabilities.embed);
    note(c, { model, texts: texts.length });
    const { signal } = c.req.raw;
    const vectors = await limiter.run(() => use.embed(texts, kind, signal), { signal, client: c.var.client });
    return c.json({ ok: true as const, model, vectors: vectors.map((vector) => [...vector]) }, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/llm/embed",
  operationId: "embedTexts",
  tags: ["llm"],
  summary: "Vectors of texts",
  description: "A vector of unit length a text, in order. Vectors of different models must not be compared.",
  security: [{ apiKey: [] }],
  request: { body: { required: true, content: { "application/json": { schema: EmbedRequest } } } },
  responses: {
    200: { description: "The vectors.", content: { "application/json": { schema: EmbedAnswer } } },
    ...problems(
      "malformed-json",
      "unauthorized",
      "payload-too-large",
      "unsupported-media-type",
      "validation-error",
      "overloaded",
      "service-unavailable",
      "model-not-installed",
    ),
  },
});
