import type { Scratch } from "./scratch.ts";
import { hashForms, type Segment } from "./segment.ts";

/** The documents of a segment whose title is made of these forms, all of them and nothing else. */
export function documentsEntitled(forms: readonly number[], { titles, forward }: Segment, scratch: Scratch): number[] {
  if (forms.length === 0 || forms.includes(0)) return [];
  const hash = hashForms(forms, 0, forms.length);
  const docs: number[] = [];
  for (let doc = titles.indexOf(hash); doc >= 0; doc = titles.indexOf(hash, doc + 1)) docs.push(doc);
  return docs.filter((doc) => {
    const { content } = scratch.decode(forward, doc);
    return content === forms.length + 1 && forms.every((form, i) => scratch.forms[i + 1] === form);
  });
}
