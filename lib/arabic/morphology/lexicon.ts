import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "zod";
import { hashOf } from "../tokens.ts";

/**
 * Grammatical features by name, as the lexicon writes them: `gen:m num:s per:3 asp:p vox:a prc1:bi_prep enc0:3ms_poss`.
 */
export type Features = Readonly<Record<string, string>>;

/** A word of the lexicon: its form in the dictionary and what is said of it there, in Buckwalter's transliteration. */
export type Lemma = { id: number; form: string; pos: string; root: string; gloss: string; cost: number };

/** A stem: its vowelled form, the number of its signature, and its lemma. */
export type Stem = { form: string; signature: number; lemma: number };

/** The lemmas and stems of MSA. */
export type Lexicon = {
  /** Counts the lemmas, which are numbered from 0. */
  size: number;
  lemma(id: number): Lemma;
  /** Returns the stems that are written so, in normal form. */
  stems(letters: string): readonly Stem[];
  /**
   * Counts how often a word means a place for once that it means something else; `word`: in normal form, article
   * included.
   */
  placeOdds(word: string): number | undefined;
  /** Returns the lemma of this number, as {@link lemmaId} makes it; undefined where there is none. */
  lemmaById(id: number): Lemma | undefined;
  /** Returns the stems of a lemma. */
  stemsOf(lemma: Lemma): Stem[];
};

/**
 * Holds what is added to the counts of a word as a place and as something else: of what was seen once little is known.
 */
const PRIOR = { place: 0.5, other: 1 };

/**
 * Reads the tables `lemmas.tsv`, `stems.tsv` and `places.tsv`; lines of the first two are taken apart when they are
 * first needed.
 */
export function createLexicon(lemmaTable: string, stemTable: string, placeTable = ""): Lexicon {
  const places = new Map(
    placeTable.split("\n").map((line) => {
      const [word = "", place = "0", other = "0"] = line.split("\t");
      return [word, (Number(place) + PRIOR.place) / (Number(other) + PRIOR.other)] as const;
    }),
  );
  const lemmaLines = lemmaTable.split("\n");
  const lemmas = new Map<number, Lemma>();
  const lines = new Map<string, string | Stem[]>();
  for (let at = 0; at < stemTable.length; ) {
    const tab = stemTable.indexOf("\t", at);
    const end = stemTable.indexOf("\n", tab);
    if (tab < 0 || end < 0) break;
    lines.set(stemTable.slice(at, tab), stemTable.slice(tab + 1, end));
    at = end + 1;
  }
  let numbers: Map<number, number> | undefined;
  let byLemma: Map<number, string[]> | undefined;

  function lemma(id: number): Lemma {
    let known = lemmas.get(id);
    if (known === undefined) {
      const [form = "", pos = "", root = "", gloss = "", tenths = "0"] = (lemmaLines[id] ?? "").split("\t");
      known = { id, form, pos, root, gloss, cost: Number(tenths) / 10 };
      lemmas.set(id, known);
    }
    return known;
  }

  return {
    size: lemmaLines.length,
    lemma,
    placeOdds: (word) => places.get(word),
    lemmaById(number) {
      numbers ??= new Map(lemmaLines.flatMap((line, id) => (line === "" ? [] : [[lemmaId(lemma(id)), id] as const])));
      const id = numbers.get(number);
      return id === undefined ? undefined : lemma(id);
    },
    stemsOf({ id }) {
      if (byLemma === undefined) {
        byLemma = new Map();
        for (const line of stemTable.split("\n")) {
          for (const entry of line.slice(line.indexOf("\t") + 1).split(";")) {
            const stem = stemOf(entry);
            byLemma.set(stem.lemma, [...(byLemma.get(stem.lemma) ?? []), entry]);
          }
        }
      }
      return (byLemma.get(id) ?? []).map(stemOf);
    },
    stems(letters) {
      const line = lines.get(letters);
      if (line === undefined) return [];
      if (typeof line !== "string") return line;
      const parsed = line.split(";").map(stemOf);
      lines.set(letters, parsed);
      return parsed;
    },
  };
}

function stemOf(entry: string): Stem {
  const [form = "", signature = "", lemma = ""] = entry.split(",");
  return { form, signature: Number.parseInt(signature, 36), lemma: Number.parseInt(lemma, 36) };
}

/** Says where the tables of the analyser are. */
export const TABLES = fileURLToPath(new URL("../../../nlp/lexicon/analyser/", import.meta.url));

const NAMES = ["lemmas.tsv", "places.tsv", "rules.json", "stems.tsv"] as const;
type TableName = (typeof NAMES)[number];

/** Holds the SHA-256 of each table: one that is cut short between two lines could be read as well as a whole one. */
const SUMS = "sums.json";
const Sums = z.record(z.enum(NAMES), z.string());

/** Returns a table as text. Throws when it is missing or is not as it was built, and names it. */
export function readTable(name: TableName, folder = TABLES): string {
  const path = join(folder, name);
  const bytes = readFileSync(path);
  if (sumOf(bytes) !== Sums.parse(JSON.parse(readFileSync(join(folder, SUMS), "utf8")))[name]) {
    throw new Error(`${path} does not have the checksum of ${SUMS}; restore both, or build the tables again`);
  }
  return bytes.toString("utf8");
}

/** Writes down the checksums of tables that were built. */
export function sealTables(folder = TABLES): void {
  const sums = Object.fromEntries(NAMES.map((name) => [name, sumOf(readFileSync(join(folder, name)))]));
  writeFileSync(join(folder, SUMS), `${JSON.stringify(sums, undefined, 2)}\n`);
}

const sumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A set of conditions by number, as bits. */
export type Conditions = Uint32Array;

/**
 * Holds what a morpheme asks of the others of its word: clauses, all of which must hold; of a clause's literals one
 * must. A literal is the number of a condition that must be brought, or -1 minus the number of one that must not be.
 */
export type Asked = readonly (readonly number[])[];

/** Returns the set of these conditions, of `size` in all. */
export function conditionsOf(numbers: readonly number[], size: number): Conditions {
  const bits = new Uint32Array(Math.ceil(size / 32));
  for (const number of numbers) bits[number >> 5] = (bits[number >> 5] ?? 0) | (1 << (number & 31));
  return bits;
}

/** Returns the union of two sets, as long as the longer, which it is where the other adds nothing. */
export function union(one: Conditions, other: Conditions): Conditions {
  const longer = one.length < other.length ? other : one;
  const shorter = one.length < other.length ? one : other;
  let bits: Conditions | undefined;
  for (let i = 0; i < shorter.length; i++) {
    const added = shorter[i] ?? 0;
    if ((added & ~(longer[i] ?? 0)) === 0) continue;
    bits ??= longer.slice();
    bits[i] = (bits[i] ?? 0) | added;
  }
  return bits ?? longer;
}

/** Tells whether every clause holds of the conditions that the morphemes of a word bring, given as sets. */
export function holds(asked: Asked, brought: readonly Conditions[]): boolean {
  for (const clause of asked) {
    if (!clause.some((literal) => brought.some((set) => has(set, literal)) === literal >= 0)) return false;
  }
  return true;
}

/**
 * Returns the clauses that are not decided yet while of other conditions those of `later` can still be brought;
 * undefined when one can hold no more.
 */
export function undecided(asked: Asked, brought: Conditions, later: Conditions): Asked | undefined {
  const left: (readonly number[])[] = [];
  for (const clause of asked) {
    let isOpen = false;
    let isSure = false;
    for (const literal of clause) {
      const isBrought = has(brought, literal);
      if (isBrought || !has(later, literal)) isSure ||= isBrought === literal >= 0;
      else isOpen = true;
    }
    if (isSure) continue;
    if (!isOpen) return undefined;
    left.push(clause);
  }
  return left;
}

/** Tells whether a set has the condition that a literal is about. */
function has(set: Conditions, literal: number): boolean {
  const number = literal < 0 ? -1 - literal : literal;
  return (((set[number >> 5] ?? 0) >>> (number & 31)) & 1) === 1;
}

/**
 * Returns the number by which a lemma is known outside: of 52 bits, made of its form, part of speech and root alone, so
 * that it stays when the lexicon grows.
 */
export function lemmaId({ form, pos, root }: Pick<Lemma, "form" | "pos" | "root">): number {
  const key = `${form}|${pos}|${root}`;
  return hashOf(key) * 0x100000 + (hashOf(`${key}|2`) >>> 12);
}
