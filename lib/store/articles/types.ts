import type { Json } from "../json.ts";
import type { Article } from "./columns.ts";
import type { ArticleStage } from "../work/types.ts";
import type { NearDuplicate } from "./signatures.ts";

/** An entity found in an article, under the name that the article has for it. */
export type ArticleEntity = {
  entityId: number;
  name: string;
  type: string;
  mentions: number;
  confidence: number | null;
  /** Start and end of each mention in the content, in turn, in code points; empty where they are not known. */
  spans: number[];
};

/** A relation found in an article; offsets count code points of its content, end exclusive. */
export type ArticleRelation = {
  type: string;
  args: { [role: string]: Json };
  confidence: number;
  start: number;
  end: number;
  meta: { [key: string]: Json };
};

/** What `GET /v1/articles/{id}` shows. */
export type ArticleDetail = Article & {
  /** Since when its source has it no more, ISO 8601 in UTC. */
  goneAt: string | null;
  aliases: { sourceId: string; externalId: string; url: string }[];
  entities: ArticleEntity[];
  relations: ArticleRelation[];
  /** Other articles that say nearly the same, the nearest first. */
  nearDuplicates: NearDuplicate[];
  /** The stages that it has not ended. */
  stages: ArticleStage[];
};

/** What the `ingestion` job found out; undefined leaves a column as it is. */
export type NormalizedRow = {
  articleId: number;
  lang: string | null;
  categoryId?: string | null | undefined;
  categorySource?: string | null | undefined;
  categoryConfidence?: number | null | undefined;
  taxonomyVersion?: string | null | undefined;
  /** 64-bit near-duplicate signature; the upper half of the range is stored as negative numbers. */
  simhash?: bigint | null | undefined;
};
