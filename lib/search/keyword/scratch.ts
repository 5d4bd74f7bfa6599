import { grown } from "../vector/grow.ts";
import type { Forward } from "./forward.ts";
import { LONG, readPacked } from "./packed.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Where the content begins among the words, or terms, of a document, and where it ends. */
export type Extent = { content: number; end: number };

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
   * Puts those forms of a document that are 1 in `marks` into `marked`, and where they stand into `places`. `title` of
   * them are in the title, `count` in all.
   */
  decodeMarked({ words, starts }: Forward, doc: number, marks: Uint8Array): { title: number; count: number } {
    const from = starts[doc] ?? 0;
    const to = starts[doc + 1] ?? from;
    this.marked = grown(this.marked, to - from, make);
    this.places = grown(this.places, to - from, make);
    const { marked, places } = this;
    let content = 1;
    let title = 0;
    let count = 0;
    for (let i = from, place = 0; i < to; place++) {
      let form = words[i++] ?? 0;
      if (form >= LONG) form = ((form - LONG) << 16) | (words[i++] ?? 0);
      if (place === 0) content = 1 + form;
      else if (marks[form] === 1) {
        marked[count] = form;
        places[count++] = place;
        if (place < content) title = count;
      }
    }
    return { title, count };
  }

  /** Puts the stems and roots of a document into `terms`. */
  decodeTerms(forward: Forward, doc: number, { stems, roots, several }: Vocabulary): Extent {
    const { content, end } = this.decode(forward, doc);
    const { forms } = this;
    this.terms = grown(this.terms, end * 2, make);
    let { terms } = this;
    const further = several.size > 0;
    let count = 0;
    let title = 0;
    for (let i = 1; i < end; i++) {
      if (i === content) title = count;
      const form = forms[i] ?? 0;
      const stem = stems[form] ?? 0;
      const root = roots[form] ?? 0;
      if (stem !== 0) terms[count++] = stem;
      if (root !== 0) terms[count++] = root;
      const more = further ? several.get(form) : undefined;
      if (more === undefined) continue;
      terms = this.terms = grown(terms, count + more.length + 2 * (end - i), make);
      for (const term of more) terms[count++] = term;
    }
    return { content: content >= end ? count : title, end: count };
  }

  /** A number for each term, all 0; who uses it sets back to 0 what it changed. */
  ranks(terms: number): Uint32Array {
    this.#ranks = grown(this.#ranks, terms + 1, make);
    return this.#ranks;
  }
}
