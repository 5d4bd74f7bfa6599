import type { CheckThread, Enqueuer } from "@isnad/lib/ingest";
import type { Access, HttpEnv, Limiter, OpenAPIHono, ServiceClient } from "@isnad/lib/service/http";
import type { ApiDeps } from "./deps.ts";
import type { ApiMetrics } from "./metrics.ts";
import { addArticleLists, addArticles, addChain } from "./routes/articles.ts";
import { addChat } from "./routes/chat.ts";
import { addClaims } from "./routes/claims.ts";
import { addDoor, addKeys } from "./routes/door.ts";
import { addEntities } from "./routes/entities.ts";
import { addIngestArticles } from "./routes/ingest-articles.ts";
import { addIngestRelations } from "./routes/ingest-relations.ts";
import { addMcp } from "./routes/mcp.ts";
import { addOpenAi } from "./routes/openai.ts";
import { addReviews } from "./routes/reviews.ts";
import { addRevisions } from "./routes/revisions.ts";
import { addSavedSearches, addSearchFeeds } from "./routes/saved-searches.ts";
import { addSearch, addSuggest } from "./routes/search.ts";
import { addSourcesOpml } from "./routes/sources-opml.ts";
import { addSources } from "./routes/sources.ts";
import { addState } from "./routes/state.ts";
import { addStories } from "./routes/stories.ts";
import { addSummarize } from "./routes/summarize.ts";

type Parts = Omit<ApiDeps, "metrics"> & {
  access: Access;
  metrics: ApiMetrics;
  enqueuer: Enqueuer;
  thread: CheckThread;
  /** Shares of searches, and of what else reads; of what is sent in. */
  limiter: Limiter;
  ingestLimiter: Limiter;
  retrieval: ServiceClient;
  linguistic: ServiceClient;
  edge: ServiceClient;
  scraper: ServiceClient;
  publicBaseUrl: string;
};

type Add = (app: OpenAPIHono<HttpEnv>, parts: Parts) => void;

/** Gives routes that take in articles the shares of these. */
const ingesting =
  (add: Add): Add =>
  (app, parts) =>
    add(app, { ...parts, limiter: parts.ingestLimiter });

/**
 * Every route of the API by method and path, in the order of its OpenAPI document. Those without a path are not in it:
 * the keys that other services ask for, and what is passed on to them. Pages are in `desk`.
 */
export const ROUTES: readonly (readonly [add: Add, ...serves: string[]])[] = [
  [ingesting(addIngestArticles), "POST /v1/ingest/articles"],
  [ingesting(addIngestRelations), "POST /ingest/relations"],
  [ingesting(addRevisions), "POST /v1/ingest/revisions", "GET /v1/articles/{article_id}/revisions"],
  [addArticles, "GET /v1/articles/{article_id}", "DELETE /v1/articles/{article_id}"],
  [addChain, "GET /v1/articles/{article_id}/chain"],
  [addKeys],
  [addSearch, "GET /v1/search"],
  [addArticleLists, "GET /v1/articles", "GET /v1/articles/{article_id}/similar"],
  [
    addClaims,
    "GET /v1/claims/{claim_id}",
    "GET /v1/claims",
    "GET /v1/articles/{article_id}/claims",
    "POST /v1/claims/match",
  ],
  [
    addReviews,
    "GET /v1/reviews",
    "POST /v1/reviews",
    "GET /v1/reviews/{review_id}",
    "PATCH /v1/reviews/{review_id}",
    "DELETE /v1/reviews/{review_id}",
  ],
  [addSuggest, "GET /v1/suggest"],
  [
    addSavedSearches,
    "POST /v1/searches",
    "GET /v1/searches",
    "GET /v1/searches/{search_id}",
    "PATCH /v1/searches/{search_id}",
    "DELETE /v1/searches/{search_id}",
    "GET /v1/searches/{search_id}/matches",
    "POST /v1/searches/{search_id}/feed-key",
    "DELETE /v1/searches/{search_id}/feed-key",
  ],
  [addSearchFeeds, "GET /v1/searches/{search_id}/feed.atom", "GET /v1/searches/{search_id}/feed.json"],
  [addSourcesOpml, "GET /v1/sources.opml", "POST /v1/sources.opml"],
  [
    addSources,
    "GET /v1/sources",
    "POST /v1/sources",
    "GET /v1/sources/{key}",
    "PATCH /v1/sources/{key}",
    "POST /v1/sources/{key}/pull",
    "DELETE /v1/sources/{key}",
  ],
  [(app, parts) => addState(app, { ...parts, behind: { ...parts, nlp: parts.linguistic } }), "GET /v1/state"],
  [addStories, "GET /v1/stories", "GET /v1/stories/{story_id}"],
  [addEntities, "GET /v1/entities"],
  [addChat, "POST /chat/completions"],
  [addOpenAi, "POST /v1/chat/completions", "GET /v1/models", "GET /v1/models/{model}", "POST /v1/embeddings"],
  [addSummarize, "POST /api/ai/summarize"],
  [addMcp, "POST /mcp"],
  [addDoor],
];
