import { decimalParam, TextRelations } from "@isnad/lib/contract";
import {
  type HttpContext,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  z,
} from "@isnad/lib/service/http";
import { analyseText, type AnalysisParts, type Layer, LAYERS } from "../analysis.ts";
import { bothForms, eachText, orSeveral, requireArabic, requireLength, textField, textFields } from "./both-forms.ts";
import { DialectView } from "./dialect.ts";
import { Reading } from "./morph.ts";
import { EntityView, entityView, tagsOf } from "./ner.ts";
import { LEAST, MIN_CONFIDENCE } from "./re.ts";

type AnalyseDeps = AnalysisParts & { limiter: Limiter };

/** Holds what is asked of a text. */
type Question = { text: string; layers: readonly Layer[]; min_confidence: number };

/** GET and POST /analyse: all that the service can tell of a text, over one cut into tokens. */
export function addAnalyse(app: OpenAPIHono<HttpEnv>, deps: AnalyseDeps): void {
  app.openapi({ ...posted, middleware: [jsonBody()] }, async (c) => {
    const { text, texts, ...options } = c.req.valid("json");
    const one = (each: string) => answer(deps, c, { text: each, ...options }, false);
    return c.json(await eachText({ text, texts }, one), 200);
  });
  app.openapi(got, async (c) => c.json(await answer(deps, c, c.req.valid("query"), true), 200));
}

async function answer(
  { limiter, ...parts }: AnalyseDeps,
  c: HttpContext,
  question: Question,
  inUrl: boolean,
): Promise<z.output<typeof Answer>> {
  requireLength(question.text, { inUrl });
  requireArabic(question.text);
  const { signal } = c.req.raw;
  const view = await limiter.run(() => analysisView(question, parts, { signal, kind: "/analyse" }), {
    signal,
    client: c.var.client,
  });
  note(c, { tokens: view.tokens.length });
  const { origin } = new URL(c.req.url);
  return {
    ...view,
    tokens: view.tokens.map(({ sense_id, ...token }) => ({
      ...token,
      ...(sense_id !== undefined && {
        sense_id,
        sense_url: sense_id === null ? null : `${origin}/senses/${sense_id}`,
      }),
    })),
  };
}

/** Returns the layers of a text as answers and files show them. */
export async function analysisView(
  { text, layers, min_confidence }: Question,
  parts: AnalysisParts,
  caller: { signal: AbortSignal; kind: string },
) {
  const wanted = new Set(layers);
  const { tokens, entities, senses, relations, dialect } = await analyseText(text, wanted, parts, caller);
  const tags = entities === undefined ? undefined : tagsOf({ tokens, entities });
  return {
    tokens: tokens.map(({ token, start, end, sentence, analyses: _, ...reading }, place) => {
      const sense = senses?.[place]?.sense;
      const [tag = "O", ...inner] = tags?.[place] ?? [];
      return {
        ...{ token, start, end, sentence },
        ...(wanted.has("morph") && reading),
        ...(tags !== undefined && { tags: [tag, ...inner] }),
        ...(senses !== undefined && { sense_id: sense?.id ?? null, sense_gloss: sense?.gloss ?? null }),
      };
    }),
    ...(entities !== undefined && { entities: entities.map(entityView) }),
    ...(relations !== undefined && {
      relations: relations.filter(({ confidence }) => confidence >= min_confidence),
    }),
    ...(dialect !== undefined && { dialect }),
  };
}

const WHICH = { description: `Which layers are told: some of ${LAYERS.join(", ")}; all unless some are named.` };
const isLayer = (name: string): name is Layer => LAYERS.some((layer) => layer === name);

/** Characters of all layers and more. */
const MAX_LAYERS_LENGTH = 200;

/** The names of layers, parted by commas. */
const layerNames = z
  .string()
  .max(MAX_LAYERS_LENGTH)
  .transform((list, ctx) => {
    const names = list.split(",").map((name) => name.trim());
    const layers = names.filter(isLayer);
    if (layers.length < names.length)
      ctx.addIssue({ code: "custom", message: `must be some of ${LAYERS.join(", ")}, parted by commas` });
    return layers;
  });

const Body = z
  .object({
    ...textFields(),
    layers: z
      .array(z.enum(LAYERS))
      .min(1)
      .max(LAYERS.length)
      .default([...LAYERS])
      .openapi(WHICH),
    min_confidence: z.number().min(0).max(1).default(MIN_CONFIDENCE).openapi(LEAST),
  })
  .openapi("AnalysisRequest");

const Query = z.object({
  text: textField({ inUrl: true }),
  layers: layerNames.default([...LAYERS]).openapi({ type: "string", example: "morph,ner", ...WHICH }),
  min_confidence: decimalParam({ min: 0, max: 1, fallback: MIN_CONFIDENCE }).openapi(LEAST),
});

const Answer = z
  .object({
    tokens: z
      .array(
        Reading.extend({
          token: z.string(),
          start: z.int(),
          end: z.int(),
          sentence: z.int().openapi({ description: "The number of its sentence, from 0." }),
          tags: z.array(z.string()).optional().openapi({ description: "BIO tags, the outermost first; as `/ner`." }),
          sense_id: z.string().nullable().optional(),
          sense_url: z.string().nullable().optional(),
          sense_gloss: z.string().nullable().optional(),
        }),
      )
      .openapi({ description: "With the fields of the layers that are asked for." }),
    entities: z.array(EntityView).optional(),
    relations: TextRelations.shape.relations.optional(),
    dialect: DialectView.optional(),
  })
  .openapi("Analysis");

const { posted, got } = bothForms({
  path: "/analyse",
  noun: "Text",
  result: "Analysis",
  summary: "All layers of a text over one cut into tokens",
  description:
    "What `/morph`, `/ner`, `/wsd`, `/re` and `/dialect/identify` tell of a text, in one answer: each token with its reading, its tags and its sense, the entities, the relations, and the dialect. Offsets are code points of the text as sent, end exclusive.",
  answer: { description: "The tokens in order, and what is told of the text.", schema: Answer },
  several: orSeveral(Answer),
  body: Body,
  query: Query,
});
