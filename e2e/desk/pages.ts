import type { DeskArchive } from "./archive.ts";

/** Returns the pages that are looked at, by the names of their pictures. */
export function pagesOf({ articles, stories }: DeskArchive): Record<string, string> {
  const article = (externalId: string) => `/articles/${articles.get(externalId)}`;
  return {
    today: "/",
    claims: "/claims",
    claim: "/claims/1",
    ask: `/ask?q=${encodeURIComponent("كم رفع البنك المركزي سعر الفائدة؟")}`,
    analyse: "/analyse",
    sources: "/sources",
    source: "/sources/almarsa",
    state: "/state",
    search: "/search?q=%D8%A7%D9%84%D9%85%D9%8A%D9%86%D8%A7%D8%A1",
    "search-all": "/search",
    "search-none": "/search?q=zzzqqqxx&source=almarsa&typos=off",
    searches: "/searches",
    article: article("ar-central-bank-rate"),
    "article-copied": article("sahlan-wire-museum-bronzes"),
    "article-hostile": article("hostile-1"),
    revisions: `${article("ar-central-bank-rate")}/revisions`,
    ...(stories[0] !== undefined && { story: `/stories/${stories[0]}` }),
    "not-found": "/articles/999999999",
  };
}
