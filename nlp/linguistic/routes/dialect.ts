import {
  AppError,
  type HttpContext,
  type HttpEnv,
  jsonBody,
  type Limiter,
  type OpenAPIHono,
  z,
} from "@isnad/lib/service/http";
import { decimalParam, flagParam, wholeField, wholeParam, wholeText } from "@isnad/lib/contract";
import type { Analysers } from "../analysis.ts";
import { DIALECTS, type IdentifiedDialect } from "../../../lib/arabic/dialect/identify.ts";
import { CorpusToken, LARGEST_SENTENCE_ID } from "../../../lib/arabic/dialect/glossary.ts";
import { bothForms, eachText, orSeveral, requireArabic, requireLength, textField, textFields } from "./both-forms.ts";

type IdentifyDeps = { analysers: Pick<Analysers, "call">; limiter: Limiter };

/** GET and POST /dialect/identify: which Arabic a text is in. */
export function addIdentify(app: OpenAPIHono<HttpEnv>, deps: IdentifyDeps): void {
  app.openapi({ ...posted, middleware: [jsonBody()] }, async (c) => {
    const one = (text: string) => answer(deps, c, text, false);
    return c.json(await eachText(c.req.valid("json"), one), 200);
  });
  app.openapi(got, async (c) => c.json(await answer(deps, c, c.req.valid("query").text, true), 200));
}

async function answer(
  { analysers, limiter }: IdentifyDeps,
  c: HttpContext,
  text: string,
  inUrl: boolean,
): Promise<IdentifiedDialect> {
  requireLength(text, { inUrl });
  requireArabic(text);
  const { signal } = c.req.raw;
  const call = { signal, retry: true, kind: "/dialect/identify", cost: text.length };
  return await limiter.run(() => analysers.call("identify", text, call), { signal, client: c.var.client });
}

const chance = z.number().min(0).max(1);

/** Holds which Arabic a text is in. */
export const DialectView = z
  .object({
    dialect: z.enum(DIALECTS).openapi({ description: "The likeliest; `msa` is the standard language." }),
    scores: z
      .object({
        ...{ msa: chance, levantine: chance, egyptian: chance, gulf: chance, maghrebi: chance, iraqi: chance },
      })
      .openapi({
        description: "The probability of each; together 1. A short text has few that is far above the others.",
      }),
  })
  .openapi("IdentifiedDialect");

const { posted, got } = bothForms({
  path: "/dialect/identify",
  noun: "Dialect",
  tag: "dialect",
  summary: "Which Arabic a text is in: the standard language, or that of one of five regions",
  description:
    "By its words and their parts. A sentence that people of two regions would say alike is that of either; Sudanese, Yemeni and other speech that is none of the six is told as the one that is nearest.",
  answer: { description: "The dialect and the scores of all.", schema: DialectView },
  several: orSeveral(DialectView),
  body: z.object(textFields()).openapi("IdentifyRequest"),
  query: z.object({ text: textField({ inUrl: true }) }),
});

type DialectDeps = { analysers: Pick<Analysers, "call">; limiter: Limiter };

/** GET and POST /dialect/nabra, and /dialect/nabra/glossary: sentences in dialect, and what their words mean. */
export function addDialect(app: OpenAPIHono<HttpEnv>, deps: DialectDeps): void {
  const middleware = [jsonBody()];
  app.openapi({ ...sentence.posted, middleware }, async (c) =>
    c.json(await sentenceOf(deps, c, c.req.valid("json"), false), 200),
  );
  app.openapi(sentence.got, async (c) => c.json(await sentenceOf(deps, c, c.req.valid("query"), true), 200));
  app.openapi({ ...glossary.posted, middleware }, async (c) =>
    c.json(await glossaryOf(deps, c, c.req.valid("json"), false), 200),
  );
  app.openapi(glossary.got, async (c) => c.json(await glossaryOf(deps, c, c.req.valid("query"), true), 200));
}

async function sentenceOf(
  { analysers, limiter }: DialectDeps,
  c: HttpContext,
  { sentence_id: id, text }: { sentence_id?: number | undefined; text?: string | undefined },
  inUrl: boolean,
) {
  if (text !== undefined) requireLength(text, { inUrl });
  const { signal } = c.req.raw;
  const ask = { id, text, fuzzy: inUrl };
  const answer = await limiter.run(() => analysers.call("sentence", ask, { signal, retry: true }), {
    signal,
    client: c.var.client,
  });
  if (answer.is === "match") return answer.match;
  if (answer.is === "conflict") {
    throw new AppError("bad-request", "sentence_id and text do not name the same sentence.");
  }
  throw new AppError("not-found", "No sentence of the corpus is like this.", { extra: { closest: answer.closest } });
}

async function glossaryOf(
  { analysers, limiter }: DialectDeps,
  c: HttpContext,
  { text, top_k: topK, similarity_threshold: threshold, include_offsets }: z.output<typeof GlossaryBody>,
  inUrl: boolean,
) {
  requireLength(text, { inUrl });
  requireArabic(text);
  const { signal } = c.req.raw;
  const ask = { text, topK, threshold };
  const tokens = await limiter.run(() => analysers.call("glossary", ask, { signal, retry: true, cost: text.length }), {
    signal,
    client: c.var.client,
  });
  return {
    tokens: tokens.map(({ token, start, end, matches, dialects }) => ({
      token,
      ...(include_offsets && { start, end }),
      matches,
      ...(dialects !== undefined && { dialects: [...dialects] }),
    })),
  };
}

const needed = { error: "sentence_id or text is required", path: ["body"] };
const oneOf = ({ sentence_id, text }: { sentence_id?: unknown; text?: unknown }): boolean =>
  sentence_id !== undefined || text !== undefined;

const SentenceBody = z
  .object({ sentence_id: wholeField({ min: 0, max: LARGEST_SENTENCE_ID }).optional(), text: textField().optional() })
  .refine(oneOf, needed)
  .openapi("DialectSentenceRequest", { anyOf: [{ required: ["sentence_id"] }, { required: ["text"] }] });

const SentenceQuery = z
  .object({
    sentence_id: wholeText({ min: 0, max: LARGEST_SENTENCE_ID }).optional(),
    text: textField({ inUrl: true }).optional(),
  })
  .refine(oneOf, needed);

const MAX_TOP_K = 50;
const TOP_K = 3;
const THRESHOLD = 0.65;

const GlossaryBody = z
  .object({
    text: textField(),
    top_k: z.int().min(1).max(MAX_TOP_K).default(TOP_K),
    similarity_threshold: z.number().min(0).max(1).default(THRESHOLD),
    include_offsets: z.boolean().default(false),
  })
  .openapi("DialectGlossaryRequest");

const GlossaryQuery = z.object({
  text: textField({ inUrl: true }),
  top_k: wholeParam({ min: 1, max: MAX_TOP_K, fallback: TOP_K }),
  similarity_threshold: decimalParam({ min: 0, max: 1, fallback: THRESHOLD }),
  include_offsets: flagParam(),
});

const SentenceAnswer = z
  .object({
    sentence_id: z.int(),
    text: z.string(),
    dialect: z.string(),
    source: z.string(),
    match_type: z.enum(["id", "exact", "substring", "fuzzy"]),
    match_score: z.number(),
    tokens: z.array(CorpusToken),
  })
  .openapi("DialectSentence");

const GlossaryAnswer = z
  .object({
    tokens: z.array(
      z.object({
        token: z.string(),
        start: z.int().optional(),
        end: z.int().optional(),
        matches: z.array(
          z.object({
            gloss: z.string(),
            lemma_msa: z.string(),
            lemma_dialect: z.string(),
            pos: z.string(),
            score: z.number(),
            sentence_ids: z.array(z.int()),
          }),
        ),
        dialects: z
          .array(z.string())
          .optional()
          .openapi({ description: "The other dialects that have the word, where this one does not; no matches then." }),
      }),
    ),
  })
  .openapi("DialectGlossary");

const sentence = bothForms({
  path: "/dialect/nabra",
  noun: "DialectSentence",
  tag: "dialect",
  summary: "A sentence in dialect, word by word",
  description:
    "By number, by its text, or by a part of it. The GET form also finds the sentence most like the text (`fuzzy`, 0.65 and more); 404 carries the closest one.",
  answer: { description: "The sentence.", schema: SentenceAnswer },
  body: SentenceBody,
  query: SentenceQuery,
  also: ["bad-request", "not-found"],
});
const glossary = bothForms({
  path: "/dialect/nabra/glossary",
  noun: "DialectGlossary",
  tag: "dialect",
  summary: "What the words of a text may mean in dialect",
  description: "The entries of each word, best first, none below the threshold; signs are left out.",
  answer: { description: "The words, in order.", schema: GlossaryAnswer },
  body: GlossaryBody,
  query: GlossaryQuery,
});
