import { ARTICLE_FIELDS, type ArticleFields, comparable, timeOf } from "../../filters.ts";
import { DocumentEncoder, packed, type Segment } from "../postings.ts";
import { Projection } from "../projection.ts";
import { Words } from "../words.ts";

/** A document by its texts, and what filters look at of it. */
export type TextDocument = ArticleFields & {
  id: number;
  title?: string;
  content?: string;
  authors?: readonly string[];
};

/** An index of texts in memory, without a thread and without a snapshot. */
export class TextIndex {
  readonly words = new Words();
  readonly projection = new Projection(this.words.vocabulary);
  readonly #encoder = new DocumentEncoder((terms) => this.words.add(terms));
  #seq = 0;

  /** Makes an index; each list of documents is a segment, until some are merged. */
  constructor(...segments: (readonly TextDocument[])[]) {
    for (const documents of segments) this.add(documents);
  }

  /** Adds documents in the place of those of the same ids. */
  add(documents: readonly TextDocument[]): void {
    this.projection.add(
      documents.map(({ id, title = "", content = "", authors, ...article }) => ({
        ...{ id, seq: ++this.#seq, time: timeOf(article), ...(authors && { authors }) },
        fields: ARTICLE_FIELDS.map((field) => comparable(article, field)),
        words: packed(this.#encoder.encode({ title, content })),
      })),
    );
  }

  remove(id: number): void {
    this.projection.remove(id, ++this.#seq);
  }

  /** Returns the ids that something of each segment comes to, ascending. */
  idsOf(documentsIn: (segment: Segment, place: number) => Iterable<number>): number[] {
    return this.projection.segments
      .flatMap((segment, place) => Array.from(documentsIn(segment, place), (doc) => segment.forward.ids[doc] ?? 0))
      .sort((a, b) => a - b);
  }
}

/** Returns the documents that are 1 in a mask; all of `count` where there is none. */
export function marked(mask: Uint8Array | undefined, count: number): number[] {
  return Array.from({ length: count }, (_, doc) => doc).filter((doc) => mask === undefined || mask[doc] === 1);
}
