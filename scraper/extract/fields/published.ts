import { type DateOptions, type FoundDate, findDates, parseDate } from "@isnad/lib/dates";
import type { PageFacts } from "../body/facts.ts";
import type { HtmlDocument } from "../page/dom.ts";
import type { LinkedData } from "../page/jsonld.ts";
import { firstMeta, type MetaTags } from "../page/meta.ts";

/** The times of an article. */
export interface ArticleTimes {
  readonly published: FoundDate | null;
  readonly modified: FoundDate | null;
  /** Where `published` was found. */
  readonly from: "metadata" | "text" | "address" | "modified" | "none";
}

/** Where to look for the times. */
export interface TimeSources {
  readonly document: HtmlDocument;
  /** The page as it came. */
  readonly html: string;
  readonly linked: LinkedData | null;
  readonly meta: MetaTags;
  readonly facts: PageFacts;
  readonly url: string;
  readonly options: DateOptions;
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
const UPDATED = /updat|modif|last|review|edited|تحديث|عدل/i;
const POSTED = /publish|posted|written|created|نشر/i;
const ANY_LABEL = /publish|posted|written|created|date|\bon\b|نشر|تاريخ/i;
const ORIGINALLY = /(?:originally|first) (?:published|posted|appeared) (?:on |in )?(?!.*\bupdated\b)/i;
/** A day and a half, in milliseconds: the same day in another zone. */
const NEAR = 129_600_000;

/**
 * Finds when an article was published and changed. The page's metadata count first, unless exactly another day stands
 * beside the title, not marked as an update: that is the one the publisher shows. Without
 * metadata: what the text calls its first publication, the address, the likeliest date in the text, the data of the page's
 * own scripts, then the time of the last change.
 */
export function findTimes(sources: TimeSources): ArticleTimes {
  const { linked, meta, options } = sources;
  const read = (text: string) => (text === "" ? null : parseDate(text, options));
  const published =
    read(firstMeta(meta, PUBLISHED_META)) ??
    read(linked?.published ?? "") ??
    read(itemprop(sources.document, "datePublished"));
  const modified =
    read(linked?.modified ?? "") ??
    read(firstMeta(meta, MODIFIED_META)) ??
    read(itemprop(sources.document, "dateModified"));
  const shown = datesInText(sources.facts, options);
  if (published !== null) {
    const beside = besideTitle(shown);
    if (beside === null || beside.some((date) => near(date, published)))
      return { published, modified, from: "metadata" };
    return { published: beside[0] ?? published, modified, from: "text" };
  }
  const first = shown.find(({ context }) => ORIGINALLY.test(context));
  if (first !== undefined) return { published: first.date, modified, from: "text" };
  const addressed = dateInAddress(sources.url);
  if (addressed !== null) {
    const same = shown.find(({ date }) => near(date, addressed));
    const isSame = same !== undefined && Math.abs(same.date.ms - addressed.ms) < NEAR;
    return { published: isSame ? same.date : addressed, modified, from: "address" };
  }
  const likeliest = likeliestOf(shown);
  if (likeliest !== null) return { published: likeliest, modified, from: "text" };
  const timed =
    sources.document.querySelector("time[datetime], relative-time[datetime]")?.getAttribute("datetime") ?? "";
  const element = read(timed);
  if (element !== null) return { published: element, modified, from: "text" };
  const scripted = read(dateInScripts(sources.html));
  if (scripted !== null) return { published: scripted, modified, from: "metadata" };
  return modified === null
    ? { published: null, modified, from: "none" }
    : { published: modified, modified, from: "modified" };
}

/** True when the days are the same or next to each other, whatever the order of day and month in the first. */
function near(date: FoundDate, other: FoundDate): boolean {
  return (
    Math.abs(date.ms - other.ms) < NEAR ||
    (date.otherwiseMs !== undefined && Math.abs(date.otherwiseMs - other.ms) < NEAR)
  );
}

const SCRIPTED =
  /(?:"|\\"|&quot;)(?:datePublished|publish(?:ed)?_?(?:date|at|on|time)|(?:date|time)_?published|first_?published(?:_?at)?|display_?date)(?:"|\\"|&quot;)\s*:\s*(?:"|\\"|&quot;)(\d{4}-\d\d-\d\d[^"\\&]{0,30})/i;

/** The first date of publication in the JSON that pages which build themselves in the browser carry along; empty for none. */
function dateInScripts(html: string): string {
  return SCRIPTED.exec(html)?.[1] ?? "";
}

interface ShownDate {
  readonly date: FoundDate;
  /** Blocks after the title, negative before it. */
  readonly offset: number;
  /** 0 at the page's start, 1 at its end. */
  readonly position: number;
  readonly chars: number;
  readonly linkShare: number;
  /** The words before the date and just after it. */
  readonly context: string;
}

const MAX_DATED_BLOCK = 300;

function datesInText(facts: PageFacts, options: DateOptions): ShownDate[] {
  const origin = facts.titleAt >= 0 ? facts.titleAt : facts.headingAt;
  const shown: ShownDate[] = [];
  for (const [i, block] of facts.blocks.entries()) {
    if (block.chars > MAX_DATED_BLOCK) continue;
    for (const date of findDates(block.text, options)) {
      shown.push({
        date,
        offset: origin < 0 ? Number.POSITIVE_INFINITY : i - origin,
        position: i / facts.blocks.length,
        chars: block.chars,
        linkShare: block.linkChars / block.chars,
        context: block.text.slice(Math.max(0, date.index - 60), date.index + date.length + 20),
      });
    }
  }
  return shown;
}

/** The dates of the byline: near the title, in a short block, not of an update; null when there is none. */
function besideTitle(shown: readonly ShownDate[]): FoundDate[] | null {
  const near = shown.filter(
    ({ date, offset, chars, linkShare }) => offset >= -3 && offset <= 9 && chars < 90 && linkShare < 0.5 && date.sure,
  );
  const posted = near.filter(({ context }) => POSTED.test(context));
  const plain = near.filter(({ context }) => !UPDATED.test(context));
  const chosen = posted.length > 0 ? posted : plain;
  return chosen.length === 0 ? null : chosen.map(({ date }) => date);
}

/** Weights found by hand on the WCXB pages; a date in running text far from the title does not pass. */
function likeliestOf(shown: readonly ShownDate[]): FoundDate | null {
  let best: FoundDate | null = null;
  let bestScore = 1;
  for (const { date, offset, position, chars, linkShare, context } of shown) {
    let score = 0;
    if (offset >= -4 && offset <= 12) score += 3 - Math.abs(offset) * 0.1;
    else if (position < 0.2) score += 1;
    if (chars < 40) score += 1.5;
    else score += chars < 100 ? 0.7 : -1;
    if (ANY_LABEL.test(context)) score += 1;
    if (UPDATED.test(context)) score -= 0.3;
    if (linkShare > 0.5) score -= 1.5;
    if (score > bestScore) {
      bestScore = score;
      best = date;
    }
  }
  return best;
}

function itemprop(document: HtmlDocument, name: string): string {
  const element = document.querySelector(`[itemprop~="${name}"]`);
  if (element === null) return "";
  return element.getAttribute("content") ?? element.getAttribute("datetime") ?? element.textContent ?? "";
}

function dateInAddress(url: string): FoundDate | null {
  const match = /\/((?:19|20)\d\d)[/-](\d{1,2}|[a-z]{3,9})[/-](\d{1,2})(?:\/|-|$)/i.exec(url);
  if (match === null) return null;
  const [, year = "", month = "", day = ""] = match;
  return parseDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}
