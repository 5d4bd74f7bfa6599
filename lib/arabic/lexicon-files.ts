import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { errorMessage } from "../std/mod.ts";

/**
 * Returns the entries of a folder of JSON lines, file after file by name. Throws when a file cannot be read or a line
 * has another form, and names them.
 */
export function readEntries<Schema extends z.ZodType>(folder: string, schema: Schema): z.output<Schema>[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return files.sort().flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .flatMap((line, place) => (line === "" ? [] : [entryOf(line, schema, `${join(folder, name)}:${place + 1}`)])),
  );
}

function entryOf<Schema extends z.ZodType>(line: string, schema: Schema, where: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(line));
  } catch (cause) {
    throw new Error(`${where} is damaged: ${errorMessage(cause)}`, { cause });
  }
}

/**
 * A word of a treebank: as it is written, with its gold lemma and universal part of speech; `parts` are the syntactic
 * words of one that is written with others.
 */
export type TreebankWord = { form: string; lemma: string; upos: string; root?: string; parts?: string[] };

/** A sentence: its syntactic words, and its words as they are written, clitics joined. */
type TreebankSentence = { words: TreebankWord[]; written: TreebankWord[] };

/** Parts of speech of clitics: a word that is written with one is what the rest of it is. */
const CLITIC = new Set(["ADP", "CCONJ", "SCONJ", "PART", "PRON", "AUX", "DET"]);

/**
 * Reads CoNLL-U. Ranges and empty nodes are passed over; words that no space parts are joined into one, with lemma and
 * part of speech of the longest that is no clitic. Throws on a line with fewer than four columns.
 */
export function readTreebank(text: string): TreebankSentence[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) => sentenceOf(block.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"))))
    .filter(({ words }) => words.length > 0);
}

function sentenceOf(lines: readonly string[]): TreebankSentence {
  const words: TreebankWord[] = [];
  const written: TreebankWord[] = [];
  let joined: TreebankWord[] = [];
  for (const line of lines) {
    const [id = "", form = "", lemma = "", upos, , , , , , misc = ""] = line.split("\t");
    if (upos === undefined) throw new Error(`not CoNLL-U: ${line.slice(0, 80)}`);
    if (!/^\d+$/.test(id)) continue;
    const root = /(?:^|\|)Root=([^|]+)/.exec(misc)?.[1];
    const word = { form, lemma, upos, ...(root !== undefined && { root }) };
    words.push(word);
    if (joined.length > 0 && !(isArabic(word) && joined.every(isArabic))) {
      written.push(whole(joined));
      joined = [];
    }
    joined.push(word);
    if (!misc.includes("SpaceAfter=No")) {
      written.push(whole(joined));
      joined = [];
    }
  }
  if (joined.length > 0) written.push(whole(joined));
  return { words, written };
}

const isArabic = ({ form }: TreebankWord): boolean =>
  /^[\p{Script=Arabic}\p{M}]+$/u.test(form) && !/[\p{P}]/u.test(form);

function whole(parts: readonly TreebankWord[]): TreebankWord {
  const heads = parts.filter(({ upos }) => !CLITIC.has(upos));
  const longest = (heads.length > 0 ? heads : parts).reduce((best, each) =>
    each.form.length > best.form.length ? each : best,
  );
  const forms = parts.map(({ form }) => form);
  return { ...longest, form: forms.join(""), ...(forms.length > 1 && { parts: forms }) };
}
