import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { forEachWord, normalForm } from "../../text/mod.ts";
import {
  addWords,
  CorpusSentence,
  createGlossary,
  type DialectWords,
  type GlossaryEntry,
  type GlossaryMatch,
} from "./glossary.ts";
import { createTrigramIndex, type Similar, trigramsOf } from "./similarity.ts";

/** Says how a sentence was found. */
type MatchType = "id" | "exact" | "substring" | "fuzzy";

/** A sentence of the corpus as the service gives it. */
type SentenceView = CorpusSentence & { source: string };

/** A sentence with how it was found; `match_score` is 1 for `id` and `exact`. */
export type SentenceMatch = SentenceView & { match_type: MatchType; match_score: number };

/** A corpus of annotated sentences in dialect. */
export type DialectCorpus = {
  byId(id: number): SentenceView | undefined;
  /**
   * Returns the sentence that is the text, or holds it (whole words before parts of them), or, where `fuzzy`, is most
   * like it.
   */
  byText(text: string, options: { fuzzy: boolean }): SentenceMatch | undefined;
  /**
   * Tells whether the text names the sentence of that number: is it, is a part of it or, where `fuzzy`, is like it.
   */
  matches(id: number, text: string, options: { fuzzy: boolean }): boolean;
  /** Returns the sentence most like the text, however unlike; undefined in an empty corpus alone. */
  closest(text: string): { sentence: SentenceView; score: number } | undefined;
  /** Returns the sentence whose number is nearest; undefined in an empty corpus alone. */
  nearestId(id: number): SentenceView | undefined;
  /** Returns what a word may mean, best first, none below the threshold. */
  glossary(word: string, options: { topK: number; threshold: number }): GlossaryMatch[];
  /** Returns the dialects that have a word which this corpus does not have; none where nobody knows. */
  otherDialects(word: string): readonly string[];
};

/** Says how alike a sentence must be to count as a fuzzy match. */
const FUZZY = 0.65;

/**
 * Makes the corpus; `source` names where its sentences come from, `words` are those that it is known to have or lack
 * besides. Throws RangeError when two have one number.
 */
export function createDialectCorpus(sentences: Sentences, source: string, words?: DialectWords): DialectCorpus {
  const { keys, places, entries } = readAll(sentences);
  // By length, so that the first sentence that holds a text is the shortest.
  const order = Uint32Array.from(keys.keys()).sort((a, b) => keyAt(a).length - keyAt(b).length || a - b);
  const exact = new Map<string, number>();
  keys.forEach((key, place) => {
    if (!exact.has(key)) exact.set(key, place);
  });
  const texts = createTrigramIndex(Array.from(order, keyAt));
  const written = new Set(entries.flatMap(({ forms }) => [...forms]));
  const glossary = createGlossary([...entries, ...(words?.entries ?? [])]);
  const otherDialects = (word: string): readonly string[] =>
    written.has(normalForm(word)) ? [] : (words?.foreign(word) ?? []);

  function keyAt(place: number): string {
    return keys[place] ?? "";
  }
  const view = (place: number): SentenceView => ({ ...sentences.at(place), source });
  const placeOf = ({ place }: Similar): number => order[place] ?? 0;
  const holderOf = (key: string): number | undefined => {
    let first: number | undefined;
    for (const rank of texts.holding(key)) {
      const place = order[rank] ?? 0;
      if (asWords(keyAt(place), key)) return place;
      if (first === undefined && holds(keyAt(place), key)) first = place;
    }
    return first;
  };

  return {
    byId(id) {
      const place = places.get(id);
      return place === undefined ? undefined : view(place);
    },
    byText(text, { fuzzy }) {
      const key = keyOf(text);
      if (key === "") return undefined;
      const same = exact.get(key);
      if (same !== undefined) return { ...view(same), match_type: "exact", match_score: 1 };
      const holder = holderOf(key);
      if (holder !== undefined) {
        return { ...view(holder), match_type: "substring", match_score: round(key.length / keyAt(holder).length) };
      }
      const [like] = fuzzy ? texts.like(key, { threshold: FUZZY, limit: 1 }) : [];
      if (like === undefined) return undefined;
      return { ...view(placeOf(like)), match_type: "fuzzy", match_score: round(like.score) };
    },
    matches(id, text, { fuzzy }) {
      const own = keyAt(places.get(id) ?? -1);
      const key = keyOf(text);
      return key !== "" && (holds(own, key) || (fuzzy && likeness(own, key) >= FUZZY));
    },
    closest(text) {
      const [like] = texts.like(keyOf(text), { threshold: 0, limit: 1 });
      if (like !== undefined) return { sentence: view(placeOf(like)), score: round(like.score) };
      const [shortest] = order;
      return shortest === undefined ? undefined : { sentence: view(shortest), score: 0 };
    },
    nearestId(id) {
      let nearest: number | undefined;
      for (const each of places.keys()) {
        if (nearest === undefined || Math.abs(each - id) < Math.abs(nearest - id)) nearest = each;
      }
      const place = nearest === undefined ? undefined : places.get(nearest);
      return place === undefined ? undefined : view(place);
    },
    // What only another dialect has is no word of this one that looks alike.
    glossary: (word, options) => (otherDialects(word).length > 0 ? [] : glossary.lookUp(word, options)),
    otherDialects,
  };
}

/** Tells whether a text holds another one, of less than three characters as a word of its own. */
function holds(text: string, part: string): boolean {
  return part.length < 3 ? asWords(text, part) : text.includes(part);
}

function asWords(text: string, part: string): boolean {
  return ` ${text} `.includes(` ${part} `);
}

/** Dice's coefficient of the trigrams of two texts. */
function likeness(a: string, b: string): number {
  const [own, others] = [trigramsOf(a), trigramsOf(b)];
  return (2 * own.intersection(others).size) / (own.size + others.size);
}

/** Returns the words of a text in normal form, one space between. */
function keyOf(text: string): string {
  const words: string[] = [];
  forEachWord(text, (start, end) => words.push(normalForm(text.slice(start, end))));
  return words.join(" ");
}

const round = (score: number): number => Math.round(score * 1e4) / 1e4;

/** Returns the sentences in normal form, their places by number, and what their words mean. */
function readAll(sentences: Sentences): { keys: string[]; places: Map<number, number>; entries: GlossaryEntry[] } {
  const keys: string[] = [];
  const places = new Map<number, number>();
  const meanings = new Map<string, GlossaryEntry>();
  for (let place = 0; place < sentences.size; place++) {
    const sentence = sentences.at(place);
    keys.push(keyOf(sentence.text));
    if (places.has(sentence.sentence_id)) throw new RangeError(`two sentences have number ${sentence.sentence_id}`);
    places.set(sentence.sentence_id, place);
    addWords(meanings, sentence);
  }
  return { keys, places, entries: [...meanings.values()] };
}

/** The sentences of a corpus by their places from 0. */
type Sentences = { readonly size: number; at(place: number): CorpusSentence };

/** The first line of an imported corpus; `sha256` is of all that follows it. */
const Head = z.object({
  format: z.literal(1),
  corpus: z.string(),
  licence: z.string(),
  imported_at: z.string(),
  sentences: z.int(),
  sha256: z.string(),
});
type ImportedHead = z.output<typeof Head>;

/** A corpus that the operator has brought in. Its sentences are kept as bytes, and read when they are asked for. */
type ImportedCorpus = { head: ImportedHead; sentences: Sentences };

const MAX_HEAD = 4096;

/** Tells where the corpus is that takes the place of the one that ships. */
export function importedPath(dataDir: string): string {
  return join(dataDir, "lexicon", "nabra.jsonl");
}

/** Stores a corpus: whoever reads it meanwhile reads the old one or the new one, never a part. */
export function writeImported(
  path: string,
  sentences: readonly CorpusSentence[],
  about: Pick<ImportedHead, "corpus" | "licence" | "imported_at">,
): ImportedHead {
  mkdirSync(dirname(path), { recursive: true });
  const body = sentences.map((sentence) => `${JSON.stringify(sentence)}\n`).join("");
  const sha256 = createHash("sha256").update(body).digest("hex");
  const head: ImportedHead = { format: 1, ...about, sentences: sentences.length, sha256 };
  const draft = `${path}.${process.pid}`;
  try {
    const file = openSync(draft, "w");
    try {
      writeAll(file, `${JSON.stringify(head)}\n`);
      writeAll(file, body);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return head;
}

/** Returns the corpus, undefined where none was imported. Throws when the file is not as it was written. */
export function readImported(path: string): ImportedCorpus | undefined {
  const bytes = ifThere(() => readFileSync(path));
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(10);
  const head = parseHead(path, bytes.toString("utf8", 0, Math.max(end, 0)));
  const body = bytes.subarray(end + 1);
  if (createHash("sha256").update(body).digest("hex") !== head.sha256) throw damaged(path);
  const ends: number[] = [];
  for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) ends.push(at);
  const at = (place: number): CorpusSentence => {
    const line = body.toString("utf8", place === 0 ? 0 : (ends[place - 1] ?? 0) + 1, ends[place]);
    return CorpusSentence.parse(JSON.parse(line));
  };
  return { head, sentences: { size: ends.length, at } };
}

/** Returns what the first line says; undefined where nothing was imported or the line cannot be read. */
export function importedHead(path: string): ImportedHead | undefined {
  const start = ifThere(() => {
    const file = openSync(path, "r");
    try {
      const buffer = Buffer.alloc(MAX_HEAD);
      return buffer.toString("utf8", 0, readSync(file, buffer));
    } finally {
      closeSync(file);
    }
  });
  try {
    return start === undefined ? undefined : parseHead(path, start.split("\n")[0] ?? "");
  } catch {
    return undefined;
  }
}

function parseHead(path: string, line: string): ImportedHead {
  try {
    return Head.parse(JSON.parse(line));
  } catch (cause) {
    throw damaged(path, cause);
  }
}

const damaged = (path: string, cause?: unknown): Error =>
  new Error(`${path} is damaged; import the corpus again, or remove the file`, { cause });

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function ifThere<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
