import { sentenceFeatures, windowFeatures } from "./attributes.ts";
import { bestPath, type TagSpan } from "./chain.ts";
import type { Lexicon, WordFacts } from "./lexicon.ts";
import type { TagChain, TaggerParts } from "./read-tagger.ts";
import { withProbabilities } from "./span-probability.ts";
import { spansOf } from "./spans.ts";

/** The answer for one sentence: a BIO tag a token, and the spans with calibrated probabilities. */
export type TaggedSentence = { tags: string[]; spans: TagSpan[] };

/** Sums the rows of the model's table for each token: `stride` scores a token. */
export type Score = (rows: readonly (readonly number[])[]) => Promise<{ scores: Float32Array; stride: number }>;

/** A sentence on its way: its words, and the features that do not depend on a chain. */
type Prepared = { facts: readonly WordFacts[]; features: readonly (readonly number[])[] };

/**
 * Tags sentences by one chain: first by the chains it uses, whose tags are features of it, as are the known names in the sentence (stacking;
 * Cohen and Carvalho, "Stacked Sequential Learning", 2005).
 */
export async function tagSentences(
  { chains, names }: TaggerParts,
  lexicon: Lexicon,
  score: Score,
  chain: TagChain,
  sentences: readonly (readonly string[])[],
): Promise<TaggedSentence[]> {
  const prepared = sentences.map((tokens): Prepared => {
    const facts = tokens.map(lexicon.facts);
    return { facts, features: sentenceFeatures(facts) };
  });
  const found = new Map<string, string[][]>();
  for (const { chain: name } of chain.uses) {
    const used = name === undefined ? undefined : chains.get(name);
    if (name === undefined || used === undefined || found.has(name)) continue;
    const paths = await decode(
      used,
      score,
      prepared.map(({ features }) => features),
    );
    found.set(
      name,
      paths.map(({ tags }) => tags),
    );
  }
  const features = prepared.map(({ facts, features: own }, place) => {
    const windows = chain.uses.map((use) => {
      const list = names.get(use.names);
      const covered = list?.cover(facts.map(({ word }) => word)) ?? [];
      const single = facts.map(({ word, stem }) => {
        const label = list?.word(word) ?? "";
        return label !== "" ? label : stem === "-" ? "" : `s${list?.word(stem) ?? ""}`;
      });
      const tags = use.chain === undefined ? undefined : found.get(use.chain)?.[place];
      return [
        ...(tags === undefined ? [] : [windowFeatures(`ax${use.chain}`, tags)]),
        windowFeatures(`gz${use.names}`, covered),
        windowFeatures(`gt${use.names}`, single),
      ];
    });
    return own.map((list, t) => [...list, ...windows.flat().flatMap((window) => window[t] ?? [])]);
  });
  const decoded = await decode(chain, score, features);
  return decoded.map(({ tags, spans }) => ({ tags, spans: spans() }));
}

type Decoded = { tags: string[]; spans(): TagSpan[] };

/** The best tags of each sentence, and on demand the spans with their probabilities. */
async function decode(
  chain: TagChain,
  score: Score,
  features: readonly (readonly (readonly number[])[])[],
): Promise<Decoded[]> {
  const rows = features.flatMap((sentence) =>
    sentence.map((token) => {
      const known: number[] = [];
      for (const hash of token) {
        const row = chain.rows.get(hash);
        if (row !== undefined) known.push(row);
      }
      return known;
    }),
  );
  const { scores, stride } = await score(rows);
  let next = 0;
  return features.map((sentence) => {
    const at = { scores, offset: next * stride, stride, length: sentence.length };
    next += sentence.length;
    const tags = bestPath(chain, at).map((label) => chain.labels[label] ?? "O");
    const spans = () =>
      withProbabilities(chain, at, spansOf(tags)).map((span) => ({
        ...span,
        probability: calibrated(span.probability, chain),
      }));
    return { tags, spans };
  });
}

function calibrated(probability: number, { scale, bias }: { scale: number; bias: number }): number {
  const p = Math.min(1 - 1e-6, Math.max(1e-6, probability));
  return 1 / (1 + Math.exp(-(scale * Math.log(p / (1 - p)) + bias)));
}
