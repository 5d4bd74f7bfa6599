import { type DateOptions, type FoundDate, parseDate } from "../../text/dates/mod.ts";
import type { PageFacts } from "../body/facts.ts";
import type { DateOrigin } from "../item.ts";
import { classOf, elementsOf, hasWord, type HtmlDocument, type HtmlElement, taggedIn } from "../page/dom.ts";
import { firstMeta, type LinkedData, type MetaTags } from "../page/metadata.ts";
import { datePlaces } from "./date-places.ts";
import { agreement, besideTitle, datesInText, likeliestOf, timeAgoBesideTitle } from "./shown-dates.ts";

/** The times of an article. */
interface ArticleTimes {
  readonly published: FoundDate | null;
  readonly modified: FoundDate | null;
  /** Says where `published` was found. */
  readonly from: DateOrigin;
}

/** Says where to look for the times. */
interface TimeSources {
  readonly document: HtmlDocument;
  /** The page as it came. */
  readonly html: string;
  readonly linked: LinkedData | null;
  readonly meta: MetaTags;
  readonly facts: PageFacts;
  readonly url: string;
  readonly options: DateOptions;
  /** Moment at which the page was read, in milliseconds since 1970. */
  readonly now: number;
}

const PUBLISHED_META = [
  "article:published_time",
  "og:published_time",
  "datepublished",
  "article:published",
  "article.published",
  "published_time",
  "originalpublicationdate",
  "article_date_original",
  "date",
  "pubdate",
  "publishdate",
  "publish-date",
  "publish_date",
  "published-date",
  "parsely-pub-date",
  "sailthru.date",
  "cxenseparse:recs:publishtime",
  "citation_publication_date",
  "dc.date",
  "dc.date.issued",
  "dc.date.created",
  "dcterms.date",
  "dcterms.created",
  "dcterms.issued",
  "created",
  "release_date",
  "published",
];
const MODIFIED_META = [
  "article:modified_time",
  "og:updated_time",
  "datemodified",
  "article:modified",
  "last-modified",
  "lastmod",
  "updated_time",
  "dcterms.modified",
  "dc.date.modified",
];
const ORIGINALLY = /(?:originally|first) (?:published|posted|appeared) (?:on |in )?(?!.*\bupdated\b)/i;
/** A day and a half, in milliseconds: the same day in another zone. */
const NEAR = 129_600_000;

/**
 * Finds when an article was published and changed; never a day that is still to come. The page's metadata count first.
 * A day that the page shows counts before them only where it calls it that of publication, or marks it as the article's
 * near the title and it lies before metadata that give one moment for publication and last change: the content system
 * wrote them when it saved the page. Without metadata: what the text calls its first publication, the address, a time
 * element of the byline, the likeliest date in the text, another time element, the data of the page's own scripts, the
 * time of the last change, then how long ago a line beside the title says it was. Days of posts, pictures, comments and
 * other stories on the page never count.
 */
export function findTimes(sources: TimeSources): ArticleTimes {
  const { document, linked, meta, options } = sources;
  const latest = options.notAfter ?? Number.POSITIVE_INFINITY;
  const read = (text: string) => {
    const date = text === "" ? null : parseDate(text, options);
    return date !== null && date.ms <= latest ? date : null;
  };
  const stated =
    read(firstMeta(meta, PUBLISHED_META)) ?? read(linked?.published ?? "") ?? read(itemprop(document, "datePublished"));
  const modified =
    read(linked?.modified ?? "") ?? read(firstMeta(meta, MODIFIED_META)) ?? read(itemprop(document, "dateModified"));
  const places = datePlaces(document, sources.facts, [sources.url, linked?.url ?? "", firstMeta(meta, ["og:url"])]);
  const shown = datesInText(sources.facts, places, options).filter(({ date }) => date.ms <= latest);
  if (stated !== null) {
    const beside = besideTitle(shown);
    const isSaved = modified === null || Math.abs(modified.ms - stated.ms) < SAVED;
    const better =
      beside === null || beside.dates.some((date) => near(date, stated))
        ? undefined
        : beside.dates.find((date) => beside.isLabelled || (isSaved && date.ms < stated.ms));
    return better === undefined
      ? { published: stated, modified, from: "metadata" }
      : { published: better, modified, from: "marked" };
  }
  const first = shown.find(({ context }) => ORIGINALLY.test(context));
  if (first !== undefined) return { published: first.date, modified, from: "marked" };
  const addressed = dateInAddress(sources.url);
  if (addressed !== null) {
    const same = shown.find(({ date }) => near(date, addressed));
    const isSame = same !== undefined && Math.abs(same.date.ms - addressed.ms) < NEAR;
    return { published: isSame ? same.date : addressed, modified, from: "address" };
  }
  const isOfArticle = (element: HtmlElement) => !["other", "card"].includes(places.of(element));
  const elements = [...taggedIn(document, "time"), ...taggedIn(document, "relative-time")]
    .slice(0, MAX_TIMES)
    .filter(isOfArticle);
  const agree = agreement(shown.map(({ date }) => date));
  const timed = (chosen: readonly HtmlElement[]) =>
    chosen.flatMap((time) => {
      const date = read(time.getAttribute("datetime") ?? "");
      return date === null ? [] : [agree(date)];
    });
  const times = timed(elements);
  const only = times.every((time) => Math.abs(time.ms - (times[0]?.ms ?? 0)) < NEAR) ? times[0] : undefined;
  const pubdate = timed(elements.filter(isOfPublication))[0];
  if (pubdate !== undefined) return { published: pubdate, modified, from: "marked" };
  const likeliest = only ?? likeliestOf(shown) ?? times[0];
  if (likeliest !== undefined) {
    const isMarked = besideTitle(shown)?.dates.some((date) => near(date, likeliest)) === true;
    return { published: likeliest, modified, from: isMarked ? "marked" : "line" };
  }
  const scripted = read(dateInScripts(sources.html));
  if (scripted !== null) return { published: scripted, modified, from: "metadata" };
  if (modified !== null) return { published: modified, modified, from: "modified" };
  const told = timeAgoBesideTitle(sources.facts, places, sources.now);
  return { published: told, modified, from: told === null ? "none" : "line" };
}

const MAX_TIMES = 200;
function isOfPublication(time: HtmlElement): boolean {
  return time.getAttribute("pubdate") !== null || /publish|(?:^|\s)entry-date(?:\s|$)/i.test(classOf(time));
}

/** Publication and change within three days of each other. */
const SAVED = 259_200_000;

/** Returns true when the days are the same or next to each other, whatever the order of day and month in the first. */
function near(date: FoundDate, other: FoundDate): boolean {
  return (
    Math.abs(date.ms - other.ms) < NEAR ||
    (date.otherwiseMs !== undefined && Math.abs(date.otherwiseMs - other.ms) < NEAR)
  );
}

const SCRIPTED =
  /(?:"|\\"|&quot;)(?:datePublished|publish(?:ed)?_?(?:date|at|on|time)|(?:date|time)_?published|first_?published(?:_?at)?|display_?date)(?:"|\\"|&quot;)\s*:\s*(?:"|\\"|&quot;)(\d{4}-\d\d-\d\d[^"\\&]{0,30})/i;

/**
 * Returns the first date of publication in the JSON that pages which build themselves in the browser carry along; empty
 * for none.
 */
function dateInScripts(html: string): string {
  return SCRIPTED.exec(html)?.[1] ?? "";
}

function itemprop(document: HtmlDocument, name: string): string {
  const element = elementsOf(document).find((each) => hasWord(each, "itemprop", name));
  if (element === undefined) return "";
  return element.getAttribute("content") ?? element.getAttribute("datetime") ?? element.textContent ?? "";
}

function dateInAddress(url: string): FoundDate | null {
  const match = /\/((?:19|20)\d\d)[/-](\d{1,2}|[a-z]{3,9})[/-](\d{1,2})(?:\/|-|$)/i.exec(url);
  if (match === null) return null;
  const [, year = "", month = "", day = ""] = match;
  return parseDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}
