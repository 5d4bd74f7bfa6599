import { ARTICLE_ENTITY_TYPES, brokenRange, LIMITS, nameField, timeParam, wholeParam } from "@isnad/lib/contract";
import {
  type Access,
  answer,
  createRoute,
  type HttpEnv,
  type Limiter,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { nameKey } from "@isnad/lib/text";
import type { ApiDeps } from "../deps.ts";

/** GET /v1/entities: who and what is mentioned most. */
export function addEntities(
  app: OpenAPIHono<HttpEnv>,
  { access, store, limiter }: Pick<ApiDeps, "store"> & { access: Access; limiter: Limiter },
): void {
  app.openapi({ ...definition, middleware: [access.read()] }, async (c) => {
    const { q, ...rest } = c.req.valid("query");
    const key = q === undefined ? undefined : nameKey(q);
    // What has neither letter nor digit is part of no name.
    if (key === "") return c.json({ entities: [] }, 200);
    const found = await limiter.run(() => store.entities.count({ key, ...rest }), {
      signal: c.req.raw.signal,
      client: c.var.client,
    });
    return c.json({ entities: found.map(({ entityId, ...entity }) => ({ entity_id: entityId, ...entity })) }, 200);
  });
}

const NO_OCCUPATIONS = "never is OCC: offices and occupations are no entities of an article";

const Query = z
  .object({
    q: nameField({ max: LIMITS.query })
      .optional()
      .openapi({ description: "A part of the name, or of another name of the same, in any spelling." }),
    type: z
      .enum(ARTICLE_ENTITY_TYPES, { error: ({ input }) => (input === "OCC" ? NO_OCCUPATIONS : undefined) })
      .optional()
      .openapi({
        description:
          "Where the tagger found it: PER, LOC, ORG or MISC in English, one of Wojood's types in Arabic (PERS, GPE, ORG, …; offices and occupations are no entities of an article). Dates, numbers and amounts are counted only when their type is asked for.",
      }),
    from: timeParam().optional().openapi({ description: "Only articles published since." }),
    to: timeParam({ endOfDay: true }).optional().openapi({ description: "Only articles published until, inclusive." }),
    limit: wholeParam({ min: 1, max: 100, fallback: 20 }),
  })
  .check(({ value, issues }) => {
    const message = brokenRange(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value, path: [] });
  });

const EntitiesView = z
  .object({
    entities: z.array(
      z.object({
        entity_id: z.int(),
        name: z.string(),
        types: z.array(z.string()).openapi({
          description: "The one that most mentions have first; none where only relations name it.",
        }),
        mentions: z.int(),
        articles: z.int().openapi({ description: "Articles that name it." }),
      }),
    ),
  })
  .openapi("Entities");

const definition = createRoute({
  method: "get",
  path: "/v1/entities",
  operationId: "listEntities",
  tags: ["search"],
  summary: "Who and what is mentioned most",
  description:
    "Entities by their mentions in articles, the most first; each can be searched for with `/v1/search?entity=`. One thing is one entity, whatever it is called and in both languages, under the name that most articles call it by; its number stays.",
  security: [{}, { publicKey: [] }],
  request: { query: Query },
  responses: {
    200: answer("Entities, the most mentioned first.", EntitiesView),
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});
