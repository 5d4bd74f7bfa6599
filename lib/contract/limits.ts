/** Limits of an item, in code points and entries; those of title and content count the cleaned text. */
export const LIMITS = {
  sourceId: 128,
  externalId: 255,
  title: 512,
  contentMin: 200,
  /** Longer content is cut to this. */
  contentMax: 200_000,
  authors: 25,
  images: 25,
  /** Levels of nesting within `raw`. */
  rawDepth: 100,
} as const;
