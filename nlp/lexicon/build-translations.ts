/**
 * Makes `translations.tsv` of what stands here (senses, the analyser's lemmas, names and terms) and of the table that
 * training sharpened on parallel sentences: `bun nlp/lexicon/build-translations.ts TABLE`, where TABLE is written by
 * `python -m isnad_embed.dictionary`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { SenseEntry } from "@isnad/lib/contract";
import { analyse, normalForm, soundKey, wordTerms } from "@isnad/lib/text";
import { readEntries } from "../linguistic/lexicon-files.ts";
import { createLexicon } from "../linguistic/morph/lexicon.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const lines = (path: string): string[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** Translations of a stem with their weights. */
type Row = Map<string, number>;

/** What each source counts; a row of each source sums to one before. */
const TRUST = { learned: 1, senses: 1, lexicon: 0.4, names: 4 };
const MOST = 6;
const LEAST = 0.03;

const table = new Map<string, Row>();
const counts = new Map<string, number>();

/** Words of an English gloss that say something, as an index has them. */
function englishStems(gloss: string): string[] {
  const words = gloss.toLowerCase().match(/[\p{L}\p{N}'’.-]+/gu) ?? [];
  return words
    .flatMap((word) => word.split("-"))
    .map((word) => wordTerms(word))
    .filter(({ stop }) => !stop)
    .flatMap(({ stems }) => stems);
}

const expressions = new Set<string>();

/** The stems of the words of a text that say something. */
const stemsOf = (text: string): string[] =>
  analyse(text.replace(/\(.*?\)/g, " "))
    .filter(({ terms }) => !terms.stop)
    .flatMap(({ terms }) => terms.stems);

const stemOf = (word: string): string => wordTerms(word).stems[0] ?? "";

/** Adds the options of one source for a stem, which count so much together. */
function add(stem: string, options: Row, trust: number): void {
  const sum = [...options.values()].reduce((a, b) => a + b, 0);
  if (stem === "" || sum === 0) return;
  const row = table.get(stem) ?? new Map<string, number>();
  for (const [word, weight] of options) row.set(word, (row.get(word) ?? 0) + (trust * weight) / sum);
  table.set(stem, row);
}

function put(row: Row, gloss: string, weight: number): void {
  const stems = englishStems(gloss);
  if (stems.length > 4) return;
  for (const stem of stems) row.set(stem, (row.get(stem) ?? 0) + weight / stems.length);
}

/**
 * What was learned of a stem as far as another source says it too, or it sounds alike, as names do: training also reads
 * word lists under share-alike licences, of which nothing is to be shipped.
 */
function supported(stem: string, row: Row): Row {
  const known = table.get(stem);
  const key = soundKey(stem);
  return new Map([...row].filter(([word]) => known?.has(word) || (key !== "" && key === soundKey(word))));
}

function addLearned(path: string): void {
  const rows = new Map<string, Row>();
  for (const line of lines(path)) {
    const [word = "", count = "0", ...options] = line.split("\t");
    const stem = stemOf(word);
    const n = Number(count) + 1;
    counts.set(stem, (counts.get(stem) ?? 0) + n);
    const row = rows.get(stem) ?? new Map<string, number>();
    for (const option of options) {
      const [gloss = "", p = "0"] = option.split("=");
      put(row, gloss, n * Number(p));
    }
    rows.set(stem, row);
  }
  for (const [stem, row] of rows) add(stem, supported(stem, row), TRUST.learned);
}

function addSenses(): void {
  const byLemma = Map.groupBy(readEntries(here("senses"), SenseEntry), ({ lemma }) => lemma);
  for (const [lemma, senses] of byLemma) {
    const words = lemma.split(" ").map((word) => normalForm(word.replaceAll("`", "")));
    if (words.length > 1) {
      for (const gloss of senses.flatMap(({ en }) => en)) addExpression(lemma, gloss);
      continue;
    }
    const row: Row = new Map();
    senses.forEach(({ en }, rank) => {
      for (const gloss of en) put(row, gloss, 1 / (rank + 1) / en.length);
    });
    add(stemOf(words[0] ?? ""), row, TRUST.senses);
  }
}

/** Adds a name or term and its translation: to the table where both are one word, else to the expressions. */
function addPair(arabic: string, english: string): void {
  const [left, right] = [stemsOf(arabic), stemsOf(english)];
  if (left.length === 1 && right.length === 1) add(left[0] ?? "", new Map(right.map((stem) => [stem, 1])), TRUST.names);
  else addExpression(arabic, english);
}

function addExpression(arabic: string, english: string): void {
  const [left, right] = [stemsOf(arabic), stemsOf(english)];
  if (left.length > 0 && right.length > 0 && left.length + right.length > 2 && left.length < 5 && right.length < 7) {
    expressions.add(`${left.join(" ")}\t${right.join(" ")}`);
  }
}

function addNames(): void {
  const files = readdirSync(here("terms"))
    .sort()
    .map((name) => here(`terms/${name}`));
  for (const file of [...files, here("../training/lexicon/names.tsv")]) {
    for (const line of lines(file)) {
      const [arabic = "", english = ""] = line.split("\t");
      addPair(arabic, english);
    }
  }
  for (const type of ["region", "language", "currency"] as const) {
    const [ar, en] = ["ar", "en"].map((locale) => new Intl.DisplayNames([locale], { type, fallback: "none" }));
    for (const code of codesOf(type)) {
      const [arabic, english] = [ar?.of(code), en?.of(code)];
      if (arabic !== undefined && english !== undefined) addPair(arabic, english);
    }
  }
}

/** Codes of the letters that regions, languages and currencies have. */
function codesOf(type: "region" | "language" | "currency"): string[] {
  if (type === "currency") return Intl.supportedValuesOf("currency");
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((a) => letters.map((b) => a + b));
  return type === "region" ? codes : codes.map((code) => code.toLowerCase());
}

function addLexicon(): void {
  const stems = readFileSync(here("analyser/stems.tsv"), "utf8");
  const lexicon = createLexicon(readFileSync(here("analyser/lemmas.tsv"), "utf8"), stems);
  for (const letters of stems.split("\n").map((line) => line.split("\t")[0] ?? "")) {
    if (letters === "") continue;
    const row: Row = new Map();
    const lemmas = new Set(lexicon.stems(letters).map(({ lemma }) => lemma));
    for (const id of lemmas) {
      const { gloss, cost } = lexicon.lemma(id);
      const options = gloss
        .replace(/\(.*?\)|\[.*?\]/g, " ")
        .split(/[;,/|]/)
        .filter((part) => part.trim() !== "");
      for (const option of options) put(row, option.replaceAll("_", " "), Math.exp(-cost) / options.length);
    }
    add(letters, row, TRUST.lexicon);
  }
}

addSenses();
addLexicon();
addNames();
addLearned(process.argv[2] ?? "");

const written = [...table]
  .map(([stem, row]) => {
    const sum = [...row.values()].reduce((a, b) => a + b, 0);
    const best = [...row]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST)
      .filter(([, p]) => p / sum >= LEAST);
    return {
      stem,
      count: counts.get(stem) ?? 0,
      best: best.map(([word, p]) => `${word}:${Math.round((100 * p) / sum)}`),
    };
  })
  .filter(({ best }) => best.length > 0)
  .sort((a, b) => (a.stem < b.stem ? -1 : 1));
writeFileSync(
  here("translations.tsv"),
  written
    .map(({ stem, count, best }) => `${stem}\t${Math.round(10 * Math.log1p(count))}\t${best.join(" ")}\n`)
    .join(""),
);
writeFileSync(
  here("expressions.tsv"),
  [...expressions]
    .sort()
    .map((line) => `${line}\n`)
    .join(""),
);
