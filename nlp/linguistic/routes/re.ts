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
import { InferenceError } from "@isnad/lib/models";
import type { Analysers } from "../analysers.ts";
import type { EntityFinder } from "../models.ts";
import { PartUnavailable } from "../../../lib/arabic/attempt.ts";
import { bothForms, eachText, orSeveral, requireArabic, requireLength, textField, textFields } from "./both-forms.ts";
import type { ReEntity } from "../../../lib/arabic/relations/words.ts";

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
      const named = await namesIn(entities, text, signal);
      const call = { signal, retry: true, cost: text.length };
      return await analysers.call("relations", { text, entities: named }, call);
    },
    { signal, client: c.var.client },
  );
  note(c, { relations: relations.length });
  return { relations: relations.filter(({ confidence }) => confidence >= min_confidence) };
}

/**
 * Returns the entities of a text; none without what finds them, or where it is broken: fewer arguments are right then.
 */
async function namesIn(finder: EntityFinder, text: string, signal: AbortSignal): Promise<ReEntity[]> {
  try {
    const { entities } = await finder.nested(text, { kind: "/re", signal });
    return entities.map(({ type, start, end }) => ({ type, start, end }));
  } catch (error) {
    // A file that is read at the first text only fails as the thread does.
    const isBroken = error instanceof InferenceError && error.code === "worker-failed";
    if (isBroken || error instanceof PartUnavailable) return [];
    throw error;
  }
}

const MIN_CONFIDENCE = 0.5;
const LEAST = { description: "Relations that are less certain are left out." };

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
