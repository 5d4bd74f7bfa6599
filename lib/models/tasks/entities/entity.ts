import type { EntityKind } from "./aliases.ts";

/** A name found in a text. `start` and `end` count code points of the text as given, end exclusive, and
 * `text` is what stands there; `name` is how the name is shown; `confidence` is a probability. */
export type Entity = { type: string; text: string; name: string; start: number; end: number; confidence: number };

/**
 * An entity of a whole article: all mentions under one name. `spans`: start and end of each mention, in turn;
 * `aliases`: keys of other names that the same thing is known by,
 * `kind`: what sort of thing it is.
 */
export type ArticleEntity = {
  type: string;
  name: string;
  key: string;
  aliases: readonly string[];
  kind: EntityKind;
  mentions: number;
  confidence: number;
  spans: number[];
};
