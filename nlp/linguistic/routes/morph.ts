import { flagParam } from "@isnad/lib/contract";
import {
  type HttpContext,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  z,
} from "@isnad/lib/service/http";
import type { Analysers } from "../analysis.ts";
import type { MorphReading, MorphToken } from "../../../lib/arabic/morphology/answer.ts";
import { bothForms, eachText, orSeveral, requireArabic, requireLength, textField, textFields } from "./both-forms.ts";

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
