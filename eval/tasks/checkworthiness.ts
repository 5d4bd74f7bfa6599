import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, parse } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { gunzipSync } from "node:zlib";
import { type Classifier, createClassifier, type Genre, openRegistry, scriptLanguage } from "@isnad/lib/models";
import { at, isObject } from "@isnad/lib/std";
import { codePointSlice } from "@isnad/lib/text";
import { entriesHash, type EvalSet, type EvalTask } from "../task.ts";
import { readJsonLines } from "../retrieval-sets.ts";

/** Scores against labels. Rates are 0 to 1; NaN where the set has nothing to measure. */
type Measures = {
  sentences: number;
  positive: number;
  precision: number;
  recall: number;
  f1: number;
  accuracy: number;
  averagePrecision: number;
  /** Expected calibration error over ten bins of equal width (Naeini et al. 2015). */
  ece: number;
  /**
   * The same, less what a perfectly calibrated model of as many sentences shows: the mean over 200 draws of labels by
   * the scores.
   */
  eceDebiased: number;
  /** Over ten bins of equal count (Nixon et al. 2019). */
  eceAdaptive: number;
  /**
   * `ece` with positives and negatives weighed so that as many are positive as in the training set: what of the error
   * is not a different share of positives.
   */
  eceAtTrainShare: number;
};

const BINS = 10;
const DRAWS = 200;

/** Average precision of a ranking; ties keep the order of the set. */
export function averagePrecision(labels: readonly boolean[], scores: readonly number[]): number {
  const ranked = labels.map((_, i) => i).sort((a, b) => at(scores, b) - at(scores, a) || a - b);
  let hits = 0;
  let sum = 0;
  ranked.forEach((index, rank) => {
    if (!labels[index]) return;
    hits++;
    sum += hits / (rank + 1);
  });
  return sum / hits;
}

/**
 * Tells how far probabilities are from the share of positives, over bins of equal width. With `share`, positives and
 * negatives are weighed so that this share of all is positive.
 */
export function calibrationError(labels: readonly boolean[], scores: readonly number[], share?: number): number {
  const own = labels.filter(Boolean).length / labels.length;
  const weightOf = (label: boolean | undefined): number => {
    if (share === undefined) return 1;
    return label ? share / own : (1 - share) / (1 - own);
  };
  const gaps = new Float64Array(BINS);
  let weights = 0;
  scores.forEach((score, i) => {
    const bin = Math.min(Math.floor(score * BINS), BINS - 1);
    const weight = weightOf(labels[i]);
    gaps[bin] = at(gaps, bin) + (Number(labels[i]) - score) * weight;
    weights += weight;
  });
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / weights;
}

/** Tells how far probabilities are from the share of positives, over bins of equal count. */
export function adaptiveCalibrationError(labels: readonly boolean[], scores: readonly number[]): number {
  const order = scores.map((_, i) => i).sort((a, b) => at(scores, a) - at(scores, b) || a - b);
  const gaps = new Float64Array(BINS);
  order.forEach((index, rank) => {
    const bin = Math.floor((rank * BINS) / order.length);
    gaps[bin] = at(gaps, bin) + Number(labels[index]) - at(scores, index);
  });
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / scores.length;
}

/** The calibration error that labels drawn by the scores themselves would show: the part that is chance. */
function chanceError(scores: readonly number[]): number {
  let seed = 7;
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0; // linear congruential, Numerical Recipes
    return seed / 2 ** 32;
  };
  let sum = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    sum += calibrationError(
      scores.map((score) => random() < score),
      scores,
    );
  }
  return sum / DRAWS;
}

/**
 * Measures probabilities with the decision at `threshold`; `trainShare` is the share of positives in the training set.
 */
export function measure(
  labels: readonly boolean[],
  scores: readonly number[],
  threshold: number,
  trainShare: number,
): Measures {
  const decided = scores.map((score) => score >= threshold);
  const count = (wanted: (i: number) => boolean) => labels.filter((_, i) => wanted(i)).length;
  const hits = count((i) => labels[i] === true && decided[i] === true);
  const positive = count((i) => labels[i] === true);
  const said = count((i) => decided[i] === true);
  const ece = calibrationError(labels, scores);
  return {
    sentences: labels.length,
    positive,
    precision: hits / said,
    recall: hits / positive,
    f1: (2 * hits) / (said + positive),
    accuracy: count((i) => labels[i] === decided[i]) / labels.length,
    averagePrecision: averagePrecision(labels, scores),
    ece,
    eceDebiased: Math.max(0, ece - chanceError(scores)),
    eceAdaptive: adaptiveCalibrationError(labels, scores),
    eceAtTrainShare: calibrationError(labels, scores, trainShare),
  };
}

/**
 * The rows of a table whose cells are apart by tabs. A cell that begins with a quotation mark ends at the next single
 * one, may hold tabs and line feeds, and has its marks doubled (RFC 4180); in a table without `quoted` marks are
 * letters.
 */
export function tsvRows(text: string, { quoted }: { quoted: boolean }): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { cell, end } = quoted && text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    row.push(cell);
    at = end;
    if (text[at] === "\t") {
      at++;
      if (at < text.length) continue;
      row.push("");
    }
    if (text[at] === "\r") at++;
    at++;
    if (row.some((found) => found !== "")) rows.push(row);
    row = [];
  }
  return rows;
}

function plainCell(text: string, from: number): { cell: string; end: number } {
  const length = text.slice(from).search(/[\t\n]|\r\n/);
  const end = length < 0 ? text.length : from + length;
  return { cell: text.slice(from, end), end };
}

function quotedCell(text: string, from: number): { cell: string; end: number } {
  let cell = "";
  let at = from + 1;
  for (;;) {
    const mark = text.indexOf('"', at);
    if (mark < 0) return plainCell(text, from); // no cell at all: a text that begins with a mark
    cell += text.slice(at, mark);
    if (text[mark + 1] !== '"') {
      const rest = plainCell(text, mark + 1);
      return { cell: cell + rest.cell, end: rest.end };
    }
    cell += '"';
    at = mark + 2;
  }
}

/** A sentence as a set has it: `label` is undefined where the set does not tell it. */
type Sentence = { id: string; text: string; label: boolean | undefined };

const ID = /^(?:sentence_id|tweet_id|id)$/;
const TEXT = /^(?:tweet_)?text$/;
const LABEL = /^(?:class_label|label|check_worthiness)$/;
const LABELS: Readonly<Record<string, boolean>> = { yes: true, no: false, "1": true, "0": false };

/**
 * Reads the formats of check-worthiness sets: CheckThat! TSV of three columns (id, text, label) or four (id, address,
 * text, label), with or without header, cells quoted; debates of four columns (number, speaker, text, 0 or 1), not
 * quoted. A header says which columns are read, and without a label column there is one. @throws Error with the line of
 * a row that is none of these
 */
export function readSentences(content: string, name: string): Sentence[] {
  const text = content.replace(/^\ufeff/, "");
  const debate = /^\d+\t[^\t\n]*\t[^\t\n]*\t[01]\r?(?:\n|$)/.test(text);
  const rows = tsvRows(text, { quoted: !debate });
  const header = rows[0]?.map((cell) => cell.trim().toLowerCase()) ?? [];
  const textColumn = header.findIndex((cell) => TEXT.test(cell));
  const labelColumn = header.findIndex((cell) => LABEL.test(cell));
  const named = textColumn >= 0;
  const idColumn = header.findIndex((cell) => ID.test(cell));
  return (named ? rows.slice(1) : rows).map((row, i) => {
    const text = row.at(named ? textColumn : -2);
    const label =
      LABELS[
        row
          .at(named ? labelColumn : -1)
          ?.trim()
          .toLowerCase() ?? ""
      ];
    const labelled = !named || labelColumn >= 0;
    if (text === undefined || (!named && row.length < 3) || (labelled && label === undefined)) {
      const columns = named ? header.join(", ") : "id, text, label nor number, speaker, text, label";
      throw new Error(`${basename(name)}: row ${i + 1} is ${named ? "not" : "neither"} ${columns}`);
    }
    return { id: row[Math.max(0, idColumn)] ?? "", text, label: labelled ? label : undefined };
  });
}

/**
 * Holds what was measured on one file, or on a folder of debates: then `map` is the mean of the debates' average
 * precisions.
 */
type Evaluation = Measures & { set: string; lang: "ar" | "en"; threshold: number; map: number | undefined };

/** One prediction, in the order of the set; `file`: its name, where the set is a folder of several. */
type Prediction = { file: string | undefined; id: string; score: number; checkworthy: boolean };

/** Shares of positives in CheckThat! 2024 train, by language. */
const TRAIN_SHARE = { ar: 0.303, en: 0.241 };

/** The sentences of a file, or of each file (.tsv, .txt) of a folder, by file name. */
export function readSet(path: string): Map<string, Sentence[]> {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.(?:tsv|txt)$/.test(name) && !/^readme/i.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path];
  return new Map(files.map((file) => [basename(file), readSentences(readFileSync(file, "utf8"), file)]));
}

/** Scores every sentence of the files as the service does, and measures what is labelled. */
export async function evaluateCheckworthiness(
  classifier: Pick<Classifier, "classify" | "threshold">,
  files: ReadonlyMap<string, readonly Sentence[]>,
  { lang, genre = "debate", name }: { lang?: "ar" | "en"; genre?: Genre; name: string },
): Promise<{ evaluation: Evaluation; predictions: Prediction[] }> {
  const all = [...files].flatMap(([file, sentences]) =>
    sentences.map((sentence) => ({ ...sentence, file: files.size > 1 ? file : undefined })),
  );
  const read = lang ?? scriptLanguage(all.map(({ text }) => text).join("\n")) ?? "en";
  const threshold = classifier.threshold(read, genre);
  const scores = await classifier.classify(
    all.map(({ text }) => text),
    { lang: read, genre },
  );

  const labelled = all.flatMap(({ label }, i) => (label === undefined ? [] : [{ label, score: at(scores, i) }]));
  const precisions: number[] = [];
  let from = 0;
  for (const sentences of files.values()) {
    const labels = sentences.map(({ label }) => label === true);
    if (labels.includes(true)) precisions.push(averagePrecision(labels, scores.slice(from, from + sentences.length)));
    from += sentences.length;
  }
  const map = precisions.reduce((sum, value) => sum + value, 0) / precisions.length;
  const measures = measure(
    labelled.map(({ label }) => label),
    labelled.map(({ score }) => score),
    threshold,
    TRAIN_SHARE[read],
  );
  return {
    evaluation: { set: name, lang: read, threshold, ...measures, map: files.size > 1 ? map : undefined },
    predictions: all.map(({ file, id }, i) => {
      const score = at(scores, i);
      return { file, id, score, checkworthy: score >= threshold };
    }),
  };
}

const DEBATES: unknown = JSON.parse(
  readFileSync(new URL("../../nlp/training/isnad_check/held-out-debates.json", import.meta.url), "utf8"),
);

/** The debates of a folder that the shipped model was not trained on, by file name. */
export function heldOutDebates(folder: string): Map<string, Sentence[]> {
  const names = new Set(Array.isArray(DEBATES) ? DEBATES : []);
  return new Map([...readSet(folder)].filter(([file]) => names.has(parse(file).name)));
}

/** Our own sentences in a language, of the topics of which the shipped model has seen none. */
export function heldOutClaims(folder: string, lang: "ar" | "en"): Sentence[] {
  const topics: Record<string, { held_out: boolean }> = JSON.parse(readFileSync(join(folder, "topics.json"), "utf8"));
  return Object.entries(topics)
    .filter(([, topic]) => topic.held_out)
    .flatMap(([topic]) => readJsonLines(join(folder, `${topic}.${lang}.jsonl`)))
    .map(({ id, text, label }) => ({ id: String(id), text: String(text), label: label === "claim" }));
}

/** Files of the folder `news` that hold the judged articles. */
const ARTICLES = { ar: ["ant_v2_ar", "ant_v1_ar"], en: ["english"] } as const;

/** A sentence of an article: code points of its text, in which every run of white space is one space. */
type Judged = { id: string; start: number; end: number; sha256: string; label: string };

/**
 * Returns the sentences of real articles that were judged and never trained on, of papers of their own.
 * @throws Error for an article that is not there, or reads otherwise
 */
export function judgedSentences(labels: string, news: string, lang: "ar" | "en"): Sentence[] {
  const judged = readJsonLines(join(labels, `held-out.${lang}.jsonl`)).map(judgedOf);
  const wanted = new Set(judged.map(({ id }) => id));
  const texts = new Map<string, string>();
  for (const name of ARTICLES[lang]) {
    for (const line of gunzipSync(readFileSync(join(news, `${name}.jsonl.gz`)))
      .toString("utf8")
      .split("\n")) {
      const id = /"id": ?"([^"]*)"/.exec(line.slice(0, ID_WITHIN))?.[1];
      if (id !== undefined && wanted.has(id)) texts.set(id, textOf(line).replace(/\s+/g, " ").trim());
    }
  }
  return judged.map(({ id, start, end, sha256, label }) => {
    const text = codePointSlice(texts.get(id) ?? "", start, end);
    const hash = createHash("sha256").update(text).digest("hex");
    if (!hash.startsWith(sha256)) throw new Error(`${id} is not the article that was judged`);
    return { id: `${id}:${start}`, text, label: label === "claim" };
  });
}

/** UTF-16 units of a line within which the id of its article stands. */
const ID_WITHIN = 200;

function judgedOf(row: Record<string, unknown>): Judged {
  const { id, start, end, sha256, label } = row;
  return { id: String(id), start: Number(start), end: Number(end), sha256: String(sha256), label: String(label) };
}

function textOf(line: string): string {
  const row: unknown = JSON.parse(line);
  return isObject(row) ? String(row.text) : "";
}

/** A diagnosis beside the plain error: what would be left of it if as many sentences were positive as in train. */
const EQUAL_SHARE = "ECE at train's share";

/** Our own sentences and posts, whose labels follow the rule that the model has learned for the news. */
const CLAIMS = fileURLToPath(new URL("../../nlp/lexicon/claims", import.meta.url));
const POSTS = fileURLToPath(new URL("../../nlp/lexicon/posts", import.meta.url));
const JUDGED = fileURLToPath(new URL("../../nlp/lexicon/judged", import.meta.url));
const isOwn = (path: string): boolean => path === CLAIMS || path === POSTS;

/** The classifier of check-worthiness, as the service scores. */
export const checkworthiness: EvalTask = {
  name: "checkworthiness",
  formats: "a CheckThat! TSV with or without header, a TSV of a debate, or a folder of debates",
  sets: (data) => {
    const folder = join(data, "checkworthiness");
    return [
      { set: "CheckThat! 2024 en dev-test", path: join(folder, "en/ct24_dev-test.tsv"), lang: "en" },
      { set: "CheckThat! 2024 ar dev", path: join(folder, "ar/ct24_dev.tsv"), lang: "ar" },
      { set: "CheckThat! 2024 ar dev-test", path: join(folder, "ar/ct24_dev-test.tsv"), lang: "ar" },
      { set: "own sentences en, topics held out", path: CLAIMS, lang: "en", genre: "news", heldOut: true },
      { set: "own sentences ar, topics held out", path: CLAIMS, lang: "ar", genre: "news", heldOut: true },
      { set: "own posts ar, topics held out", path: POSTS, lang: "ar", genre: "news", heldOut: true },
      { set: "real news en, papers held out", path: join(data, "news"), lang: "en", genre: "news", heldOut: true },
      { set: "real news ar, papers held out", path: join(data, "news"), lang: "ar", genre: "news", heldOut: true },
      {
        set: "debates 2019, four held out",
        path: join(folder, "debates_2019/data/training"),
        lang: "en",
        heldOut: true,
      },
    ];
  },
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const model = await createClassifier({ registry, maxQueue: 200_000, timeoutMs: 600_000 });
    return {
      async measure(given) {
        const { set, lang, genre } = given;
        const files = filesOf(given);
        const { evaluation, predictions } = await evaluateCheckworthiness(model, files, {
          name: set,
          ...(genre !== undefined && { genre }),
          ...(lang !== undefined && { lang }),
        });
        const { precision, recall, f1, accuracy, averagePrecision, map, ece, eceAtTrainShare } = evaluation;
        const debates = map !== undefined;
        const said = predictions.filter(({ checkworthy }) => checkworthy).length;
        const figures: Record<string, number> = debates
          ? { MAP: map }
          : {
              F1: f1,
              P: precision,
              R: recall,
              accuracy,
              AP: averagePrecision,
              ECE: ece,
              [EQUAL_SHARE]: eceAtTrainShare,
              yes: said / evaluation.sentences,
              claims: evaluation.positive / evaluation.sentences,
            };
        return {
          figures,
          size: evaluation.sentences,
          predictions: predictions.map(({ file, id, score, checkworthy }) =>
            [...(file === undefined ? [] : [file]), id, score, checkworthy ? "Yes" : "No"].join("\t"),
          ),
          ...(given.genre === "news" && { corpus: entriesHash([...files.values()]) }),
        };
      },
      close: () => model.close(),
    };
  },
};

function filesOf({ path, lang, heldOut }: Pick<EvalSet, "path" | "lang" | "heldOut">): Map<string, Sentence[]> {
  if (heldOut !== true) return readSet(path);
  if (basename(path) === "news") return new Map([["real news", judgedSentences(JUDGED, path, lang ?? "en")]]);
  return isOwn(path) ? new Map([["own sentences", heldOutClaims(path, lang ?? "en")]]) : heldOutDebates(path);
}
