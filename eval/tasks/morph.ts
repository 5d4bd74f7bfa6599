import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { at } from "@isnad/lib/std";
import { bareForm } from "../../lib/arabic/morphology/written-forms.ts";
import type { Candidate } from "../../lib/arabic/morphology/candidates.ts";
import { encliticsOf, guessedProclitics, procliticsOf } from "../../lib/arabic/morphology/clitics.ts";
import type { Lexicon } from "../../lib/arabic/morphology/lexicon.ts";
import { morphAnswer } from "../../lib/arabic/morphology/answer.ts";
import { type MorphModel, openMorphology } from "../../lib/arabic/morphology/model.ts";
import { heldOut, sameVowels } from "../../lib/arabic/training/morph-sentences.ts";
import {
  areCliticsOf,
  isFormOf,
  isPosOf,
  readSpeech,
  type SpokenWord,
} from "../../lib/arabic/training/morph-sentences.ts";
import { readTreebank, type TreebankWord } from "../../lib/arabic/lexicon-files.ts";
import { entriesHash, type EvalTask } from "../task.ts";

const VOWELS = /[\u064e-\u0651]/u;

/**
 * Shares of words that are right. Lemmas are compared without vowels, letters folded, over words written in Arabic;
 * parts of speech over all words; roots over those that have one in the treebank. `firstLemma`: of the dictionary's
 * first analysis, context left aside.
 */
type MorphFigures = {
  size: number;
  lemma: number;
  upos: number;
  root?: number;
  firstLemma: number;
  /** The share of words with the right lemma, vowels and all, of those whose gold lemma has vowels. */
  vowels?: number;
  /** F1 of the parts into which words are cut by their clitics, article aside; where words are written with others. */
  parts?: number;
  /** One word a line: form, lemma and part of speech that were given. */
  predictions: string[];
};

/** Measures the model on sentences of gold words. Throws RangeError when there is none. */
export function evalMorph(model: MorphModel, lexicon: Lexicon, sentences: readonly TreebankWord[][]): MorphFigures {
  const counts = { words: 0, upos: 0, arabic: 0, lemma: 0, first: 0, withVowels: 0, vowels: 0, rooted: 0, root: 0 };
  const cut = { gold: 0, given: 0, both: 0 };
  const predictions: string[] = [];
  for (const sentence of sentences) {
    const readings = model.read(sentence.map(({ form }) => form));
    sentence.forEach((word, place) => {
      const { best, candidates } = at(readings, place);
      counts.words++;
      if (best.upos === word.upos) counts.upos++;
      predictions.push(`${word.form}\t${best.candidate.lemma}\t${best.upos}`);
      if (word.root !== undefined) {
        counts.rooted++;
        const { analysis } = best.candidate;
        if (analysis !== undefined && lexicon.lemma(analysis.lemma.id).root === rootLetters(word.root)) counts.root++;
      }
      if (!/[\u0621-\u064a]/u.test(word.form)) return;
      counts.arabic++;
      const [gold, given] = [ends(word.parts ?? [word.form]), ends(partsOf(word.form, best.candidate))];
      cut.gold += gold.length;
      cut.given += given.length;
      cut.both += given.filter((part) => gold.includes(part)).length;
      if (bareForm(best.candidate.lemma) === bareForm(word.lemma)) counts.lemma++;
      if (VOWELS.test(word.lemma)) {
        counts.withVowels++;
        if (sameVowels(best.candidate, word.lemma)) counts.vowels++;
      }
      if (bareForm(candidates[0]?.lemma ?? "") === bareForm(word.lemma)) counts.first++;
    });
  }
  if (counts.words === 0) throw new RangeError("no word to measure");
  return {
    size: counts.words,
    lemma: counts.lemma / counts.arabic,
    upos: counts.upos / counts.words,
    ...(counts.rooted > 0 && { root: counts.root / counts.rooted }),
    ...(counts.withVowels > 0 && { vowels: counts.vowels / counts.withVowels }),
    firstLemma: counts.first / counts.arabic,
    ...(cut.gold > counts.arabic && { parts: (2 * cut.both) / (cut.gold + cut.given) }),
    predictions,
  };
}

/** Returns a root as the lexicon writes it: letters alone, be they written with blanks or points, and one hamza. */
const rootLetters = (root: string): string => root.replace(/[\s.]/g, "").replace(/[أإآؤئ]/g, "ء");

/** The parts of a word as it is written: proclitics without the article, the word, enclitics. */
function partsOf(form: string, { analysis, before }: Candidate): string[] {
  const proclitics = analysis === undefined ? guessedProclitics(before) : procliticsOf(analysis.features);
  const lengths = proclitics.filter(({ type }) => type !== "det").map((clitic) => bareForm(clitic.form).length);
  const after = (analysis === undefined ? [] : encliticsOf(analysis.features)).map(
    (clitic) => bareForm(clitic.form).length,
  );
  const own = form.length - [...lengths, ...after].reduce((sum, length) => sum + length, 0);
  let at = 0;
  return [...lengths, own, ...after].map((length) => {
    at += length;
    return form.slice(at - length, at);
  });
}

/** Each part as where it begins and ends. */
function ends(parts: readonly string[]): string[] {
  let at = 0;
  return parts.map((part) => {
    at += part.length;
    return `${at - part.length}-${at}`;
  });
}

/**
 * Shares of words of sentences that somebody says which are right: each by itself, and in all of lemma, part of speech,
 * gender and number, and clitics.
 */
type SpeechFigures = {
  lemma: number;
  UPOS: number;
  "gender and number": number;
  clitics: number;
  whole: number;
};

/** Measures the model on sentences that somebody says. Throws RangeError when there is none. */
export function evalSpeech(
  parts: { model: MorphModel; lexicon: Lexicon },
  sentences: readonly SpokenWord[][],
): { figures: SpeechFigures; size: number; predictions: string[] } {
  const figures: SpeechFigures = { lemma: 0, UPOS: 0, "gender and number": 0, clitics: 0, whole: 0 };
  const predictions: string[] = [];
  for (const words of sentences) {
    const tokens = morphAnswer(parts, { text: words.map(({ form }) => form).join(" "), all: false });
    words.forEach((word, place) => {
      const token = at(tokens, place);
      const right = {
        lemma: word.lemmas.includes(bareForm(token.lemma)),
        UPOS: isPosOf(word, token.pos),
        "gender and number": isFormOf(word, token.features),
        clitics: areCliticsOf(word, token),
      };
      figures.lemma += Number(right.lemma);
      figures.UPOS += Number(right.UPOS);
      figures["gender and number"] += Number(right["gender and number"]);
      figures.clitics += Number(right.clitics);
      figures.whole += Number(Object.values(right).every(Boolean));
      predictions.push(`${word.form}\t${token.lemma}\t${token.pos}`);
    });
  }
  const size = predictions.length;
  if (size === 0) throw new RangeError("no word to measure");
  const share = (count: number): number => count / size;
  return {
    figures: {
      lemma: share(figures.lemma),
      UPOS: share(figures.UPOS),
      "gender and number": share(figures["gender and number"]),
      clitics: share(figures.clitics),
      whole: share(figures.whole),
    },
    size,
    predictions,
  };
}

const LEXICON = fileURLToPath(new URL("../../nlp/lexicon", import.meta.url));

/**
 * Lemma and part of speech of Arabic words. The treebank's own fifth that training leaves out is measured with the
 * treebank's words, and with the words as they are written, clitics joined.
 */
export const morph: EvalTask = {
  name: "morph",
  formats:
    "CoNLL-U: gold words, UPOS and LEMMA; Root in MISC where there is one; or a folder with speech/*.txt, as nlp/lexicon",
  sets: (data) => [
    {
      set: "UD Arabic-PUD, held-out fifth",
      path: join(data, "linguistic/ud_pud/ar_pud-ud-test.conllu"),
      part: "last-fifth",
    },
    { set: "sentences that somebody says, held-out half", path: LEXICON },
  ],
  async load() {
    const { model, lexicon } = await openMorphology();
    return {
      async measure({ path, part }) {
        if (existsSync(join(path, "speech"))) {
          const sentences = readSpeech(path, "held-out");
          return { ...evalSpeech({ model, lexicon }, sentences), corpus: entriesHash(sentences) };
        }
        const all = readTreebank(readFileSync(path, "utf8"));
        const sentences = part === undefined ? all : all.filter((_, number) => heldOut(number));
        const words = evalMorph(
          model,
          lexicon,
          sentences.map((sentence) => sentence.words),
        );
        const written = evalMorph(
          model,
          lexicon,
          sentences.map((sentence) => sentence.written),
        );
        const figures = {
          lemma: words.lemma,
          UPOS: words.upos,
          ...(words.vowels !== undefined && { "lemma, with vowels": words.vowels }),
          ...(words.root !== undefined && { root: words.root }),
          "lemma, first analysis": words.firstLemma,
          "lemma, as written": written.lemma,
          "UPOS, as written": written.upos,
          ...(written.parts !== undefined && { "clitics F1": written.parts }),
        };
        return { figures, size: words.size, predictions: words.predictions };
      },
      async close() {},
    };
  },
};
