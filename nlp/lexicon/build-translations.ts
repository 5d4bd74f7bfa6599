/**
 * Makes `translations.tsv` of what stands here (senses, the analyser's lemmas, names and terms) and of the table that
 * training sharpened on parallel sentences: `bun nlp/lexicon/build-translations.ts TABLE [LEXICON]`, where TABLE is
 * written by `python -m isnad_embed.dictionary`, and LEXICON has senses, terms and names, and gets both tables.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { SenseEntry } from "@isnad/lib/contract";
import { analyse, BARE, normalForm, soundKey, wordTerms } from "@isnad/lib/text";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { analyse as analyseWord } from "../../lib/arabic/morphology/analyse.ts";
import type { Lemma } from "../../lib/arabic/morphology/lexicon.ts";
import { openAnalyser } from "../../lib/arabic/morphology/model.ts";
import { lettersOf } from "../../lib/arabic/morphology/written-forms.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const [table = "", folder = here("./")] = process.argv.slice(2);
const inFolder = (path: string): string => join(folder, path);
const lines = (path: string): string[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** Translations of a word with their weights. */
type Row = Map<string, number>;

/** Holds what each source counts in the row of a form; a row of each source sums to one before. */
const TRUST = { learned: 1, senses: 1, lexicon: 0.4, names: 4 };
const MAX_TRANSLATIONS = 6;
const LEAST = 0.03;

/** Says how much, of 2, the translations of a form differ from those of its stem where it gets a line of its own. */
const APART = 0.6;
/** Least count in the news of a form that is neither a name nor a lemma of a sense. */
const FREQUENT = 10;

/** A word without article and conjunction, with its count in the news and what each source says of it. */
type Form = { stem: string; count: number; rows: Record<keyof typeof TRUST, Row> };

const forms = new Map<string, Form>();

const formOfStem = (stem: string): Form => {
  return { stem, count: 0, rows: { learned: new Map(), senses: new Map(), lexicon: new Map(), names: new Map() } };
};

/** The form of an Arabic word; undefined for one of several, or none. */
function formOf(word: string): Form | undefined {
  const { stems, lemmas } = wordTerms(word);
  const [stem = "", ...others] = stems;
  if (stem === "" || others.length > 0) return undefined;
  const bare = lemmas[0] ?? stem;
  const cached = forms.get(bare);
  if (cached !== undefined) return cached;
  const form = formOfStem(stem);
  forms.set(bare, form);
  return form;
}

function addTo(row: Row, options: Row, weight: number): void {
  for (const [word, share] of options) row.set(word, (row.get(word) ?? 0) + weight * share);
}

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

function put(row: Row, gloss: string, weight: number): void {
  const stems = englishStems(gloss);
  if (stems.length > 4) return;
  for (const stem of stems) row.set(stem, (row.get(stem) ?? 0) + weight / stems.length);
}

/** Words of the news with their counts and what training says that they are in English. */
const learned = lines(table).map((line) => {
  const [word = "", count = "0", ...options] = line.split("\t");
  const row: Row = new Map();
  for (const option of options) {
    const [gloss = "", p = "0"] = option.split("=");
    put(row, gloss, Number(p));
  }
  return { word, count: Number(count) + 1, row };
});

function addLearned(): void {
  for (const { word, count, row } of learned) {
    const form = formOf(word);
    if (form === undefined) continue;
    form.count += count;
    addTo(form.rows.learned, row, count);
  }
}

/**
 * Returns what was learned of a form as far as another source says it of its stem too, or it sounds alike, as names do:
 * training also reads word lists under share-alike licences, of which nothing is to be shipped.
 */
function supported({ stem, rows }: Form, known: ReadonlySet<string>): Row {
  const key = soundKey(stem);
  return new Map([...rows.learned].filter(([word]) => known.has(word) || (key !== "" && key === soundKey(word))));
}

/** The English equivalents of the senses of a lemma, by its letters. */
function readSenses(): Map<string, Row> {
  const rows = new Map<string, Row>();
  const byLemma = Map.groupBy(readEntries(inFolder("senses"), SenseEntry), ({ lemma }) => lemma);
  for (const [lemma, senses] of byLemma) {
    const words = lemma.split(" ").map((word) => normalForm(word.replaceAll("`", "")));
    if (words.length > 1) {
      for (const gloss of senses.flatMap(({ en }) => en)) addExpression(lemma, gloss);
      continue;
    }
    const letters = words[0] ?? "";
    const row = rows.get(letters) ?? new Map<string, number>();
    senses.forEach(({ en }, rank) => {
      for (const gloss of en) put(row, gloss, 1 / (rank + 1) / en.length);
    });
    rows.set(letters, row);
  }
  return rows;
}

/** Adds a name or term and its translation: to the table where both are one word, else to the expressions. */
function addPair(arabic: string, english: string): void {
  const [left, right] = [stemsOf(arabic), stemsOf(english)];
  const form = left.length === 1 && right.length === 1 ? formOf(arabic) : undefined;
  if (form === undefined) addExpression(arabic, english);
  else for (const stem of right) form.rows.names.set(stem, (form.rows.names.get(stem) ?? 0) + 1);
}

function addExpression(arabic: string, english: string): void {
  const [left, right] = [stemsOf(arabic), stemsOf(english)];
  if (left.length > 0 && right.length > 0 && left.length + right.length > 2 && left.length < 5 && right.length < 7) {
    expressions.add(`${left.join(" ")}\t${right.join(" ")}`);
  }
}

function addNames(): void {
  const files = readdirSync(inFolder("terms"))
    .sort()
    .map((name) => inFolder(`terms/${name}`));
  for (const file of [...files, inFolder("../training/lexicon/names.tsv")]) {
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

/**
 * Adds the glosses and the senses of the lemmas that the analyser reads in a word, by how likely each reading is. A
 * stem that no word has gets those of the stems that are written so.
 */
function addReadings(): void {
  const { lexicon, rules } = openAnalyser();
  const senses = readSenses();
  const addLemma = ({ rows }: Form, { form, gloss }: Lemma, weight: number): void => {
    const options = gloss
      .replace(/\(.*?\)|\[.*?\]/g, " ")
      .split(/[;,/|]/)
      .filter((part) => part.trim() !== "");
    for (const option of options) put(rows.lexicon, option.replaceAll("_", " "), weight / options.length);
    addTo(rows.senses, senses.get(normalForm(lettersOf(form))) ?? new Map(), weight);
  };
  for (const word of new Set([...learned.map(({ word }) => word), ...senses.keys()])) {
    const form = formOf(word);
    if (form === undefined) continue;
    const costs = new Map<Lemma, number>();
    for (const { lemma, cost } of analyseWord(word, lexicon, rules)) {
      costs.set(lemma, Math.min(cost, costs.get(lemma) ?? Number.POSITIVE_INFINITY));
    }
    const total = [...costs.values()].reduce((sum, cost) => sum + Math.exp(-cost), 0);
    for (const [lemma, cost] of costs) addLemma(form, lemma, Math.exp(-cost) / total);
    if (costs.size === 0) addTo(form.rows.senses, senses.get(word) ?? new Map(), 1);
  }
  const met = new Set([...forms.values()].map(({ stem }) => stem));
  for (const line of readFileSync(here("analyser/stems.tsv"), "utf8").split("\n")) {
    const letters = line.split("\t")[0] ?? "";
    if (letters === "" || met.has(letters)) continue;
    const form = formOfStem(letters);
    for (const id of new Set(lexicon.stems(letters).map(({ lemma }) => lemma))) {
      const lemma = lexicon.lemma(id);
      addLemma(form, lemma, Math.exp(-lemma.cost));
    }
    // No word has this key: it stands for all that are written so.
    forms.set(`${letters} `, form);
  }
}

/** The shares of the translations of a form, over all sources. */
function sharesOf(form: Form, known: ReadonlySet<string>): Row {
  const { senses, lexicon, names } = form.rows;
  const row: Row = new Map();
  for (const [options, trust] of [
    [supported(form, known), TRUST.learned],
    [senses, TRUST.senses],
    [lexicon, TRUST.lexicon],
    [names, TRUST.names],
  ] as const) {
    const sum = [...options.values()].reduce((a, b) => a + b, 0);
    if (sum > 0) addTo(row, options, trust / sum);
  }
  const sum = [...row.values()].reduce((a, b) => a + b, 0);
  return new Map([...row].map(([word, weight]) => [word, weight / sum]));
}

/** The line of a word: its translations, the likeliest first, and those that a name or term has. */
function lineOf(word: string, count: number, row: Row, named: ReadonlySet<string>): string {
  const sum = [...row.values()].reduce((a, b) => a + b, 0);
  const best = [...row]
    .sort((a, b) => b[1] - a[1])
    .filter(([option, p], i) => (i < MAX_TRANSLATIONS && p / sum >= LEAST) || named.has(option))
    .map(([option, p]) => `${option}:${Math.max(1, Math.round((100 * p) / sum))}`);
  return best.length === 0 ? "" : `${word}\t${Math.round(10 * Math.log1p(count))}\t${best.join(" ")}\n`;
}

/** The lines of a stem, and of those of its forms that mean something else. */
function linesOf(stem: string, of: readonly (readonly [bare: string, form: Form])[]): string {
  const english = new Set(
    of.flatMap(([, { rows }]) => [rows.senses, rows.lexicon, rows.names].flatMap((row) => [...row.keys()])),
  );
  const each = of
    .map(([bare, form]) => ({ bare, form, row: sharesOf(form, english) }))
    .filter(({ row }) => row.size > 0);
  const whole: Row = new Map();
  const weight = each.reduce((sum, { form }) => sum + form.count + 1, 0);
  for (const { form, row } of each) addTo(whole, row, (form.count + 1) / weight);
  const own = each.filter(({ bare, form, row }) => {
    if (!bare.startsWith(BARE)) return false;
    const named = form.rows.names.size > 0 || form.count >= FREQUENT;
    const difference = [...new Set([...row.keys(), ...whole.keys()])].reduce(
      (sum, word) => sum + Math.abs((row.get(word) ?? 0) - (whole.get(word) ?? 0)),
      0,
    );
    return named && difference > APART;
  });
  const count = of.reduce((sum, [, form]) => sum + form.count, 0);
  const named = new Set(each.flatMap(({ form }) => [...form.rows.names.keys()]));
  return [
    lineOf(stem, count, whole, named),
    ...own.map(({ bare, form, row }) => lineOf(bare, form.count, row, new Set())),
  ].join("");
}

addReadings();
addNames();
addLearned();

const byStem = Map.groupBy(forms, ([, { stem }]) => stem);
writeFileSync(
  inFolder("translations.tsv"),
  [...byStem]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([stem, of]) => linesOf(stem, of))
    .join(""),
);
writeFileSync(
  inFolder("expressions.tsv"),
  [...expressions]
    .sort()
    .map((line) => `${line}\n`)
    .join(""),
);
