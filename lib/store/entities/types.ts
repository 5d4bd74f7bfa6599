/** Types of what is said with numbers: nobody and nothing that is talked about; left out unless asked for by name. */
export const NUMERIC = ["DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "CURR", "QUANTITY", "UNIT"];

/**
 * What an entity is called, and the folded name by which it is found again; `aliases` are folded names that mean the
 * same, `kind` is what sort of thing it is: names of one kind that sound the same in two scripts are one entity.
 */
export type EntityName = { name: string; key: string; aliases?: readonly string[]; kind?: string };

/**
 * An entity that was found in an article. `spans` holds start and end of each mention in the content, in turn, in code
 * points; `mentions` counts those in the title too.
 */
export type FoundEntity = EntityName & {
  type: string;
  mentions: number;
  confidence: number;
  spans: readonly number[];
};

/** Entities that are asked for; whatever is given must hold. */
export type EntityQuery = {
  /** A part of the folded name. */
  key?: string | undefined;
  type?: string | undefined;
  /** Bounds of the publication times of the articles that are counted, inclusive; milliseconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
  limit: number;
};

/**
 * How often an entity is named, in how many articles; its name as most articles have it; its types, the one that most
 * mentions have first.
 */
export type EntityCount = { entityId: number; name: string; types: string[]; mentions: number; articles: number };
