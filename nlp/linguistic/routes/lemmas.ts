import { AppError, createRoute, type HttpEnv, html, type OpenAPIHono, problems, z } from "@isnad/lib/service/http";
import type { Analysers } from "../analysers.ts";
import { prefersPage } from "./both-forms.ts";

/** GET /lemmas/{id}: a word of the lexicon, as JSON or as a page, by `Accept`. */
export function addLemmas(app: OpenAPIHono<HttpEnv>, { analysers }: { analysers: Pick<Analysers, "call"> }): void {
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

const Lemma = z
  .object({
    lemma_id: z.int(),
    lemma: z.string(),
    pos: z.string(),
    root: z.string().nullable(),
    gloss: z.string().nullable().openapi({ description: "In English; other meanings follow after ` | `." }),
    forms: z.array(z.string()),
  })
  .openapi("Lemma");

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
