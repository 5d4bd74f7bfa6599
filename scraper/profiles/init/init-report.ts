import type { Taxonomy } from "@isnad/lib/service/config";
import type { SiteFeed, SiteList, SiteSitemap } from "./find-listings.ts";
import type { ZoneGuess } from "./guess-zone.ts";
import { isReadWell, type Proposal, type TriedArticles, wordCount } from "./try-articles.ts";

/** Holds what was seen of a site. */
export interface InitReport {
  readonly url: string;
  readonly name: string;
  readonly language: { readonly language: "ar" | "en"; readonly why: string };
  readonly zone: ZoneGuess;
  readonly feeds: readonly { readonly url: string; readonly title: string; readonly entries: number }[];
  readonly sitemap: { readonly url: string; readonly isNews: boolean; readonly pages: number } | null;
  readonly list: { readonly url: string; readonly selector: string; readonly links: number } | null;
  readonly articles: readonly TriedReport[];
  readonly proposals: readonly Proposal[];
  /** The source's own labels of categories, the most frequent first; `category` is null for those that no map knows. */
  readonly labels: readonly { readonly label: string; readonly count: number; readonly category: string | null }[];
  /** Holds what the operator should look at. */
  readonly notes: readonly string[];
  readonly requests: number;
}

/** Holds what trying an article came to; `why` says why it could not be read. */
interface TriedReport {
  readonly url: string;
  readonly isReadWell: boolean;
  readonly words: number;
  readonly quality: number;
  readonly title: string;
  readonly publishedAt: string | null;
  readonly why: string | null;
}

/** Holds what was found of a site. */
interface Findings extends Pick<InitReport, "url" | "name" | "language" | "zone" | "proposals" | "requests"> {
  readonly feeds: readonly SiteFeed[];
  readonly sitemap: SiteSitemap | null;
  readonly list: SiteList | null;
  readonly results: TriedArticles;
  /** True when most entries of the feeds carry whole texts, and no page could be read. */
  readonly isFeedWhole: boolean;
  readonly taxonomy: Pick<Taxonomy, "mapLabel">;
}

/** Puts the report together. */
export function reportOf(findings: Findings): InitReport {
  const { feeds, sitemap, list, results, taxonomy, isFeedWhole: _, ...same } = findings;
  return {
    ...same,
    feeds: feeds.map(({ url, title, feed }) => ({ url, title, entries: feed.entries.length })),
    sitemap: sitemap === null ? null : { ...sitemap, pages: sitemap.pages.length },
    list: list === null ? null : { ...list, links: list.links.length },
    articles: reportsOf(results),
    labels: labelsOf(feeds, results, taxonomy),
    notes: notesOf(findings),
  };
}

const MAX_LABELS = 30;

function labelsOf(
  feeds: readonly SiteFeed[],
  { tried }: TriedArticles,
  taxonomy: Pick<Taxonomy, "mapLabel">,
): InitReport["labels"] {
  const counts = new Map<string, number>();
  const labels = [
    ...feeds.flatMap(({ feed }) => feed.entries.flatMap(({ categories }) => categories)),
    ...tried.map(({ page }) => page.category),
  ];
  for (const label of labels) if (label !== "") counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_LABELS)
    .map(([label, count]) => ({ label, count, category: taxonomy.mapLabel("", label)?.categoryId ?? null }));
}

function reportsOf({ tried, failed }: TriedArticles): TriedReport[] {
  return [
    ...tried.map(({ url, page }) => ({
      url,
      isReadWell: isReadWell(page),
      words: wordCount(page.content),
      quality: page.quality,
      title: page.title,
      publishedAt: page.publishedAt,
      why: page.kind === "article" ? null : `looks like a page of another kind: ${page.kind}`,
    })),
    ...failed.map(({ url, why }) => ({
      url,
      isReadWell: false,
      words: 0,
      quality: 0,
      title: "",
      publishedAt: null,
      why,
    })),
  ];
}

function notesOf({ feeds, sitemap, list, zone, results, proposals, isFeedWhole }: Findings): string[] {
  const { tried, failed } = results;
  const unread = tried.filter(({ page }) => !isReadWell(page)).length;
  return [
    zone.isSure ? "" : `timezone ${zone.zone} is a guess: ${zone.why}`,
    feeds.length === 0 && sitemap?.isNews === false
      ? "the sitemap is no news sitemap: it only says when pages were changed"
      : "",
    list === null
      ? ""
      : `there is no feed and no sitemap: check that ${JSON.stringify(list.selector)} matches articles only`,
    tried.length === 0 ? `no article could be read (${failed[0]?.why ?? "none is listed"})` : "",
    unread > 0 && proposals.every(({ field }) => field !== "content") && !isFeedWhole
      ? `${unread} of ${tried.length} articles are not read well and no selector helps: name article.content by hand`
      : "",
    isFeedWhole && proposals.length === 0 ? "pages are not read, the feed has whole texts: full_text is feed" : "",
    "tier is 3 and enabled is false until you change them; category_map is empty",
  ].filter((note) => note !== "");
}
