/** A passage to be judged: a part of an article under its title. */
export type Passage = {
  title: string;
  text: string;
  /** The keyword branch's score of its article, where it found it. */
  keywordScore?: number | undefined;
};

/** A query with the passages found for it, in the order in which they were found, best first. */
export type RerankInput = { query: string; passages: readonly Passage[] };
