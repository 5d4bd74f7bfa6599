import type { WordTerms } from "../../text/mod.ts";
import { forEachSearchWord, wordTermsAt } from "../../text/mod.ts";
import { VarintWriter } from "./varint.ts";

/**
 * The words of a document as the index keeps them: the number of words in the title, then the form of each word of the
 * title and of the content in order, each by its number, as varints.
 */
export class DocumentEncoder {
  readonly #writer = new VarintWriter();
  readonly #numberOf: (terms: WordTerms) => number;
  readonly #title: number[] = [];
  readonly #content: number[] = [];

  /** `numberOf` gives the number of a word's form. */
  constructor(numberOf: (terms: WordTerms) => number) {
    this.#numberOf = numberOf;
  }

  encode({ title, content }: { title: string; content: string }): Uint8Array {
    this.#collect(title, this.#title);
    this.#collect(content, this.#content);
    this.#writer.write(this.#title.length);
    for (const form of this.#title) this.#writer.write(form);
    for (const form of this.#content) this.#writer.write(form);
    return this.#writer.take();
  }

  #collect(text: string, forms: number[]): void {
    forms.length = 0;
    forEachSearchWord(text, (start, end) => {
      const terms = wordTermsAt(text, start, end);
      if (terms.form !== "") forms.push(this.#numberOf(terms));
    });
  }
}
