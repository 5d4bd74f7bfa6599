import { flagParam, nameField, SenseEntry } from "@isnad/lib/contract";
import {
  AppError,
  createRoute,
  type HttpContext,
  type HttpEnv,
  html,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import type { Analysers } from "../analysis.ts";
import {
  bothForms,
  eachText,
  orSeveral,
  prefersPage,
  requireArabic,
  requireLength,
  textField,
  textFields,
} from "./both-forms.ts";
import { sensesOf } from "../../../lib/arabic/senses/answer.ts";
import type { SenseChooser } from "../../../lib/arabic/senses/choose.ts";
import type { Inventory } from "../../../lib/arabic/senses/inventory.ts";

/** Holds what the routes need. `senses` throws where the inventory or the embedder could not be opened. */
type WsdDeps = {
  analysers: Pick<Analysers, "call">;
  limiter: Limiter;
  senses: { inventory(): Inventory; chooser(): SenseChooser };
};

/** GET and POST /wsd, GET /senses and GET /senses/{id}: what the words of a text mean, and what words can mean. */
export function addWsd(app: OpenAPIHono<HttpEnv>, deps: WsdDeps): void {
  app.openapi({ ...posted, middleware: [jsonBody()] }, async (c) => {
    const { text, texts, ...options } = c.req.valid("json");
    const one = (each: string) => answer(deps, c, { text: each, ...options }, false);
    return c.json(await eachText({ text, texts }, one), 200);
  });
  app.openapi(got, async (c) => c.json(await answer(deps, c, c.req.valid("query"), true), 200));
  app.openapi(searchRoute, (c) => {
    const { lemma } = c.req.valid("query");
    return c.json({ senses: [...deps.senses.inventory().search(lemma)] }, 200);
  });
  app.openapi(senseRoute, (c) => {
    const { id } = c.req.valid("param");
    const sense = deps.senses.inventory().byId(id);
    if (sense === undefined) throw new AppError("not-found", `There is no sense ${id.slice(0, 64)}.`);
    c.header("Vary", "Accept");
    if (!prefersPage(c.req.header("accept"))) return c.json(sense, 200);
    const { lemma, pos, gloss, en, examples } = sense;
    return c.html(
      html`<!doctype html><html lang="ar" dir="rtl"><meta charset="utf-8"><title>${lemma}</title><h1>${lemma}</h1>
        <p>${gloss}</p><dl><dt>pos</dt><dd>${pos}</dd><dt>en</dt><dd dir="ltr">${en.join("; ")}</dd></dl>
        <p>${examples.join(" ")}</p></html>`,
    );
  });
}

async function answer(
  { analysers, limiter, senses }: WsdDeps,
  c: HttpContext,
  { text, include_gloss, include_offsets }: z.output<typeof Query>,
  inUrl: boolean,
): Promise<z.input<typeof Answer>> {
  requireLength(text, { inUrl });
  requireArabic(text);
  const { signal } = c.req.raw;
  const parts = { inventory: senses.inventory(), chooser: senses.chooser() };
  const tokens = await limiter.run(
    async () => {
      const call = { signal, retry: true, kind: "/wsd", cost: text.length };
      const read = await analysers.call("morph", { text, all: false }, call);
      return await sensesOf(read, parts, signal);
    },
    { signal, client: c.var.client },
  );
  note(c, { tokens: tokens.length });
  const origin = new URL(c.req.url).origin;
  return {
    tokens: tokens.map(({ token, start, end, lemma, sense }) => ({
      token,
      ...(include_offsets && { start, end }),
      lemma,
      sense_id: sense?.id ?? null,
      sense_url: sense === undefined ? null : `${origin}/senses/${sense.id}`,
      ...(include_gloss && { gloss: sense?.gloss ?? null }),
    })),
  };
}

const Body = z
  .object({
    ...textFields(),
    include_gloss: z.boolean().default(false),
    include_offsets: z.boolean().default(true).openapi({ description: "`start` and `end` of each token." }),
  })
  .openapi("WsdRequest");
const Query = z.object({
  text: textField({ inUrl: true }),
  include_gloss: flagParam(),
  include_offsets: flagParam({ fallback: true }),
});

const Answer = z
  .object({
    tokens: z.array(
      z.object({
        token: z.string(),
        start: z.int().optional(),
        end: z.int().optional(),
        lemma: z.string(),
        sense_id: z.string().nullable().openapi({ description: "Null where the inventory has no sense of the word." }),
        sense_url: z.string().nullable(),
        gloss: z.string().nullable().optional(),
      }),
    ),
  })
  .openapi("WsdAnswer");

const { posted, got } = bothForms({
  path: "/wsd",
  noun: "WordSenses",
  summary: "The sense of each word in its sentence",
  description:
    "Senses are those of the project's own inventory, expressions of several words among them; of several senses the one whose meaning is nearest to the words around is chosen.",
  answer: { description: "The tokens, in order.", schema: Answer },
  several: orSeveral(Answer),
  body: Body,
  query: Query,
});

const Sense = z.strictObject(SenseEntry.shape).openapi("Sense");

/** Code points of a lemma or an expression that is searched by, at most. */
const MAX_LEMMA = 200;

const searchRoute = createRoute({
  method: "get",
  path: "/senses",
  operationId: "searchSenses",
  tags: ["lexicon"],
  summary: "The senses of a word or an expression",
  request: {
    query: z.object({
      lemma: nameField({ max: MAX_LEMMA }).openapi({
        description: "Vowels of a word count where it has some.",
        example: "عين",
      }),
    }),
  },
  responses: {
    200: {
      description: "Its senses, the most frequent first; none where the inventory does not have it.",
      content: { "application/json": { schema: z.object({ senses: z.array(Sense) }).openapi("SenseList") } },
    },
    ...problems("validation-error", "service-unavailable"),
  },
});

const senseRoute = createRoute({
  method: "get",
  path: "/senses/{id}",
  operationId: "getSense",
  tags: ["lexicon"],
  summary: "A sense of the inventory",
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: {
      description: "The sense.",
      content: {
        "application/json": { schema: Sense },
        "text/html": { schema: z.string() },
      },
    },
    ...problems("not-found", "service-unavailable"),
  },
});
