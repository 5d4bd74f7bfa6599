import { available } from "@isnad/lib/answers";
import { EmbedAnswer, EmbedRequest, hasLength, NOT_BLANK } from "@isnad/lib/contract";
import {
  BODY_PROBLEMS,
  type Access,
  createRoute,
  type HttpEnv,
  jsonBody,
  keepOpen,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { detectLanguage } from "@isnad/lib/text";
import type { EdgeDeps } from "../capabilities.ts";

/** Code points of a text to be translated, at most. */
const MAX_TEXT = 50_000;

/** Holds what answers name as the model of a text that is in the language asked for already. */
const NONE = "isnad-identity";

/** POST /llm/translate: a text in another language. */
export function addTranslate(
  app: OpenAPIHono<HttpEnv>,
  { access, limiter, capabilities }: EdgeDeps & { access: Access; limiter: Limiter },
): void {
  const middleware = [access.require("edge", "x-api-key"), jsonBody()];
  app.openapi({ ...route, middleware }, async (c) => {
    const { text, target_lang, source_lang = detectedIn(text) } = c.req.valid("json");
    note(c, { source_lang, target_lang });
    const languages = { source_lang, target_lang };
    if (baseOf(source_lang) === baseOf(target_lang)) {
      return c.json({ ok: true as const, model: NONE, translated_text: text, ...languages }, 200);
    }
    const { use, model } = available(capabilities.translate);
    keepOpen(c);
    const { requestId } = c.var;
    const { signal } = c.req.raw;
    const call = { text, sourceLang: source_lang, targetLang: target_lang, requestId, signal };
    const translation = await limiter.run(() => use.translate(call), { signal, client: c.var.client });
    const by = translation.model ?? model;
    return c.json({ ok: true as const, model: by, translated_text: translation.text, ...languages }, 200);
  });
}

function detectedIn(text: string): string {
  const { lang } = detectLanguage(text);
  return lang === "other" ? "und" : lang;
}

function baseOf(tag: string): string {
  return tag.split("-", 1)[0]?.toLowerCase() ?? tag;
}

const tag = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/, { error: "must be a language tag such as ar or en" })
  .openapi({ example: "en" });

const Body = z
  .object({
    text: z
      .string()
      .refine((value) => value.trim() !== "", { error: "must not be empty", abort: true })
      .refine((value) => hasLength(value, 1, MAX_TEXT), { error: `must have at most ${MAX_TEXT} characters` })
      .openapi({ minLength: 1, maxLength: MAX_TEXT, pattern: NOT_BLANK }),
    target_lang: tag,
    source_lang: tag.optional().openapi({ description: "detected when missing; `und` when that fails" }),
  })
  .openapi("TranslateRequest");

const Answer = z
  .object({
    ok: z.literal(true),
    model: z.string(),
    translated_text: z.string(),
    source_lang: z.string(),
    target_lang: z.string(),
  })
  .openapi("TranslateAnswer");

const route = createRoute({
  method: "post",
  path: "/llm/translate",
  operationId: "translateText",
  tags: ["llm"],
  summary: "Translation between languages",
  description:
    "A text that is in the language asked for already comes back as it is. A language that no model reaches is 503.",
  security: [{ apiKey: [] }],
  request: { body: { required: true, content: { "application/json": { schema: Body } } } },
  responses: {
    200: { description: "The translation.", content: { "application/json": { schema: Answer } } },
    ...problems(...BODY_PROBLEMS, "unauthorized", "service-unavailable", "model-not-installed"),
  },
});

/** POST /llm/embed: the vectors of texts, by the model that articles are embedded with. */
export function addEmbed(
  app: OpenAPIHono<HttpEnv>,
  { access, limiter, capabilities }: EdgeDeps & { access: Access; limiter: Limiter },
): void {
  const middleware = [access.require("edge", "x-api-key"), jsonBody()];
  app.openapi({ ...embedRoute, middleware }, async (c) => {
    const { texts, kind } = c.req.valid("json");
    const { use, model } = available(capabilities.embed);
    note(c, { model, texts: texts.length });
    const { signal } = c.req.raw;
    const vectors = await limiter.run(() => use.embed(texts, kind, signal), { signal, client: c.var.client });
    return c.json({ ok: true as const, model, vectors: vectors.map((vector) => [...vector]) }, 200);
  });
}

const embedRoute = createRoute({
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
    ...problems(...BODY_PROBLEMS, "unauthorized", "overloaded", "service-unavailable", "model-not-installed"),
  },
});
