import { at } from "../../std/mod.ts";
import { grown } from "../vector/memory.ts";
import { documentsWithAll, firstFrom, postingsOf, type Segment, TITLE_SHIFT } from "./postings.ts";
import type { Projection } from "./projection.ts";
import type { LexiconNumbers } from "./words.ts";

/** A guess of a word: a form of the index, its text and stem, and how likely it is. */
export type Guess = { form: number; text: string; stem: number; share: number };

/** An index with the other words of a query. */
export type Lookup = { projection: Projection; numbers: LexiconNumbers; context: QueryContext };

/** Other words of a query that a guess is judged by: the rarest. */
const JUDGES = 3;

/** Documents of the rarest other words that are read for a guess among very many. */
const READ_DOCUMENTS = 400;

/** Texts that a title counts as: what stands together in a headline belongs together. */
export const TITLE_TEXTS = 100;
/** Documents that a word was not seen in and that it counts as seen in, each with what any document has. */
const SMOOTHING = 1.5;

/** The documents of a segment that hold something. */
type Holding = { segment: Segment; docs: readonly number[] };

/** A document, and how many it stands for. */
type SampledDocument = { segment: Segment; doc: number; weight: number };

let marks: Uint8Array = new Uint8Array(0);
/** The number of the document that each stem was last met in; 0 between two calls. */
let lastDocuments: Uint32Array = new Uint32Array(0);

/** The words of a query beside the one that is guessed: which guess they go with tells which one was meant. */
export class QueryContext {
  readonly #projection: Projection;
  /** Stems that documents hold, rare ones first. */
  readonly #others: readonly { stem: number; holding: number }[];

  constructor(projection: Projection, others: Iterable<number>) {
    this.#projection = projection;
    this.#others = [...new Set(others)]
      .map((stem) => ({ stem, holding: projection.documents[stem] ?? 0 }))
      .filter(({ holding }) => holding > 0)
      .sort((a, b) => a.holding - b.holding)
      .slice(0, JUDGES);
  }

  /** Tells whether there are other words. */
  get isEmpty(): boolean {
    return this.#others.length === 0;
  }

  /**
   * Returns how likely the other words are beside this one, as a logarithm, and in how many documents it stands with
   * the rarest of them that it stands with: each other word is taken by itself (naive Bayes), with smoothed shares.
   */
  likelihood(stem: number): { log: number; together: number } {
    const { documents, count } = this.#projection;
    const holding = documents[stem] ?? 0;
    let log = 0;
    let together = 0;
    for (const other of this.#others) {
      const both = other.stem === stem ? 0 : this.#together(stem, other.stem);
      if (both > 0 && together === 0) together = both;
      log += Math.log((both + SMOOTHING * (other.holding / count)) / (holding + SMOOTHING));
    }
    return { log, together };
  }

  /**
   * Returns in how many documents of the other words, of some hundred, the stems of these forms stand; a title counts
   * as {@link TITLE_TEXTS}.
   */
  stemsBeside(forms: readonly number[]): Map<number, number> {
    const { vocabulary, scratch } = this.#projection;
    const counts = new Map<number, number>();
    marks = grown(marks, vocabulary.forms + 1, (length) => new Uint8Array(length));
    lastDocuments = grown(lastDocuments, vocabulary.terms + 1, (length) => new Uint32Array(length));
    for (const form of forms) marks[form] = 1;
    let number = 0;
    for (const { segment, doc, weight } of this.#documents()) {
      if (segment.live[doc] === 0) continue;
      number++;
      const { title, count } = scratch.decodeMarked(segment.forward, doc, { marks, titleAlone: false });
      for (let m = 0; m < count; m++) {
        const stem = vocabulary.stems[scratch.marked[m] ?? 0] ?? 0;
        // Words of the title come first.
        if (lastDocuments[stem] === number) continue;
        lastDocuments[stem] = number;
        counts.set(stem, (counts.get(stem) ?? 0) + (m < title ? TITLE_TEXTS : 1) * weight);
      }
    }
    for (const form of forms) marks[form] = 0;
    for (const stem of counts.keys()) lastDocuments[stem] = 0;
    return counts;
  }

  /**
   * Returns documents that hold all other words, else the rarest, each with how many it stands for: those with the
   * words in the title, then some of the others.
   */
  #documents(): SampledDocument[] {
    const stems = this.#others.map(({ stem }) => stem);
    const holding = (sought: readonly number[], field: "any" | "title"): Holding[] =>
      this.#projection.segments.map((segment) => ({ segment, docs: documentsWithAll(segment, sought, field) }));
    const all = holding(stems, "any");
    const isHeld = all.some(({ docs }) => docs.length > 0);
    const sought = isHeld ? stems : stems.slice(0, 1);
    const titled = spread(holding(sought, "title"), READ_DOCUMENTS);
    return [...titled, ...spread(isHeld ? all : holding(sought, "any"), READ_DOCUMENTS - titled.length)];
  }

  /** Counts the documents that hold both terms, in the title more than once. */
  #together(a: number, b: number): number {
    let both = 0;
    for (const segment of this.#projection.segments) {
      const { docs, freqs, live } = segment;
      const [first, second] = [postingsOf(segment, a), postingsOf(segment, b)];
      const [few, many] = first.to - first.from < second.to - second.from ? [first, second] : [second, first];
      let place = many.from;
      for (let i = few.from; i < few.to && place < many.to; i++) {
        const doc = docs[i] ?? 0;
        place = (docs[place] ?? 0) < doc ? firstFrom(docs, doc, place, many.to) : place;
        if (place === many.to || docs[place] !== doc || live[doc] === 0) continue;
        both += ((freqs[i] ?? 0) & (freqs[place] ?? 0)) >> TITLE_SHIFT > 0 ? TITLE_TEXTS : 1;
      }
    }
    return both;
  }
}

/** Returns so many at most of the documents, evenly spread, each standing for those between. */
function spread(holding: readonly Holding[], most: number): SampledDocument[] {
  const count = holding.reduce((sum, { docs }) => sum + docs.length, 0);
  const weight = Math.max(1, count / Math.max(1, most));
  const sampled: SampledDocument[] = [];
  let before = 0;
  for (const { segment, docs } of holding) {
    const end = before + docs.length;
    for (let place = Math.floor(sampled.length * weight); place < end && sampled.length < most; ) {
      sampled.push({ segment, doc: at(docs, place - before), weight });
      place = Math.floor(sampled.length * weight);
    }
    before = end;
  }
  return sampled;
}
