import type { EntityName } from "../entities/types.ts";

/** A relation as it is reported: offsets count code points of the article's content, end exclusive. */
export type NewRelation = {
  type: string;
  args: { [role: string]: string };
  confidence: number;
  start: number;
  end: number;
  /** The entities that the arguments name, by their roles: each becomes one, where nobody has named it yet. */
  entities: { [role: string]: EntityName };
  /**
   * Where the arguments stand, by their roles; undefined where nobody said. An argument then stands for the entity that
   * the tagger found inside of it, and for none where it found none.
   */
  spans?: { [role: string]: readonly [start: number, end: number] } | undefined;
};

/** What an extraction of relations gave for an article. */
export type RelationsReport = {
  /** The whole of it, kept with the article. */
  package: Record<string, unknown>;
  requestId: string;
  /** Checked against the content; stored only where `replace`. */
  relations: readonly NewRelation[];
  /** Whether the relations take the place of those known. */
  replace: boolean;
};

/**
 * What became of a report: the article is not known; relations, by their places in the report, reach outside its
 * content of `length` code points; or it is stored, with so many relations and distinct entities.
 */
export type RelationsOutcome =
  | { status: "unknown" }
  | { status: "outside"; length: number; places: number[] }
  | { status: "stored"; articleId: number; docId: string; stored: number; entities: number };
