import { hasLength, textField } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";
import { GENRES } from "@isnad/lib/models";

/** Sentences that a request may hold, and code points of one. */
export const MAX_SENTENCES = 256;
const MAX_SENTENCE = 2000;
const MAX_TEXT = 20_000;

const sentence = z
  .string()
  .refine((value) => hasLength(value, 0, MAX_SENTENCE), { error: `must have at most ${MAX_SENTENCE} characters` })
  .openapi({ maxLength: MAX_SENTENCE });

/** The body of `POST /s1/check-worthiness`: a text, or sentences. */
export const CheckRequest = z
  .object({
    text: textField({ min: 1, max: MAX_TEXT })
      .nullish()
      .openapi({ description: `Split into sentences, at most ${MAX_SENTENCES}; white space alone is none.` }),
    sentences: z
      .array(sentence)
      .min(1)
      .max(MAX_SENTENCES)
      .nullish()
      .openapi({ description: "Scored in order. A sentence without a letter or digit has score 0." }),
    lang: z.enum(["ar", "en"]).nullish().openapi({
      description: "How every sentence is read. When missing, each is read by the script of most of its letters.",
    }),
    genre: z
      .enum(GENRES)
      .nullish()
      .openapi({
        description:
          "What the sentences are from. `debate`, the default: debates, speeches and posts, judged as fact-checkers have " +
          "marked such. `news`: articles, and Arabic posts where the rule of articles is wanted; what was said decides " +
          "there, not that somebody said it, and promises, forecasts, opinions, appeals and dates to come are not worth a check.",
      }),
    threshold: z.number().min(0).max(1).nullish().openapi({
      description:
        "When missing, the model's own threshold for `genre` and `lang`, or else for the script of most of the letters.",
    }),
  })
  .refine(({ text, sentences }) => (text == null) !== (sentences == null), {
    error: "must have either text or sentences",
  })
  .openapi("CheckRequest", {
    oneOf: [
      { required: ["text"], properties: { text: { type: "string" } } },
      { required: ["sentences"], properties: { sentences: { type: "array", items: { type: "string" } } } },
    ],
  });
export type CheckRequest = z.output<typeof CheckRequest>;

const result = z
  .object({
    sentence: z.string(),
    score: z
      .number()
      .min(0)
      .max(1)
      .openapi({ description: "calibrated probability that the sentence is worth a check" }),
    is_checkworthy: z.boolean().openapi({ description: "score ≥ threshold_used" }),
  })
  .openapi("CheckResult");

/** The answer, one result a sentence, in order. */
export const CheckResponse = z
  .object({ results: z.array(result), model_id: z.string(), threshold_used: z.number().min(0).max(1) })
  .openapi("CheckResponse");
export type CheckResponse = z.output<typeof CheckResponse>;
