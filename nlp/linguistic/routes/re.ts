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
import { type Analysers, namesIn } from "../analysis.ts";
import type { EntityFinder } from "../models.ts";
import { bothForms, eachText, orSeveral, requireArabic, requireLength, textField, textFields } from "./both-forms.ts";

type RelationsDeps = { analysers: Pick<Analysers, "call">; entities: EntityFinder; limiter: Limiter };

/** GET and POST /re: the events that a text tells of, and who and what takes part in them. */
export function addRelations(app: OpenAPIHono<HttpEnv>, deps: RelationsDeps): void {
  app.openapi({ ...posted, middleware: [jsonBody()] }, async (c) => {
    const { text, texts, min_confidence } = c.req.valid("json");
    const one = (each: string) => answer(deps, c, { text: each, min_confidence }, false);
    return c.json(await eachText({ text, texts }, one), 200);
  });
  app.openapi(got, async (c) => c.json(await answer(deps, c, c.req.valid("query"), true), 200));
}
async function answer(
  { analysers, entities, limiter }: RelationsDeps,
  c: HttpContext,
  { text, min_confidence }: z.output<typeof Query>,
  inUrl: boolean,
): Promise<TextRelations> {
  requireLength(text, { inUrl });
  requireArabic(text);
  const { signal } = c.req.raw;
  const relations = await limiter.run(
    async () => {
      const named = await namesIn(entities, text, { signal, kind: "/re" });
      const call = { signal, retry: true, cost: text.length };
      return await analysers.call("relations", { text, entities: named }, call);
    },
    { signal, client: c.var.client },
  );
  note(c, { relations: relations.length });
  return { relations: relations.filter(({ confidence }) => confidence >= min_confidence) };
}

/** The least confidence of relations that are told unless another is asked for. */
export const MIN_CONFIDENCE = 0.5;
/** Says what the least confidence does. */
export const LEAST = { description: "Relations that are less certain are left out." };

const Body = z
  .object({ ...textFields(), min_confidence: z.number().min(0).max(1).default(MIN_CONFIDENCE).openapi(LEAST) })
  .openapi("RelationsRequest");
const Query = z.object({
  text: textField({ inUrl: true }),
  min_confidence: decimalParam({ min: 0, max: 1, fallback: MIN_CONFIDENCE }).openapi(LEAST),
});

const { posted, got } = bothForms({
  path: "/re",
  noun: "Relations",
  summary: "Events and who and what takes part in them",
  description:
    "Events that a text presents as real, of 22 types; one relation for each argument. Negated, possible and demanded events are none.",
  answer: { description: "The relations, in order.", schema: TextRelations },
  several: orSeveral(TextRelations),
  body: Body,
  query: Query,
});
