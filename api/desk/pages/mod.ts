import type { Desk } from "../desk.tsx";
import { addAnalyse } from "./analyse.tsx";
import { addArticle } from "./article.tsx";
import { addAsk } from "./ask.tsx";
import { addClaims } from "./claims.tsx";
import { addRevisionsPage } from "./revisions.tsx";
import { addSavedSearches } from "./saved-searches.tsx";
import { addSearch } from "./search.tsx";
import { addSources } from "./sources.tsx";
import { addState } from "./state.tsx";
import { addStory } from "./story.tsx";
import { addToday } from "./today.tsx";

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
