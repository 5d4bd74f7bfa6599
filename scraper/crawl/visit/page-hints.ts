import type { PageInput, PageSelectors } from "../../../lib/extraction/mod.ts";
import type { ArticleSelectors, CrawlProfile } from "../types.ts";

/**
 * What a profile knows of its source's pages, for the extractor: first the selectors of the design that the day of
 * publication (ISO 8601, null for an unknown one) falls in, then those of the others, the latest first.
 */
export function pageHints(
  { article = {}, article_versions = [], timezone }: CrawlProfile,
  publishedAt: string | null = null,
): Pick<PageInput, "selectors" | "otherSelectors" | "zone"> {
  const latestFirst = article_versions.toSorted((a, b) => b.until.localeCompare(a.until));
  const day = publishedAt?.slice(0, 10) ?? "";
  const own = day === "" ? undefined : latestFirst.findLast(({ until }) => day <= until);
  const [first, ...others] = [
    ...(own === undefined ? [] : [own]),
    article,
    ...latestFirst.filter((one) => one !== own),
  ];
  return {
    selectors: selectorsOf(first ?? {}),
    otherSelectors: others.map(selectorsOf),
    ...(timezone !== undefined && { zone: timezone }),
  };
}

function selectorsOf(given: ArticleSelectors): PageSelectors {
  const { title, content, published_at, author, image, remove, next_page } = given;
  const named = { title, content, published_at, author, image, remove, next_page };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
