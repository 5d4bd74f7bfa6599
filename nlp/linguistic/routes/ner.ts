import { ENTITY_TYPES, flagParam } from "@isnad/lib/contract";
import {
  type HttpContext,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  z,
} from "@isnad/lib/service/http";
import type { EntityFinder } from "../models.ts";
import { bothForms, eachText, orSeveral, requireLength, textField, textFields } from "./both-forms.ts";

/** Tokens and entities of a text, each by where it stands. */
type Tagged = {
  tokens: readonly { start: number; end: number }[];
  entities: readonly { type: string; start: number; end: number }[];
};

/** BIO tags of each token, the outermost entity's first; empty for a token in no entity. */
export function tagsOf({ tokens, entities }: Tagged): string[][] {
  const tags: string[][] = tokens.map(() => []);
  let from = 0;
  for (const { type, start, end } of entities) {
    while (from < tokens.length && (tokens[from]?.end ?? 0) <= start) from++;
    for (let i = from; i < tokens.length && (tokens[i]?.start ?? end) < end; i++) {
      tags[i]?.push(`${i === from ? "B" : "I"}-${type}`);
    }
  }
  return tags;
}

/** Returns an entity as answers show it. */
export const entityView = ({ type, text, name, start, end, level }: z.output<typeof EntityView>) => {
  return { type, text, name, start, end, level };
};

const MODES = ["nested", "flat"] as const;

type NerDeps = { entities: EntityFinder; limiter: Limiter };

/** GET and POST /ner: the entities of a text. */
export function addNer(app: OpenAPIHono<HttpEnv>, deps: NerDeps): void {
  app.openapi({ ...posted, middleware: [jsonBody()] }, async (c) => {
    const { text, texts, ...options } = c.req.valid("json");
    const one = (each: string) => answer(deps, c, { text: each, ...options }, false);
    return c.json(await eachText({ text, texts }, one), 200);
  });
  app.openapi(got, async (c) => c.json(await answer(deps, c, c.req.valid("query"), true), 200));
}

async function answer(
  { entities: finder, limiter }: NerDeps,
  c: HttpContext,
  { text, mode, include_offsets }: z.output<typeof Query>,
  inUrl: boolean,
): Promise<z.input<typeof Answer>> {
  requireLength(text, { inUrl });
  const { signal } = c.req.raw;
  const found = await limiter.run(() => finder.nested(text, { kind: "/ner", signal }), {
    signal,
    client: c.var.client,
  });
  note(c, { tokens: found.tokens.length, entities: found.entities.length });
  const isFlat = mode === "flat";
  const entities = isFlat ? found.entities.filter(({ level }) => level === 0) : found.entities;
  const tags = tagsOf({ tokens: found.tokens, entities });
  return {
    tokens: found.tokens.map(({ text: token, start, end }, i) => {
      const [tag = "O", ...inner] = tags[i] ?? [];
      return { token, ...(isFlat ? { tag } : { tags: [tag, ...inner] }), ...(include_offsets && { start, end }) };
    }),
    entities: entities.map(entityView),
  };
}

const mode = z
  .enum(MODES)
  .default("nested")
  .openapi({ description: "`nested`: every entity, with `tags`; `flat`: those that lie in no other, with `tag`." });

const Body = z
  .object({
    ...textFields(),
    mode,
    include_offsets: z.boolean().default(false).openapi({ description: "Adds `start` and `end` to the tokens." }),
  })
  .openapi("NerRequest");

const Query = z.object({ text: textField({ inUrl: true }), mode, include_offsets: flagParam() });

/** Holds an entity as answers show it. */
export const EntityView = z.object({
  type: z.string().openapi({ description: `One of ${ENTITY_TYPES.join(", ")}.` }),
  text: z.string(),
  name: z
    .string()
    .openapi({ description: "How it is shown: with the alef of its article, which is not written after ل." }),
  start: z.int(),
  end: z.int(),
  level: z.int().openapi({ description: "0 for an entity that lies in no other." }),
});

const Answer = z
  .object({
    tokens: z.array(
      z.object({
        token: z.string(),
        tags: z
          .array(z.string())
          .optional()
          .openapi({
            description: "BIO tags, the outermost first; `O` alone for a token in no entity.",
            example: ["B-ORG", "B-GPE"],
          }),
        tag: z.string().optional().openapi({ example: "B-ORG" }),
        start: z.int().optional(),
        end: z.int().optional(),
      }),
    ),
    entities: z.array(EntityView),
  })
  .openapi("NerAnswer");

const { posted, got } = bothForms({
  path: "/ner",
  noun: "Entities",
  summary: "The entities of a text, nested or flat",
  description:
    "Entities of Wojood's 21 types. Conjunctions and prepositions written onto a name are no part of it; offsets are code points of the text as sent, end exclusive.",
  answer: { description: "The tokens and entities, in order.", schema: Answer },
  several: orSeveral(Answer),
  body: Body,
  query: Query,
});
