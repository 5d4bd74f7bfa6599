/**
 * Derives the tables of `analyser/` from the CAMeL morphological lexicon of MSA: stems, lemmas, and the rules by which
 * clitics and endings are joined to stems. Run with `bun nlp/lexicon/build-analyser.ts [FOLDER]`; needs ../shared/data
 * (or ISNAD_SHARED). What the columns mean: README.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { gunzipSync } from "node:zlib";
import { normalForm } from "@isnad/lib/text";
import { SenseEntry } from "@isnad/lib/contract";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { sealTables } from "../../lib/arabic/morphology/lexicon.ts";
import { lettersOf, vowelForm, vowelled } from "../../lib/arabic/morphology/written-forms.ts";
import { clauses, passiveStems, readTable, resolveElse } from "./passives.ts";

type Row = Record<string, string>;

/** A morpheme of a class: its form in Buckwalter's transliteration, what it asks for and brings, its features. */
type Morpheme = { form: string; asks: string[][]; brings: string[]; features: string };

/** Holds what stems have in common that are joined alike. */
type Signature = { stemClass: string; asks: string[][]; brings: string[]; features: string; pos: string };

/** Holds a gloss of a row, and whether the row is of a plural. */
type Gloss = { text: string; isPlural: boolean };

/** A way to build a word: classes before the stem, those of stem and buffer, classes after it. */
type Order = { prefix: string[]; stem: string; buffer: string; suffix: string[]; pos: string };

const here = fileURLToPath(new URL("./", import.meta.url));
const shared = process.env.ISNAD_SHARED ?? join(here, "../../../shared");
const folder = join(shared, "data/linguistic/camel_morph_msa");

/** Files of stems with the class that stands in for one that they do not name. */
const STEM_FILES: readonly (readonly [string, string])[] = [
  ["lemmas_to_patternize.tsv.gz", "[STEM-NOM]"],
  ["MSA-Adj-LEX.csv", "[STEM-ADJ]"],
  ["MSA-Adj-Comp-LEX.csv", "[STEM-NOM]"],
  ["MSA-Adj-Num-LEX.csv", "[STEM-NOM]"],
  ["MSA-Noun-Num-LEX.csv", "[STEM-NOM]"],
  ["MSA-Noun-Quant-LEX.csv", "[STEM-NOM]"],
  ["MSA-Noun-Prop-LEX.csv", "[STEM-NOM]"],
  ["MSA-Verb-LEX-PV.csv", "[STEM-PV]"],
  ["MSA-Verb-LEX-IV.csv", "[STEM-IV]"],
  ["MSA-Verb-LEX-CV.csv", "[STEM-CV]"],
  ["MSA-Other-LEX.csv", "[STEM]"],
];

/**
 * Words of our own that the lexicon lacks, in the columns of its first file, and its own that news uses more than it
 * says. CLASS and COST may be empty: a noun or adjective, and {@link LISTED_COST}.
 */
const MISSING = join(here, "missing-stems.tsv");

/** Roots of weak words that the lexicon has otherwise than dictionaries, by lemma and part of speech. */
const ROOTS = join(here, "root-corrections.tsv");

/** Meanings of a lemma whose glosses are kept: a lexeme has a row for each. */
const MEANINGS = 4;

/** Cost of a lemma that was not counted: half as likely as the rarest that was. */
const UNSEEN = 32;

/** The most that a lemma costs which our own list has: it stands there because news uses it. */
const LISTED_COST = 23;

/**
 * The most that one costs which our inventory of senses has, as words of news. On the four fifths of the treebank that
 * are no test, .9502, .9503, .9505, .9505 and .9497 of first lemmas are right with 25, 27, 29, 31 and without it.
 */
const DEFINED_COST = 29;

/** Moods that news does not use, and spellings that the lexicon marks as wrong, are left out. */
const LEFT_OUT = /ENER|\bVAR\b/;

const probabilities = lemmaProbabilities();
const defined = definedLemmas();
const roots = new Map(
  readTable(readFileSync(ROOTS, "utf8"), "\t").map(({ LEMMA = "", POS = "", ROOT = "" }) => [`${LEMMA} ${POS}`, ROOT]),
);
const lemmas = new Map<string, number>();
const lemmaList: { id: string; cost: number; glosses: Gloss[] }[] = [];
const signatures = new Map<string, Signature & { number: number }>();
const stems = new Map<string, string[]>();

for (const [file, fallback] of STEM_FILES) {
  for (const row of readTable(read(file), file.includes(".tsv") ? "\t" : ",")) {
    // Adjectives have a file of their own, with more of them.
    if (!file.startsWith("lemmas_to") || posOf(row) !== "adj") addStems(row, fallback);
  }
}
for (const row of readTable(readFileSync(MISSING, "utf8"), "\t")) {
  addStems(row, "[STEM-NOM]");
  const lemma = lemmaList[lemmaOf(row, posOf(row) ?? "")];
  if (lemma !== undefined) lemma.cost = Math.min(lemma.cost, (Number(row.COST) || LISTED_COST) * 10);
}

const out = process.argv[2] ?? join(here, "analyser");
mkdirSync(out, { recursive: true });
const conditions = conditionNumbers();
writeFileSync(join(out, "rules.json"), `${JSON.stringify(rules(conditions))}\n`);
writeFileSync(join(out, "lemmas.tsv"), lemmaLines());
writeFileSync(
  join(out, "stems.tsv"),
  [...stems]
    .map(([key, list]) => `${key}\t${[...new Set(list)].join(";")}\n`)
    .sort()
    .join(""),
);
if (process.argv[2] === undefined) sealTables();

/** Adds the stem of a row, and its passive; `fallback`: the class of a row that does not name its own. */
function addStems(row: Row, fallback: string): void {
  const pos = posOf(row);
  if ((row.DEFINE ?? "LEXICON") !== "LEXICON" || row.FORM === undefined || pos === undefined) return;
  addStem(row, row.CLASS || fallback, pos);
  // The broken plural of a weak noun has tanwin all the same: مقاهٍ, مبانٍ.
  const { "COND-S": own = "" } = row;
  if (/#iy #dip/.test(own)) addStem({ ...row, "COND-S": own.replace(" #dip", "") }, row.CLASS || fallback, pos);
  for (const passive of passiveStems(row, read)) addStem({ ...row, ...passive }, row.CLASS || fallback, pos);
}

function posOf({ FEAT = "" }: Row): string | undefined {
  return /pos:(\S+)/.exec(FEAT)?.[1];
}

/** Adds a stem under its folded letters: form, signature, lemma. */
function addStem(row: Row, stemClass: string, pos: string): void {
  const form = (row.FORM ?? "").trim();
  const key = normalForm(lettersOf(form));
  if (form === "" || key === "" || key.includes(" ") || /[;,\t]/.test(form)) return;
  const brings = (row["COND-S"] ?? "").split(/\s+/).filter((name) => name !== "" && name !== "_");
  // The file of nouns writes the condition otherwise than that of endings.
  if (brings.includes("FIVE-NOUNS")) brings.push("Five-nouns");
  if (/^l/.test(form) && !brings.includes("L#")) brings.push("L#");
  // What has a dual and begins its lemma is no plural, whatever a row says of it (حياة).
  const hasDual = /\b[MF]D\b/.test(row["COND-T"] ?? "") && (row.LEMMA ?? "").startsWith(form);
  const features = (row.FEAT ?? "")
    .replace(/\bpos:\S+\s*/, "")
    .replace(hasDual ? /\bnum:p\s*/ : "", "")
    .replace(/\b\w+:-\s*/g, "")
    .trim();
  const signature: Signature = { stemClass, asks: clauses(row["COND-T"] ?? ""), brings, features, pos };
  const name = JSON.stringify(signature);
  const { number } = signatures.get(name) ?? { number: signatures.size };
  signatures.set(name, { ...signature, number });
  const entry = `${form},${number.toString(36)},${lemmaOf(row, pos).toString(36)}`;
  stems.set(key, [...(stems.get(key) ?? []), entry]);
}

/** The number of a lemma. */
function lemmaOf(row: Row, pos: string): number {
  const masculine = (row.LEMMA ?? "").replace(/[-_].*$/, "");
  const lemma = isOwnFeminine(row) ? `${masculine}ap` : masculine;
  const root = roots.get(`${lemma} ${pos}`) ?? row.ROOT ?? row.ROOT_NEW ?? "";
  const id = `${lemma}\t${pos}\t${rootOf(root)}`;
  const number = lemmas.get(id) ?? lemmas.size;
  const own = lemmaList[number] ?? { id, cost: Math.min(costOf(lemma, pos), costOf(masculine, pos)), glosses: [] };
  lemmas.set(id, number);
  lemmaList[number] = own;
  const seen = new Set(own.glosses.flatMap(({ text }) => text.split(";")));
  const gloss = (row.GLOSS ?? "").replaceAll("_", " ").replace(/\s+/g, " ").trim().split(";");
  const added = gloss.filter((each) => !seen.has(each));
  if (added.length > 0) own.glosses.push({ text: added.join(";"), isPlural: /num:p/.test(row.FEAT ?? "") });
  return number;
}

/**
 * Returns the glosses of a lemma: first those of the senses that our inventory has, in its order, then those of its
 * singular.
 */
function glossesOf(id: string, glosses: readonly Gloss[]): string {
  const [form = "", pos = ""] = id.split("\t");
  const senses = defined.get(keyOf(form, pos)) ?? [];
  const rank = ({ text }: Gloss): number => {
    const words = new Set(wordsOf(text));
    const place = senses.findIndex((en) => en.some((word) => words.has(word)));
    return place < 0 ? senses.length : place;
  };
  return [...glosses]
    .sort((a, b) => rank(a) - rank(b) || Number(a.isPlural) - Number(b.isPlural))
    .slice(0, MEANINGS)
    .map(({ text }) => text)
    .join(" | ");
}

/** Returns the words of an English text, in the singular. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.replace(/(?<=..)s$/, ""));
}

/**
 * Tells whether a row is of a feminine noun that is a word of its own (مقبرة, والدة): it stands apart from the
 * masculine one, whose lemma it has, and is neither its plural (عَمَلَة of عامِل) nor a row that is apart for its weak
 * ending.
 */
function isOwnFeminine({ LEMMA = "", FORM = "", FEAT = "", "COND-T": condition = "" }: Row): boolean {
  const kinds = condition.split(/\|\||\s+/);
  if (
    !/pos:noun /.test(FEAT) ||
    /num:p|gen:m/.test(FEAT) ||
    lettersOf(LEMMA) !== lettersOf(FORM) ||
    /(?:ap|iy)$/.test(LEMMA)
  )
    return false;
  return kinds.includes("FS") && !kinds.includes("MS") && (kinds.includes("FD") || !/rat:r/.test(FEAT));
}

/** A line a lemma: form, part of speech, root, English glosses, cost. */
function lemmaLines(): string {
  return lemmaList.map(({ id, cost, glosses }) => `${id}\t${glossesOf(id, glosses)}\t${cost}\n`).join("");
}

function rootOf(dotted: string): string {
  const root = dotted.split(".").map(lettersOf).join("");
  return /[#0-9]|NTWS/.test(dotted) || root.length < 3 ? "" : root.replace(/[أإآؤئ]/g, "ء");
}

/** Minus the natural logarithm of the lemma's probability, in tenths. */
function costOf(lemma: string, pos: string): number {
  const counted = probabilities.get(`${pos} ${lemmaKey(lemma)}`) ?? UNSEEN;
  const isDefined = defined.has(keyOf(lemma, pos));
  return Math.round(Math.min(counted, isDefined ? DEFINED_COST : UNSEEN) * 10);
}

/** Returns the key of a lemma by which our inventory of senses is asked. */
function keyOf(lemma: string, pos: string): string {
  return `${pos.replace(/_(?:comp|num|quant)$/, "")} ${vowelForm(vowelled(lemma))}`;
}

/** Returns the English words of the senses of lemmas that our inventory has, the most frequent sense first. */
function definedLemmas(): ReadonlyMap<string, string[][]> {
  const senses = readEntries(join(here, "senses"), SenseEntry);
  const byLemma = Map.groupBy(senses, ({ pos, lemma }) => `${pos} ${vowelForm(lemma)}`);
  return new Map(
    [...byLemma].map(([key, own]) => [key, own.map(({ en }) => en.flatMap((each) => wordsOf(each)))] as const),
  );
}

/** The lexicon and the counts write long vowels and final sukun differently. */
function lemmaKey(lemma: string): string {
  return lemma
    .replace(/[-_].*$/, "")
    .replaceAll("aA", "A")
    .replaceAll("iy", "y")
    .replaceAll("uw", "w")
    .replaceAll("o", "")
    .replace(/[aiuFKN]$/, "");
}

function lemmaProbabilities(): Map<string, number> {
  const costs = new Map<string, number>();
  for (const line of read("logprob_pos_lex.tsv").trim().split("\n")) {
    const [pos = "", lemma = "", logProbability = ""] = line.split("\t");
    const key = `${pos} ${lemmaKey(lemma)}`;
    costs.set(key, Math.min(costs.get(key) ?? 99, -Number(logProbability) * Math.LN10));
  }
  return costs;
}

/** Orders, the morphemes of their classes, and the signatures of stems, conditions by number. */
function rules(numbers: ReadonlyMap<string, number>): object {
  const number = (name: string): number => numbers.get(name) ?? 0;
  const asked = (all: string[][]): number[][] =>
    all.map((clause) =>
      clause.map((literal) => (literal.startsWith("!") ? -1 - number(literal.slice(1)) : number(literal))),
    );
  const classes = Object.fromEntries(
    Object.entries(morphemes()).map(([name, list]) => [
      name,
      list.map(({ form, asks, brings, features }) => [form, asked(asks), brings.map(number), features]),
    ]),
  );
  const list = [...signatures.values()].map(({ stemClass, asks, brings, features, pos }) => [
    stemClass,
    asked(asks),
    brings.map(number),
    features,
    pos,
  ]);
  return { conditions: [...numbers.keys()], classes, orders: orders(), signatures: list };
}

function conditionNumbers(): Map<string, number> {
  const names = new Set<string>();
  const take = (asks: string[][], brings: string[]): void => {
    for (const literal of asks.flat()) names.add(literal.replace(/^!/, ""));
    for (const name of brings) names.add(name);
  };
  for (const list of Object.values(morphemes())) for (const { asks, brings } of list) take(asks, brings);
  for (const { asks, brings } of signatures.values()) take(asks, brings);
  return new Map([...names].sort().map((name, i) => [name, i]));
}

function morphemes(): Record<string, Morpheme[]> {
  const all: Record<string, Morpheme[]> = {};
  for (const file of ["MSA-Nom-MORPH.csv", "MSA-Verb-MORPH.csv"]) {
    const rows = readTable(read(file), ",").filter(
      ({ DEFINE, EXCLUDE = "" }) => DEFINE === "MORPH" && !LEFT_OUT.test(EXCLUDE),
    );
    const byClass = Map.groupBy(rows, ({ CLASS = "" }) => CLASS);
    for (const [name, members] of byClass) {
      if (/\.[EX]\b/.test(name)) continue;
      all[name] = [...Map.groupBy(members, ({ FUNC = "" }) => FUNC).values()].flatMap((group) => {
        const asks = resolveElse(group.map((row) => row["COND-T"] ?? ""));
        return group.map((row, i) => ({
          form: (row.FORM ?? "").trim().replace(/^_$/, ""),
          asks: asks[i] ?? [],
          brings: (row["COND-S"] ?? "").split(/\s+/).filter((each) => each !== "" && each !== "_"),
          features: (row.FEAT ?? "").replace(/^_$/, "").trim(),
        }));
      });
    }
  }
  return all;
}

function orders(): Order[] {
  const list = (text = ""): string[] => text.split(/\s+/).filter((each) => each.startsWith("["));
  const all = ["MSA-Nom-ORDER.csv", "MSA-Verb-ORDER.csv"].flatMap((file) =>
    readTable(read(file), ",")
      .filter(
        ({ DEFINE, EXCLUDE = "", SUFFIX = "" }) =>
          DEFINE === "ORDER" && !LEFT_OUT.test(EXCLUDE) && !/\.[EX]\b/.test(SUFFIX),
      )
      .map(({ PREFIX, STEM, SUFFIX, SCOPE = "" }): Order => {
        const [stem = "", buffer = ""] = list(STEM);
        return { prefix: list(PREFIX), stem, buffer, suffix: list(SUFFIX), pos: SCOPE.replace("pos:", "") };
      }),
  );
  return [...new Map(all.map((order) => [JSON.stringify(order), order])).values()];
}

function read(file: string): string {
  const bytes = readFileSync(join(folder, file));
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}
