import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import type { SenseEntry } from "../../contract/mod.ts";
import type { Embedder, SenseEncoder } from "../../models/mod.ts";
import { at, mapInSlices } from "../../std/mod.ts";
import type { MorphToken } from "../morphology/answer.ts";
import { bareForm } from "../morphology/written-forms.ts";
import { lemmaMatch, openRareSenses } from "./inventory.ts";
import type { SenseVectors, SenseWeights } from "./sense-vectors.ts";

/** Texts that are embedded in one call. */
const BATCH = 64;

/** Senses whose vectors are kept between calls. */
const REMEMBERED = 20_000;

/** The words around one whose senses are asked for. */
type InContext = { context: string; senses: readonly SenseEntry[] };

/**
 * Makes a function that says how like each sense of each word is to the words around it: the cosine of the context and
 * the gloss with the English equivalents (Basile, Caputo and Semeraro, "An Enhanced Lesk Word Sense Disambiguation
 * Algorithm through a Distributional Semantic Model", 2014). Vectors of senses are kept once made.
 */
export function createLikeness(
  embedder: Pick<Embedder, "embed">,
): (words: readonly InContext[], signal?: AbortSignal) => Promise<number[][]> {
  const known = new Map<string, Float32Array>();

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const made: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH) {
      made.push(...(await embedder.embed(texts.slice(start, start + BATCH), "passage", signal)));
    }
    return made;
  }

  return async (words, signal) => {
    if (known.size > REMEMBERED) known.clear();
    const fresh = [...new Set(words.flatMap(({ senses }) => senses))].filter(({ id }) => !known.has(id));
    const made = await embed(
      fresh.map(({ gloss, en }) => `${gloss} ${en.join(" ")}`),
      signal,
    );
    for (const [place, { id }] of fresh.entries()) known.set(id, at(made, place));
    const contexts = await embed(
      words.map(({ context }) => context),
      signal,
    );
    return words.map(({ senses }, place) => senses.map(({ id }) => cosine(at(contexts, place), known.get(id))));
  };
}

/** Of vectors of length 1. */
export function cosine(a: Float32Array, b: Float32Array | undefined): number {
  let dot = 0;
  if (b !== undefined) for (let i = 0; i < a.length; i++) dot += at(a, i) * at(b, i);
  return dot;
}

/** A word whose sense is asked for, and its senses, the most frequent first. */
export type Ambiguous = {
  /** The words of its sentence; words of one sentence share the array, and stand in their order. */
  sentence: readonly string[];
  /** Says where among them it is. */
  place: number;
  /** The words around it. */
  context: string;
  /** Its lemma, with the vowels that it has in its sentence. */
  lemma: string;
  senses: readonly SenseEntry[];
  /** Holds what stands around it, as `signsAround` tells it. */
  signs: ReadonlySet<string>;
};

/** Chooses senses by what they mean. */
export type SenseChooser = {
  /** Returns the sense of each word: the one that its sentence speaks for most. */
  choose(words: readonly Ambiguous[], signal?: AbortSignal): Promise<SenseEntry[]>;
};

/**
 * Holds what the chooser reads with: an embedder of texts, a model of words in sentences, and its vectors of senses;
 * `rare`: the ids of senses that news hardly ever means; `priors`: how often it means others.
 */
type SenseReaders = {
  rare?: ReadonlySet<string>;
  priors?: SensePriors;
  embedder: Pick<Embedder, "embed">;
  encoder: Pick<SenseEncoder, "encode">;
  vectors: SenseVectors;
};

/** Holds what speaks for a sense. */
type SenseSigns = {
  /** Cosine of the word in its sentence and the gloss. */
  fit: number;
  /** Says how like the gloss is to the words around. */
  likeness: number;
  /** Its place among the senses of the word, 0 the most frequent. */
  rank: number;
  /** True when it is of a lemma with the same letters, and with the same vowels. */
  letters: boolean;
  vowels: boolean;
};

/** Holds what a sense without a vector loses by each place down the list, in likeness, and what one that is rare. */
const RANK = 0.02;
const RARE_LIKENESS = 0.15;

/**
 * Holds what a rare sense loses besides. The weights are learned on examples, as many of one sense as of another, and
 * news is not like that: set on 15 of its articles, read by eye, of whose ambiguous words .840 are right without it,
 * .906 with.
 */
const RARE = 2;

/** Says up to which share, as a logarithm, a sense that is listed as rare loses that, too: battle day, of day. */
const RARE_SHARE = Math.log(0.02);

/**
 * Holds what the logarithm of a sense's share in news weighs, which stands for its rank and rarity where it is known,
 * and what it gains and loses by the words behind it. Both were set on 110 words of news, read by eye.
 */
const PRIOR = 0.6;
const FRAME = { stands: 2, lacks: 1 };

/** Holds what the same weighs where there is no vector: likeness is a twelfth of a score. */
const LIKENESS_SCALE = 12;

/**
 * Makes the chooser. A gloss is compared with the word's own state in its sentence (as in Blevins and Zettlemoyer,
 * "Moving Down the Long Tail of Word Sense Disambiguation with Gloss Informed Bi-encoders", 2020) and with the words
 * around it. Where a sense of a word has no vector yet, the words around alone decide.
 */
export function createSenseChooser({
  embedder,
  encoder,
  vectors,
  rare = openRareSenses(),
  priors = openSensePriors(),
}: SenseReaders): SenseChooser {
  const likenessOf = createLikeness(embedder);

  /** Returns the states of those words of whose senses one has a vector. */
  async function statesOf(
    words: readonly Ambiguous[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<Ambiguous, Float32Array>> {
    const known = words.filter(({ senses }) => senses.some((sense) => vectors.of(sense) !== undefined));
    // Sentences of the same words are read once.
    const texts = new Map([...new Set(known.map(({ sentence }) => sentence))].map((words) => [words, words.join(" ")]));
    const groups = [...Map.groupBy(known, ({ sentence }) => texts.get(sentence)).values()];
    const asked = groups.map((own) => ({
      words: at(own, 0).sentence,
      places: [...new Set(own.map(({ place }) => place))].sort((a, b) => a - b),
    }));
    const states = await encoder.encode(asked, signal);
    return new Map(
      groups.flatMap((own, number) => {
        const index = new Map(at(asked, number).places.map((place, i) => [place, i]));
        return own.map((word) => [word, at(at(states, number), index.get(word.place) ?? -1)] as const);
      }),
    );
  }

  return {
    async choose(words, signal) {
      const [likenesses, states] = await Promise.all([likenessOf(words, signal), statesOf(words, signal)]);
      return await mapInSlices([...words.entries()], ([place, word]) => {
        const state = states.get(word);
        const shares = priors.of(word.senses);
        const fits = state === undefined ? [] : fitsOf(state, word.senses, vectors);
        const frames = priors.frames(word.senses, word.signs);
        const scores = word.senses.map((sense, rank) => {
          const likeness = at(at(likenesses, place), rank);
          const frame = at(frames, rank);
          const share = shares === undefined ? undefined : at(shares, rank);
          const framed = frame > 0 ? FRAME.stands : frame < 0 ? -FRAME.lacks : 0;
          const isRare = rare.has(sense.id) && (share === undefined || share <= RARE_SHARE);
          if (state === undefined) {
            const prior = share === undefined ? -RANK * rank : (PRIOR * share) / LIKENESS_SCALE;
            return likeness + prior + framed / LIKENESS_SCALE - (isRare ? RARE_LIKENESS : 0);
          }
          const signs = {
            fit: at(fits, rank),
            likeness,
            rank: share === undefined ? rank : 0,
            ...lemmaMatch(word.lemma, sense.lemma),
          };
          const prior = share === undefined ? 0 : PRIOR * share;
          return senseScore(signs, vectors.weights) + prior + framed - (isRare ? RARE : 0);
        });
        return at(word.senses, scores.indexOf(Math.max(...scores)));
      });
    },
  };
}

/**
 * Returns the cosines of a word's state and the glosses of its senses; what has no vector yet fits as the others do on
 * average.
 */
function fitsOf(state: Float32Array, senses: readonly SenseEntry[], vectors: SenseVectors): number[] {
  const own = senses.map((sense) => vectors.of(sense));
  const known = own.flatMap((vector) => (vector === undefined ? [] : [cosine(state, vector)]));
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
  return own.map((vector) => (vector === undefined ? mean : cosine(state, vector)));
}

/** Tells how much speaks for a sense: a weighted sum. */
export function senseScore({ fit, likeness, rank, letters, vowels }: SenseSigns, weights: SenseWeights): number {
  return (
    weights.fit * fit +
    weights.likeness * likeness +
    weights.rank * rank +
    (letters ? weights.letters : 0) +
    (vowels ? weights.vowels : 0)
  );
}

const LEXICON = fileURLToPath(new URL("../../../nlp/lexicon/", import.meta.url));

/** The files of a lexicon that say how often news means a sense, and what stands behind a word in it. */
const SHARES = "sense-shares.tsv";
const FRAMES = "sense-frames.tsv";

/** Says how likely senses are before their sentence is read, and by the words that are joined to them. */
type SensePriors = {
  /**
   * Returns the natural logarithms of the shares of a word's senses in news, in their order; undefined where none is
   * known.
   */
  of(senses: readonly SenseEntry[]): number[] | undefined;
  /** Tells of each sense whether what it takes stands behind the word: 1 it does, -1 not, 0 where it takes nothing. */
  frames(senses: readonly SenseEntry[], behind: ReadonlySet<string>): number[];
};

/** Percents that a sense has at least, and one whose share nobody told beside others. */
const MIN_SHARE = 2;
const UNTOLD_SHARE = 3;

/** Makes priors from shares in percent and from what senses take, by their ids. */
export function createSensePriors(
  shares: ReadonlyMap<string, number>,
  taken: ReadonlyMap<string, readonly string[]>,
): SensePriors {
  return {
    of(senses) {
      if (!senses.some(({ id }) => shares.has(id))) return undefined;
      return senses.map(({ id }) => Math.log(Math.max(MIN_SHARE, shares.get(id) ?? UNTOLD_SHARE) / 100));
    },
    frames: (senses, behind) =>
      senses.map(({ id }) => {
        const signs = taken.get(id);
        if (signs === undefined) return 0;
        return signs.some((sign) => behind.has(sign)) ? 1 : -1;
      }),
  };
}

/** Opens the priors that ship. Throws when a file cannot be read. */
export function openSensePriors(): SensePriors {
  const lines = (file: string): string[][] =>
    readFileSync(join(LEXICON, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
  return createSensePriors(
    new Map(lines(SHARES).map(([id = "", share = ""]) => [id, Number(share)])),
    new Map(lines(FRAMES).map(([id = "", signs = ""]) => [id, signs.split(" ").map(signOf)])),
  );
}

const KINDS: ReadonlySet<string> = new Set(["perfect", "imperfect", "number", "quote", "negated", "alone"]);
const signOf = (sign: string): string => (KINDS.has(sign) ? sign : bareForm(sign));

/** Words behind one among which what it takes is looked for. */
const REACH = 6;

const JOINED: ReadonlySet<string> = new Set(["ب", "ل"]);
const PREPOSITIONS: ReadonlySet<string> = new Set(["على", "عن", "من", "في", "إلى", "ب", "ل"].map(bareForm));

/** Particles that deny the verb behind them, and parts of speech of what an adjective belongs to. */
const NEGATION: ReadonlySet<string> = new Set(["لم", "لن", "لا", "ما"]);
const HEADS: ReadonlySet<string> = new Set(["NOUN", "PROPN", "ADJ", "NUM", "X"]);

/**
 * Returns what stands behind the words of a text from `from` to `to`, exclusive, as far as a verb or a sign:
 * prepositions and أن by their letters, `perfect`, `imperfect`, `number` or `quote` where the next word is such; and
 * what stands before them: `negated` behind a particle, `alone` where no noun does.
 */
export function signsAround(tokens: readonly MorphToken[], { from, to }: { from: number; to: number }): Set<string> {
  const signs = new Set<string>();
  const before = from > 0 ? at(tokens, from - 1) : undefined;
  if (before !== undefined && NEGATION.has(bareForm(before.lemma))) signs.add("negated");
  if (before === undefined || !HEADS.has(before.pos)) signs.add("alone");
  const { sentence } = at(tokens, to - 1);
  for (let place = to; place < Math.min(tokens.length, to + REACH); place++) {
    const token = at(tokens, place);
    if (token.sentence !== sentence) break;
    const isNext = place === to;
    if (isNext && token.features.aspect === "imp") signs.add("imperfect");
    if (isNext && token.features.aspect === "perf") signs.add("perfect");
    if (isNext && token.pos === "NUM") signs.add("number");
    if (isNext && /^[:"«“]$/u.test(token.token)) signs.add("quote");
    const lemma = bareForm(token.lemma);
    if (lemma === "ان" || PREPOSITIONS.has(lemma)) signs.add(lemma);
    for (const { form } of token.proclitics) if (JOINED.has(bareForm(form))) signs.add(bareForm(form));
    if (token.pos === "VERB" || token.pos === "AUX" || (token.pos === "PUNCT" && !/^["«“]$/u.test(token.token))) break;
  }
  return signs;
}
