import { flagParam, nameField, wholeParam } from "@isnad/lib/contract";
import {
  AppError,
  createRoute,
  html,
  type HttpContext,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import type { Analysers } from "../analysis.ts";
import type { MorphReading, MorphToken } from "../../../lib/arabic/morphology/answer.ts";
import { rootKey } from "../../../lib/arabic/morphology/lemmas.ts";
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

const TASKS = ["full", "lemmatization", "pos", "root"] as const;
type Task = (typeof TASKS)[number];

/** Holds what the routes need: where texts are read, and where the service is found. */
type MorphDeps = { analysers: Pick<Analysers, "call">; limiter: Limiter };

/** GET and POST /morph: the words of a text with lemma, part of speech, root and parts. */
export function addMorph(app: OpenAPIHono<HttpEnv>, deps: MorphDeps): void {
  app.openapi({ ...posted, middleware: [jsonBody()] }, async (c) => {
    const { text, texts, ...options } = c.req.valid("json");
    const one = (each: string) => answer(deps, c, { text: each, ...options });
    return c.json(await eachText({ text, texts }, one), 200);
  });
  app.openapi(got, async (c) => c.json(await answer(deps, c, c.req.valid("query"), true), 200));
}

async function answer(
  { analysers, limiter }: MorphDeps,
  c: HttpContext,
  { text, task, flag, include_lemma }: z.output<typeof Query>,
  inUrl = false,
): Promise<z.input<typeof Answer>> {
  requireLength(text, { inUrl });
  requireArabic(text);
  const { signal } = c.req.raw;
  const all = flag === "*";
  const call = { signal, retry: true, kind: "/morph", cost: text.length };
  const tokens = await limiter.run(() => analysers.call("morph", { text, all, inflected: task === "full" }, call), {
    signal,
    client: c.var.client,
  });
  note(c, { tokens: tokens.length });
  const forms = include_lemma ? await lemmaForms(analysers, tokens, signal) : undefined;
  const origin = new URL(c.req.url).origin;
  const shown = (reading: MorphReading) => ({
    ...keysOf(task, reading),
    ...(forms !== undefined && {
      lemma_url: reading.lemma_id === null ? null : `${origin}/lemmas/${reading.lemma_id}`,
      lemma_forms: forms.get(reading.lemma_id ?? -1) ?? [],
    }),
  });
  return {
    tokens: tokens.map(({ token, start, end, sentence, analyses, ...reading }) => ({
      ...{ token, start, end },
      ...shown(reading),
      ...(analyses !== undefined && { analyses: analyses.map(({ score, ...each }) => ({ ...shown(each), score })) }),
    })),
  };
}

/** Returns the fields that a task is about. */
function keysOf(task: Task, { lemma, lemma_id, pos, root, ...rest }: MorphReading) {
  switch (task) {
    case "full":
      return { lemma, lemma_id, pos, root, ...rest };
    case "lemmatization":
      return { lemma, lemma_id };
    case "pos":
      return { pos };
    case "root":
      return { root };
  }
}

async function lemmaForms(analysers: MorphDeps["analysers"], tokens: readonly MorphToken[], signal: AbortSignal) {
  const ids = [
    ...new Set(tokens.flatMap(({ lemma_id, analyses = [] }) => [lemma_id, ...analyses.map((each) => each.lemma_id)])),
  ];
  const known = ids.filter((id) => id !== null);
  const lemmas = await analysers.call("lemmas", known, { signal, retry: true, cost: known.length });
  return new Map(lemmas.flatMap((lemma) => (lemma === undefined ? [] : [[lemma.lemma_id, lemma.forms] as const])));
}

const choices = {
  task: z.enum(TASKS).default("full").openapi({ description: "Which fields of a token are given." }),
  flag: z
    .enum(["1", "*"])
    .default("1")
    .openapi({ description: "`*`: every reading as well, best first, as `analyses`." }),
  language: z.literal("MSA", { error: "must be MSA" }).default("MSA"),
};

const Body = z
  .object({
    ...textFields(),
    ...choices,
    include_lemma: z.boolean().default(false).openapi({ description: "Adds `lemma_url` and `lemma_forms`." }),
  })
  .openapi("MorphRequest");

const Query = z.object({ text: textField({ inUrl: true }), ...choices, include_lemma: flagParam() });

const CliticView = z.object({ form: z.string(), type: z.string() });

/** Holds the fields of a reading. */
export const Reading = z.object({
  lemma: z.string().optional().openapi({ description: "With its vowels, where the lexicon has it." }),
  lemma_id: z.int().nullable().optional().openapi({ description: "Null for a word that the lexicon does not have." }),
  pos: z.string().optional().openapi({ description: "Universal part of speech." }),
  pos_lexicon: z.string().optional().openapi({ description: "The lexicon's own, finer part of speech." }),
  root: z.string().nullable().optional(),
  pattern: z.string().nullable().optional(),
  stem: z.string().nullable().optional(),
  proclitics: z.array(CliticView).optional(),
  enclitics: z.array(CliticView).optional(),
  features: z.record(z.string(), z.string()).optional(),
  diac: z.string().optional().openapi({
    description: "The word with its vowels, without that of a case which is unknown; not of every reading.",
    example: "الكِتابُ",
  }),
  case: z.enum(["nom", "acc", "gen"]).optional().openapi({
    description: "Left out where neither the letters nor the words around tell it.",
  }),
  state: z.enum(["def", "indef", "const"]).optional(),
  mood: z.enum(["ind", "sub", "jus"]).optional().openapi({ description: "Of imperfect verbs." }),
  gloss: z.string().nullable().optional().openapi({ description: "In English; other meanings follow after ` | `." }),
  lemma_url: z.string().nullable().optional(),
  lemma_forms: z
    .array(z.string())
    .optional()
    .openapi({ description: "The lemma's forms: plurals, the feminine, perfect and imperfect." }),
});

const Answer = z
  .object({
    tokens: z.array(
      Reading.extend({
        token: z.string(),
        start: z.int(),
        end: z.int(),
        analyses: z.array(Reading.extend({ score: z.number() })).optional(),
      }),
    ),
  })
  .openapi("MorphAnswer");

const { posted, got } = bothForms({
  path: "/morph",
  noun: "Morphology",
  summary: "Lemma, part of speech, root and parts of each word",
  description:
    "Every reading that the lexicon allows is found, and the one that fits the sentence chosen. Offsets are code points of the text as sent.",
  answer: { description: "The tokens, in order.", schema: Answer },
  several: orSeveral(Answer),
  body: Body,
  query: Query,
});

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
