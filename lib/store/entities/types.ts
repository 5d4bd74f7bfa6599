/** An entity that was found in an article. `key` is the folded name by which it is found again; `spans` holds start and end of each mention in
 * the content, in turn, in code points; `mentions` counts those in the title too. */
export type FoundEntity = {
  name: string;
  key: string;
  type: string;
  mentions: number;
  confidence: number;
  spans: readonly number[];
};

/** An article whose entities are to be found; `attempts` counts this one. */
export type EntityWork = { articleId: number; attempts: number };

/** How many articles wait for their entities, and how many were given up. */
export type EntityBacklog = { waiting: number; givenUp: number };
