/** Limits of an article, in code points and entries; those of title and content count the cleaned text. */
export const LIMITS = {
  sourceId: 128,
  externalId: 255,
  title: 512,
  contentMin: 200,
  /** Longer content is cut to this. */
  contentMax: 200_000,
  /** A canonical category, and the label that a source gives. */
  category: 128,
  authors: 25,
  author: 256,
  images: 25,
  url: 2048,
  /** Levels of nesting within `raw`. */
  rawDepth: 100,
  /** The text of a search, and the name of an entity. */
  query: 512,
  /** Relations of an article, fields of one, arguments of one, and what fills one. */
  relations: 5000,
  relationFields: 100,
  relationArguments: 32,
  argument: 10_000,
} as const;
