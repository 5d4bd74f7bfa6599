import { at } from "../../std/mod.ts";
import { grown } from "../vector/memory.ts";
import { type DocumentRow, Forward } from "./forward.ts";
import { hashForms, LONG, MOST_CONTENT, readPacked, type Segment, TITLE_SHIFT } from "./postings.ts";
import type { Vocabulary } from "./vocabulary.ts";

const MOST_TITLE = 3;

/** Documents handled between two steps: less than a millisecond. */
const STEP = 128;

/** Inverts documents: the postings of every stem and root. */
export function invert(rows: readonly DocumentRow[], vocabulary: Vocabulary, scratch: Scratch): Segment {
  const inArabic = rows.map(({ words }) => isArabic(words, vocabulary, scratch));
  const [arabic, others] = [rows.filter((_, i) => inArabic[i]), rows.filter((_, i) => !inArabic[i])];
  const steps = invertInSteps(
    { forward: Forward.of([...arabic, ...others]), latin: arabic.length },
    vocabulary,
    scratch,
  );
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Inverts documents, of which those before `latin` are in Arabic script, in short steps. Until it is done `scratch` is
 * its own, and the documents must not change.
 */
export function* invertInSteps(
  { forward, latin }: Pick<Segment, "forward" | "latin">,
  vocabulary: Vocabulary,
  scratch: Scratch,
): Generator<void, Segment> {
  const { count } = forward;
  const counted = new Counted(count, scratch.ranks(vocabulary.terms));
  for (let doc = 0; doc < count; doc += STEP) {
    counted.add({ forward, vocabulary, scratch }, doc, Math.min(count, doc + STEP));
    yield;
  }
  const { terms, offsets, next } = counted.lists();
  const docs = new Uint16Array(at(offsets, terms.length));
  const freqs = new Uint8Array(docs.length);
  for (let doc = 0; doc < count; doc += STEP) {
    counted.fill({ docs, freqs, next }, doc, Math.min(count, doc + STEP));
    yield;
  }
  const byId = Uint16Array.from({ length: count }, (_, doc) => doc);
  byId.sort((a, b) => (forward.ids[a] ?? 0) - (forward.ids[b] ?? 0));
  return {
    ...{ forward, terms, offsets, docs, freqs, byId, latin },
    ...{ lengths: counted.lengths, titles: counted.titles },
    live: new Uint8Array(count).fill(1),
    size: count,
    inArabic: latin,
  };
}

const uint32s = (length: number): Uint32Array => new Uint32Array(length);

/** The frequencies of the terms of documents, document by document; a term's rank is its place among those met. */
class Counted {
  /** Words of each document with a stem plus those with a root, and the hash of its title. */
  readonly lengths: Uint32Array;
  readonly titles: Uint32Array;
  /** One more than the rank of each term; 0 for terms not met yet. */
  readonly #ranks: Uint32Array;
  #terms: Uint32Array = uint32s(1024);
  /** How many documents hold the term of each rank. */
  #holding: Uint32Array = uint32s(1024);
  #count = 0;
  /** The frequencies in the document at hand, by rank; all 0 between documents. */
  #current = new Uint8Array(1024);
  /** For each document its ranks, each with its frequency in the lowest byte, and where those of each begin. */
  #entries: Uint32Array = uint32s(1024);
  readonly #starts: Uint32Array;

  constructor(documents: number, ranks: Uint32Array) {
    this.lengths = uint32s(documents);
    this.titles = uint32s(documents);
    this.#starts = uint32s(documents + 1);
    this.#ranks = ranks;
  }

  /** Counts the terms of the documents from `from` to `to`. */
  add(
    { forward, vocabulary, scratch }: { forward: Forward; vocabulary: Vocabulary; scratch: Scratch },
    from: number,
    to: number,
  ): void {
    for (let doc = from; doc < to; doc++) {
      const { content, end, length } = scratch.decodeTerms(forward, doc, vocabulary);
      this.lengths[doc] = length;
      this.titles[doc] = hashForms(scratch.forms, 1, 1 + (scratch.forms[0] ?? 0));
      this.#reserve(end, at(this.#starts, doc) + end);
      this.#starts[doc + 1] = this.#countTerms(scratch.terms, content, end, at(this.#starts, doc));
    }
  }

  /** Writes the entries of a document from `start` on. Returns where they end. */
  #countTerms(list: Uint32Array, content: number, end: number, start: number): number {
    const ranks = this.#ranks;
    const terms = this.#terms;
    const holding = this.#holding;
    const current = this.#current;
    const entries = this.#entries;
    let to = start;
    let count = this.#count;
    for (let i = 0; i < end; i++) {
      const term = list[i] ?? 0;
      let rank = ranks[term] ?? 0;
      if (rank === 0) {
        terms[count] = term;
        rank = ranks[term] = ++count;
      }
      const freq = current[rank - 1] ?? 0;
      if (freq === 0) {
        entries[to++] = rank - 1;
        holding[rank - 1] = (holding[rank - 1] ?? 0) + 1;
      }
      current[rank - 1] = oneMore(freq, i < content);
    }
    for (let i = start; i < to; i++) {
      const rank = entries[i] ?? 0;
      entries[i] = (rank << 8) | (current[rank] ?? 0);
      current[rank] = 0;
    }
    this.#count = count;
    return to;
  }

  /**
   * The terms, ascending, where the postings of each begin, and the same by rank. Nothing can be added any more; the
   * ranks that were lent are all 0 again.
   */
  lists(): Pick<Segment, "terms" | "offsets"> & { next: Uint32Array } {
    const terms = this.#terms.slice(0, this.#count).sort();
    const offsets = uint32s(terms.length + 1);
    const next = uint32s(terms.length);
    for (let i = 0; i < terms.length; i++) {
      const term = at(terms, i);
      const rank = at(this.#ranks, term) - 1;
      next[rank] = at(offsets, i);
      offsets[i + 1] = at(offsets, i) + at(this.#holding, rank);
      this.#ranks[term] = 0;
    }
    return { terms, offsets, next };
  }

  /** Writes the postings of the documents from `from` to `to`, each where `next` says, which moves on. */
  fill({ docs, freqs, next }: Pick<Segment, "docs" | "freqs"> & { next: Uint32Array }, from: number, to: number): void {
    const entries = this.#entries;
    for (let doc = from; doc < to; doc++) {
      const end = this.#starts[doc + 1] ?? 0;
      for (let i = this.#starts[doc] ?? 0; i < end; i++) {
        const entry = entries[i] ?? 0;
        const place = next[entry >>> 8] ?? 0;
        next[entry >>> 8] = place + 1;
        docs[place] = doc;
        freqs[place] = entry & 0xff;
      }
    }
  }

  /** Makes room for so many more terms, and for so many entries in all. */
  #reserve(terms: number, entries: number): void {
    this.#terms = grown(this.#terms, this.#count + terms, uint32s);
    this.#holding = grown(this.#holding, this.#count + terms, uint32s);
    this.#current = grown(this.#current, this.#count + terms, (length) => new Uint8Array(length));
    this.#entries = grown(this.#entries, entries, uint32s);
  }
}

/** Words at the beginning of a document that tell its script, and the share of Arabic ones from which on it is that. */
const TELLING = 64;
const ARABIC_SHARE = 0.25;

/** Whether a document is in Arabic script: only words of it have a root, those that are no stop words. */
function isArabic(words: Uint16Array, { roots }: Vocabulary, scratch: Scratch): boolean {
  const to = Math.min(scratch.decodeFirst(words, 1 + TELLING), 1 + TELLING);
  let rooted = 0;
  for (let i = 1; i < to; i++) if (roots[scratch.forms[i] ?? 0] !== 0) rooted++;
  return rooted > ARABIC_SHARE * (to - 1);
}

/** The same of words one after another, each with whether it has a root. */
export function isInArabic(rooted: readonly boolean[]): boolean {
  const telling = rooted.slice(0, TELLING);
  return telling.filter(Boolean).length > ARABIC_SHARE * telling.length;
}

function oneMore(freq: number, inTitle: boolean): number {
  if (inTitle) return freq >> TITLE_SHIFT < MOST_TITLE ? freq + (1 << TITLE_SHIFT) : freq;
  return (freq & MOST_CONTENT) < MOST_CONTENT ? freq + 1 : freq;
}

/** Where the content begins among the words, or terms, of a document, and where it ends. */
type Extent = { content: number; end: number };

/** The same of terms, and how long the document counts as: a stem and a root of each word, without further ones. */
type TermExtent = Extent & { length: number };

const make = (length: number): Uint32Array => new Uint32Array(length);

/** Room that is used again and again, by one thing at a time. */
export class Scratch {
  /** The document decoded last: at 0 the words of its title, then its forms. */
  forms: Uint32Array = new Uint32Array(1024);
  /** The stems and roots of the document asked for last, in the order of its words. */
  terms: Uint32Array = new Uint32Array(1024);
  /** The marked forms of the document asked for last, and the place of each: as in `forms`, from 1. */
  marked: Uint32Array = new Uint32Array(1024);
  places: Uint32Array = new Uint32Array(1024);
  #ranks: Uint32Array = new Uint32Array(0);

  /** Decodes at least the first `count` numbers of a document's words, or all, into `forms`. Returns how many. */
  decodeFirst(words: Uint16Array, count: number): number {
    this.forms = grown(this.forms, 2 * count, make);
    return readPacked(words, 0, Math.min(words.length, 2 * count), this.forms);
  }

  /** Decodes a document into `forms`. */
  decode({ words, starts }: Forward, doc: number): Extent {
    const from = starts[doc] ?? 0;
    const to = starts[doc + 1] ?? from;
    this.forms = grown(this.forms, to - from, make);
    const end = readPacked(words, from, to, this.forms);
    return { content: Math.min(end, 1 + (this.forms[0] ?? 0)), end };
  }

  /**
   * Puts those forms of a document, or of its title alone, that are 1 in `marks` into `marked`, and where they stand
   * into `places`. `title` of them are in the title, `count` in all.
   */
  decodeMarked(
    { words, starts }: Forward,
    doc: number,
    { marks, titleAlone }: { marks: Uint8Array; titleAlone: boolean },
  ): { title: number; count: number } {
    const from = starts[doc] ?? 0;
    const to = starts[doc + 1] ?? from;
    this.marked = grown(this.marked, to - from, make);
    this.places = grown(this.places, to - from, make);
    const { marked, places } = this;
    let content = 1;
    let title = 0;
    let count = 0;
    let until = to - from;
    for (let i = from, place = 0; i < to && place < until; place++) {
      let form = words[i++] ?? 0;
      if (form >= LONG) form = ((form - LONG) << 16) | (words[i++] ?? 0);
      if (place === 0) {
        content = 1 + form;
        if (titleAlone) until = content;
      } else if (marks[form] === 1) {
        marked[count] = form;
        places[count++] = place;
        if (place < content) title = count;
      }
    }
    return { title, count };
  }

  /** Puts the stems and roots of a document into `terms`. */
  decodeTerms(forward: Forward, doc: number, { stems, roots, several }: Vocabulary): TermExtent {
    const { content, end } = this.decode(forward, doc);
    const { forms } = this;
    this.terms = grown(this.terms, end * 2, make);
    let { terms } = this;
    const further = several.size > 0;
    let count = 0;
    let title = 0;
    let length = 0;
    for (let i = 1; i < end; i++) {
      if (i === content) title = count;
      const form = forms[i] ?? 0;
      const stem = stems[form] ?? 0;
      const root = roots[form] ?? 0;
      if (stem !== 0) terms[count++] = stem;
      if (root !== 0) terms[count++] = root;
      length += (stem === 0 ? 0 : 1) + (root === 0 ? 0 : 1);
      const more = further ? several.get(form) : undefined;
      if (more === undefined) continue;
      terms = this.terms = grown(terms, count + more.length + 2 * (end - i), make);
      for (const term of more) terms[count++] = term;
    }
    return { content: content >= end ? count : title, end: count, length };
  }

  /** A number for each term, all 0; who uses it sets back to 0 what it changed. */
  ranks(terms: number): Uint32Array {
    this.#ranks = grown(this.#ranks, terms + 1, make);
    return this.#ranks;
  }
}
