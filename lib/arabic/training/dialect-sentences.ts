import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { DialectSentence, LexiconSubjects } from "../../contract/mod.ts";
import { codePointLength, sentences } from "../../text/mod.ts";
import { DIALECTS } from "../dialect/identify.ts";
import { readEntries, readTreebank } from "../lexicon-files.ts";

const Dialect = z.enum(DIALECTS);

/** A sentence and the Arabic that it is in. */
export type RegionSentence = { dialect: z.output<typeof Dialect>; text: string };

/** Says whether sentences are for training or for measuring. */
type Part = "train" | "held-out";

/** Returns the sentences of nlp/lexicon/regions. Throws where a line is not `dialect`, a tab, and a text. */
export function readRegionSentences(folder: string, part: Part): RegionSentence[] {
  return readPairs(join(folder, `${part}.tsv`));
}

/** Returns the words that mark a dialect. */
export function readRegionWords(folder: string): RegionSentence[] {
  return readPairs(join(folder, "words.tsv"));
}

function readPairs(path: string): RegionSentence[] {
  return linesOf(readFileSync(path, "utf8")).map((line) => {
    const [dialect, text = ""] = line.split("\t");
    return { dialect: Dialect.parse(dialect), text };
  });
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/**
 * Sentences that are taken of each corpus: for training no more than were written of other dialects, lest every word
 * that those do not have is Levantine.
 */
const TAKEN = { train: { shami: 35, levantine: 60, news: 75, tatoeba: 150 }, "held-out": { shami: 150, pud: 450 } };

/** Letters of a sentence of a corpus: shorter ones are cries, longer ones articles. */
const LENGTHS = { least: 20, most: 250 };

const LEXICON = fileURLToPath(new URL("../../../nlp/lexicon/", import.meta.url));

/** Returns the sentences of public corpora, none of which is for both parts; text of news is for training alone. */
export function sharedSentences(data: string, part: Part): RegionSentence[] {
  const read = (...path: string[]): string => readFileSync(join(data, "linguistic", ...path), "utf8");
  const shami = ["Lebanees.txt", "Palestinian.txt", "jordinian.txt"].flatMap((name) =>
    taken(linesOf(read("shami_corpus", name)), part),
  );
  const levantine = [...shami, ...(part === "train" ? spread(ownLevantine(), TAKEN.train.levantine) : [])];
  if (part === "held-out") {
    levantine.push(...treebankTexts(read("ud_south_levantine", "ajp_madar-ud-test.conllu")));
  }
  const msa =
    part === "train"
      ? [
          ...["ant_v1_ar", "ant_v2_ar"].flatMap((name) => newsSentences(join(data, "news", `${name}.jsonl.gz`))),
          ...everydaySentences(join(data, "parallel", "tatoeba_manythings", "en-ar.tsv")),
        ]
      : treebankTexts(read("ud_pud", "ar_pud-ud-test.conllu")).slice(0, TAKEN["held-out"].pud);
  return [
    ...levantine.map((text) => ({ dialect: "levantine" as const, text })),
    ...msa.map((text) => ({ dialect: "msa" as const, text })),
  ];
}

function treebankTexts(conllu: string): string[] {
  return readTreebank(conllu).map(({ written }) => written.map(({ form }) => form).join(" "));
}

/** Returns sentences of a corpus, spread over it: those of the two parts are not the same. */
function taken(lines: readonly string[], part: Part): string[] {
  const fitting = lines.filter((line) => {
    const length = codePointLength(line);
    return length >= LENGTHS.least && length <= LENGTHS.most;
  });
  const own = fitting.filter((_, place) => (place % 2 === 0) === (part === "train"));
  return spread(own, TAKEN[part].shami);
}

/** Returns so many items, evenly spread over a list. */
function spread<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, place) => place % step === 0).slice(0, count);
}

/** Returns Arabic sides of pairs of everyday sentences, which are in the standard language. */
function everydaySentences(path: string): string[] {
  const texts = linesOf(readFileSync(path, "utf8")).map((line) => line.split("\t")[1] ?? "");
  return spread(
    texts.filter((text) => codePointLength(text) >= LENGTHS.least),
    TAKEN.train.tatoeba,
  );
}

/**
 * Returns frames of words filled in with stems: `frames.tsv` has a dialect and a frame a line, `stems.tsv` a part of
 * speech, and the perfect and imperfect of a verb or a noun twice. Of all that can be made every third is.
 */
export function readRegionForms(folder: string): RegionSentence[] {
  const stems = linesOf(readFileSync(join(folder, "stems.tsv"), "utf8")).map((line) => line.split("\t"));
  return readPairs(join(folder, "frames.tsv"))
    .flatMap(({ dialect, text }) =>
      stems
        .filter(([pos]) => (pos === "noun") === text.includes("{N}"))
        .map(([, first = "", second = ""]) => ({
          dialect,
          text: text.replace("{I}", second).replace("{P}", first).replace("{N}", first),
        })),
    )
    .filter((_, place) => place % 3 === 0);
}

/** Returns the Levantine sentences that ship, of subjects that training may read. */
function ownLevantine(): string[] {
  const { dialect } = LexiconSubjects.parse(JSON.parse(readFileSync(join(LEXICON, "subjects.json"), "utf8")));
  return readEntries(join(LEXICON, "dialect"), DialectSentence)
    .filter(({ id }) => dialect[id.replace(/-\d+$/, "")]?.held_out === false)
    .map(({ text }) => text);
}

const Article = z.object({ text: z.string() });

function newsSentences(path: string): string[] {
  const articles = linesOf(gunzipSync(readFileSync(path)).toString("utf8"));
  return spread(articles, TAKEN.train.news).flatMap((line) => {
    const { text } = Article.parse(JSON.parse(line));
    const points = [...text];
    const spans = sentences(text).filter(({ start, end }) => end - start >= LENGTHS.least);
    const span = spans[Math.floor(spans.length / 2)];
    return span === undefined ? [] : [points.slice(span.start, Math.min(span.end, span.start + LENGTHS.most)).join("")];
  });
}
