import type { DocumentRow } from "../forward.ts";
import { packed, VarintWriter } from "../postings.ts";

/** A document of made-up words, each by the number of its form. */
export type RandomDocument = { id: number; seq: number; title: number[]; content: number[] };

/** Forms of the made-up vocabulary. */
const FORMS = 60;

/** Whole numbers from 0 to before `below`, always the same for a seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The one stem of a form: three forms share each. */
export function stemOf(form: number): number {
  return 1 + Math.floor((form - 1) / 3);
}

/** The vocabulary as the database holds it. */
export function vocabularyOf(): Uint8Array {
  const writer = new VarintWriter();
  for (let form = 1; form <= FORMS; form++) for (const number of [1, stemOf(form), 0]) writer.write(number);
  return writer.take();
}

/** A document whose words are the more frequent the smaller their number. */
export function randomDocument(id: number, seq: number, random: (below: number) => number): RandomDocument {
  const words = (count: number) => Array.from({ length: count }, () => 1 + random(1 + random(FORMS)));
  return { id, seq, title: words(random(6)), content: words(random(80)) };
}

/** The document as a row. */
export function rowOf({ id, seq, title, content }: RandomDocument): DocumentRow {
  const writer = new VarintWriter();
  for (const number of [title.length, ...title, ...content]) writer.write(number);
  return { id, seq, fields: [], words: packed(writer.take()) };
}
