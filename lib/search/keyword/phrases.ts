import { documentsWithAll } from "./postings.ts";
import type { Scratch } from "./scratch.ts";
import type { Segment } from "./segment.ts";

/** A phrase by the numbers of its forms in order, and of their stems; one that no document has is 0. */
export type Phrase = { forms: readonly number[]; stems: readonly number[] };

/** The documents of a segment that hold the words of a phrase one after another, as written, in title or content. */
export function documentsWithPhrase(segment: Segment, { forms, stems }: Phrase, scratch: Scratch): number[] {
  if (forms.includes(0)) return [];
  return documentsWithAll(segment, stems).filter((doc) => {
    const { content, end } = scratch.decode(segment.forward, doc);
    return holds(scratch.forms, 1, content, forms) || holds(scratch.forms, content, end, forms);
  });
}

function holds(words: Uint32Array, from: number, to: number, forms: readonly number[]): boolean {
  const first = forms[0] ?? 0;
  const last = to - forms.length;
  // Engines search an array for a number much faster than a loop does.
  for (let i = words.indexOf(first, from); i >= 0 && i <= last; i = words.indexOf(first, i + 1)) {
    if (forms.every((form, at) => words[i + at] === form)) return true;
  }
  return false;
}
