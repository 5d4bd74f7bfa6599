import { AppError, createRoute, type HttpEnv, html, type OpenAPIHono, problems, z } from "@isnad/lib/service/http";
import type { Analysers } from "../analysis.ts";
import { nameField, wholeParam } from "@isnad/lib/contract";
import { rootKey } from "../../../lib/arabic/morphology/search.ts";
import { prefersPage } from "./both-forms.ts";

/** GET /lemmas, which searches the lexicon, and GET /lemmas/{id}: a word of it, as JSON or as a page, by `Accept`. */
export function addLemmas(app: OpenAPIHono<HttpEnv>, { analysers }: { analysers: Pick<Analysers, "call"> }): void {
  app.openapi(searchRoute, async (c) => {
    const question = c.req.valid("query");
    return c.json(await analysers.call("searchLemmas", question, { signal: c.req.raw.signal, retry: true }), 200);
  });
  app.openapi(route, async (c) => {
    const { id } = c.req.valid("param");
    const lemma = await analysers.call("lemma", id, { signal: c.req.raw.signal, retry: true });
    if (lemma === undefined) throw new AppError("not-found", `There is no lemma ${id}.`);
    c.header("Vary", "Accept");
    if (!prefersPage(c.req.header("accept"))) return c.json(lemma, 200);
    const { lemma: form, pos, root, gloss, forms } = lemma;
    return c.html(
      html`<!doctype html><html lang="ar" dir="rtl"><meta charset="utf-8"><title>${form}</title><h1>${form}</h1>
        <dl><dt>pos</dt><dd>${pos}</dd><dt>root</dt><dd>${root ?? ""}</dd><dt>gloss</dt><dd dir="ltr">${gloss ?? ""}</dd>
        <dt>forms</dt><dd>${forms.join("، ")}</dd></dl></html>`,
    );
  });
}

const LemmaHead = z.object({
  lemma_id: z.int(),
  lemma: z.string(),
  pos: z.string(),
  root: z.string().nullable(),
  gloss: z.string().nullable().openapi({ description: "In English; other meanings follow after ` | `." }),
});

const Lemma = LemmaHead.extend({ forms: z.array(z.string()) }).openapi("Lemma");

/** Code points of a word that is searched by, and lemmas of a page; both at most. */
const MAX_WORD = 100;
const MAX_PAGE = 100;
const PAGE = 20;

const LemmaQuery = z
  .object({
    root: nameField({ max: MAX_WORD })
      .refine((root) => rootKey(root) !== "", { error: "must have Arabic letters" })
      .optional()
      .openapi({ description: "Its letters, with or without signs between; every hamza is alike.", example: "ك ت ب" }),
    lemma: nameField({ max: MAX_WORD })
      .optional()
      .openapi({ description: "Vowels count where it has some.", example: "كتاب" }),
    en: nameField({ max: MAX_WORD })
      .refine((words) => /[a-z]/i.test(words), { error: "must have English words" })
      .optional()
      .openapi({ description: "Words that all stand in the gloss.", example: "book" }),
    limit: wholeParam({ min: 1, max: MAX_PAGE, fallback: PAGE }),
    offset: wholeParam({ min: 0, max: 100_000, fallback: 0 }),
  })
  .refine(({ root, lemma, en }) => root !== undefined || lemma !== undefined || en !== undefined, {
    error: "root, lemma or en is required",
    path: ["body"],
  });

const searchRoute = createRoute({
  method: "get",
  path: "/lemmas",
  operationId: "searchLemmas",
  tags: ["lexicon"],
  summary: "Words of the lexicon by root, lemma or English meaning",
  description: "What is given must all hold. The most frequent words come first, by meaning those that mean just that.",
  request: { query: LemmaQuery },
  responses: {
    200: {
      description: "The lemmas of the page, and how many there are in all.",
      content: {
        "application/json": {
          schema: z.object({ lemmas: z.array(LemmaHead), total: z.int() }).openapi("LemmaPage"),
        },
      },
    },
    ...problems("validation-error", "service-unavailable"),
  },
});

const route = createRoute({
  method: "get",
  path: "/lemmas/{id}",
  operationId: "getLemma",
  tags: ["lexicon"],
  summary: "A word of the lexicon",
  request: {
    params: z.object({
      id: z
        .string()
        .regex(/^\d{1,16}$/, { error: "must be a whole number of up to 16 digits" })
        .transform(Number)
        .pipe(z.int())
        .openapi({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    }),
  },
  responses: {
    200: {
      description: "The lemma.",
      content: { "application/json": { schema: Lemma }, "text/html": { schema: z.string() } },
    },
    ...problems("not-found", "validation-error", "service-unavailable"),
  },
});
