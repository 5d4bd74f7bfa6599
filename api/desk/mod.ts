import type { Desk } from "./desk.tsx";
import { addAnalyse } from "./pages/analyse.tsx";
import { addArticle } from "./pages/article.tsx";
import { addAsk } from "./pages/ask.tsx";
import { addClaims } from "./pages/claims.tsx";
import { addRevisionsPage } from "./pages/revisions.tsx";
import { addSavedSearches } from "./pages/saved-searches.tsx";
import { addSearch } from "./pages/search.tsx";
import { addSources } from "./pages/sources.tsx";
import { addState } from "./pages/state.tsx";
import { addStory } from "./pages/story.tsx";
import { addToday } from "./pages/today.tsx";

export { type DeskAssets, loadDeskAssets } from "./assets.ts";
export { addDesk } from "./desk.tsx";

/** Adds every page of the desk; the navigation has its sections in the order of `SECTIONS`. */
export const PAGES: readonly ((desk: Desk) => void)[] = [
  addToday,
  addSearch,
  addSavedSearches,
  addArticle,
  addRevisionsPage,
  addStory,
  addClaims,
  addAsk,
  addAnalyse,
  addSources,
  addState,
];
