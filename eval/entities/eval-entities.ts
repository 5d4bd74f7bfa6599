import { CommandError } from "@isnad/lib/service/cli";
import type { Tagger } from "@isnad/lib/models";
import { type ConllSentence, readConll } from "./conll.ts";
import { type SpanScores, scoreSpans } from "./score.ts";

/**
 * A set to measure: CoNLL columns. `part`: only the last fifth of its sentences, which the shipped model was not
 * trained on.
 */
export type EntitySet = { path: string; lang?: "ar" | "en"; part?: "last-fifth" };

/** What was measured: scores over all types and by type, and one prediction a token, `line<TAB>tag`, in input order. */
export type EntityEvaluation = SpanScores & {
  sentences: number;
  tokens: number;
  types: Record<string, SpanScores>;
  predictions: string[];
};

/** Types of the heads that ship. */
const KNOWN = /^(?:PER|LOC|ORG|MISC|person|location|corporation|group|product|creative-work)$/;
const SOCIAL = /^(?:person|location|corporation|group|product|creative-work)$/;

/** Sentences that are taken for one document: the formats do not say where one ends. */
const DOCUMENT = 50;

/**
 * Tags the sentences of a set with the head that answers in its types, and compares. Its language is that of its
 * letters where it is not given. @throws CommandError when the set has no entity of a type that the tagger knows
 */
export async function evalEntities(tagger: Pick<Tagger, "tagTokens">, set: EntitySet): Promise<EntityEvaluation> {
  const all = readConll(set.path);
  const sentences = set.part === "last-fifth" ? all.slice(all.length - Math.floor(all.length / 5)) : all;
  const gold = sentences.map(({ tags }) => tags);
  const types = [...new Set(gold.flat().map((tag) => tag.slice(2)))].filter((type) => type !== "").sort();
  const head = headFor(types, set.lang ?? languageOf(sentences));
  if (sentences.length > 0 && !types.some((type) => KNOWN.test(type))) {
    const content =
      types.length === 0 ? "no entity" : `only entities of types that the tagger does not know (${types.join(", ")})`;
    throw new CommandError(`${set.path}: holds ${content}`);
  }
  const predicted: string[][] = [];
  for (let i = 0; i < sentences.length; i += DOCUMENT) {
    const part = sentences.slice(i, i + DOCUMENT).map(({ tokens }) => ({ tokens, head }));
    predicted.push(...(await tagger.tagTokens(part)).map(({ tags }) => tags));
  }
  return {
    ...scoreSpans(gold, predicted),
    sentences: sentences.length,
    tokens: gold.reduce((sum, tags) => sum + tags.length, 0),
    types: Object.fromEntries(types.map((type) => [type, scoreSpans(gold, predicted, type)])),
    predictions: sentences.flatMap(({ lines }, i) => lines.map((line, t) => `${line}\t${predicted[i]?.[t] ?? "O"}`)),
  };
}

function headFor(types: readonly string[], lang: "ar" | "en"): string {
  if (lang === "ar") return "ar";
  return types.some((type) => SOCIAL.test(type)) ? "social" : "en";
}

function languageOf(sentences: readonly ConllSentence[]): "ar" | "en" {
  const tokens = sentences.slice(0, 200).flatMap((sentence) => sentence.tokens);
  const arabic = tokens.filter((token) => /(?=\p{Script=Arabic})\p{L}/u.test(token)).length;
  return arabic * 2 > tokens.length ? "ar" : "en";
}
