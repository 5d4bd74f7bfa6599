import { isoLocalTime, isoTime, parseDate } from "../text/dates/mod.ts";
import { withoutControls, withoutInvisible } from "../text/mod.ts";
import { cutBlocks } from "./body/blocks.ts";
import { findBody, type FoundBody } from "./body/body.ts";
import { at, gatherFacts, type PageFacts } from "./body/facts.ts";
import { withoutUnread } from "./body/unread.ts";
import { findAuthors } from "./fields/authors.ts";
import { findImage } from "./fields/image.ts";
import {
  findCategory,
  findLanguage,
  fittingSelectors,
  isPaywalled,
  type SelectedParts,
  selectParts,
} from "./fields/labels.ts";
import { namesIn } from "./fields/names.ts";
import { findTimes } from "./fields/published.ts";
import { chooseTitle, titleHints } from "./fields/title.ts";
import { type ExtractedPage, ExtractError, type PageInput, type PageKind } from "./item.ts";
import { absoluteUrl, baseUrl, findCanonical, findNextPages } from "./page/addresses.ts";
import { isTextual, MAX_PAGE, parsePage } from "./page/dom.ts";
import { firstMeta, type LinkedData, type MetaTags, readLinkedData, readMeta, statedTitle } from "./page/metadata.ts";

export {
  type ExtractedPage,
  ExtractError,
  type MatchedSelectors,
  type PageInput,
  type PageKind,
  type PageSelectors,
} from "./item.ts";
export { sameSite } from "./page/addresses.ts";

/** The longest text that is kept; the ingest endpoint cuts at 200,000 code points. */
const MAX_CONTENT = 250_000;

/** Dates up to a day ahead are accepted: in another time zone it can be tomorrow already. */
const DAY_MS = 86_400_000;
/** A text behind a paywall with fewer words is probably only the beginning of an article. */
const WHOLE = 250;

/**
 * Extracts the article of a page: by the profile's selectors where they match, else from the page's metadata and by the
 * block model. Throws ExtractError `too-large`, `not-text` or `bad-selector`. Runs as long as the page makes it: use a
 * ReaderPool for pages from outside.
 */
export function extractPage(input: PageInput): ExtractedPage {
  const { html, url } = input;
  if (html.length > MAX_PAGE) throw new ExtractError("too-large", `the page is longer than ${MAX_PAGE} characters`);
  if (!isTextual(html)) throw new ExtractError("not-text", "this is no text: an image, an archive or other bytes");
  const document = parsePage(html);
  const { selectors = {}, otherSelectors = [] } = input;
  const nextPages = findNextPages(document, url, selectors.next_page);
  const fitting = otherSelectors.length === 0 ? null : fittingSelectors(document, [selectors, ...otherSelectors]);
  const base = baseUrl(document, url);
  const selected = selectParts(document, fitting ?? selectors, base);
  const linked = readLinkedData(document);
  const meta = readMeta(document);
  const tree = cutBlocks(document);
  const named = statedTitle(document);
  const facts = gatherFacts(tree, named);
  const siteNames = [firstMeta(meta, ["og:site_name", "application-name"]), linked?.publisher ?? "", ...hostNames(url)];
  const title =
    selected.title ||
    chooseTitle(
      titleHints(document, {
        openGraph: firstMeta(meta, ["og:title", "twitter:title"]),
        headline: linked?.headline ?? "",
        siteNames,
      }),
    );
  const article = withoutUnread(tree, facts);
  const generalBody = findBody(article, gatherFacts(article, named));
  const body = chooseBody(selected, generalBody, linked);
  const paywalled = isPaywalled({
    linked,
    meta,
    tree,
    titleAt: facts.titleAt,
    lastAt: article.at[generalBody.lastAt] ?? -1,
  });
  const language = findLanguage(document, linked, meta, `${title}\n${body.text}`);
  const now = input.now ?? Date.now();
  const notAfter = now + DAY_MS;
  const options = { dayFirst: language !== "en", notAfter, ...(input.zone !== undefined && { zone: input.zone }) };
  const times = findTimes({ document, html, linked, meta, facts, url, options, now });
  const chosen = parseDate(selected.published, options);
  const published = chosen ?? times.published;
  const names = namesIn(selected.authors);
  const kind =
    selected.content === ""
      ? judge({ facts, title, words: body.words, running: body.running, confidence: body.quality, linked, meta, url })
      : "article";
  return {
    kind,
    title,
    content: withoutControls(body.text.slice(0, MAX_CONTENT).toWellFormed()),
    authors: names.length > 0 ? names : findAuthors({ document, linked, meta, facts, siteNames }),
    publishedAt: isoTime(published),
    publishedFrom: chosen === null ? times.from : "selector",
    publishedLocal: isoLocalTime(published),
    modifiedAt: isoTime(times.modified),
    canonicalUrl: findCanonical(document, linked, meta, url),
    language,
    image: absoluteUrl(selected.image, base) ?? findImage(document, linked, meta, { base, body: generalBody.element }),
    category: findCategory(linked, meta),
    method: body.method,
    selectors: selected.selectors,
    paywalled,
    quality: Math.round((paywalled && body.words < WHOLE ? body.quality / 2 : body.quality) * 1000) / 1000,
    nextPages,
    ...(linked !== null && linked.claimReviews.length > 0 && { claimReviews: linked.claimReviews }),
  };
}

interface ChosenBody {
  readonly text: string;
  readonly words: number;
  readonly running: number;
  readonly quality: number;
  readonly method: ExtractedPage["method"];
}

/**
 * JSON-LD holds the text of pages that build themselves in the browser; elsewhere it is often cut, so it comes last.
 */
const MUCH_LONGER = 2.5;
/** The updates of a live blog are loaded by the browser; the page itself has the latest, or none. */
const LONGER = 1.2;
/** Words of it that are a text, and that are one where the page has none. */
const MIN_LINKED = 80;
const LEAST_LINKED = 20;

function chooseBody(selected: SelectedParts, found: FoundBody, linked: LinkedData | null): ChosenBody {
  const count = (text: string) => (text === "" ? 0 : text.split(/\s+/).length);
  if (selected.content !== "") {
    const own = count(selected.content);
    return { text: selected.content, words: own, running: own, quality: 1, method: "profile" };
  }
  const body = linked?.body ?? "";
  const words = count(body);
  const isLonger = words > found.words * (linked?.isLive === true ? LONGER : MUCH_LONGER);
  if (words >= (found.words === 0 || linked?.isLive === true ? LEAST_LINKED : MIN_LINKED) && isLonger) {
    return { text: plainLinked(body), words, running: words, quality: 0.7, method: "json-ld" };
  }
  const full = Math.min(1, found.words / 100);
  return {
    text: found.text,
    words: found.words,
    running: found.running,
    quality: found.confidence * full,
    method: found.words === 0 ? "none" : "blocks",
  };
}

/** `articleBody` ought to be plain text; some sites put markup into it. */
function plainLinked(text: string): string {
  if (!/<\/?[a-z][^<>]*>|&[a-z#\d]+;/i.test(text)) return withoutInvisible(text).replace(/\r\n?/g, "\n");
  const tree = cutBlocks(parsePage(text));
  return tree.blocks.map((block) => block.text).join("\n\n");
}

/** Returns what a heading that only names the site may say: its host, and that without the top level. */
function hostNames(url: string): string[] {
  const host = URL.parse(url)?.hostname.replace(/^www\./, "") ?? "";
  return [host, host.split(".").slice(0, -1).join(" ")];
}

/** Holds what the verdict on a page rests on. */
interface Evidence {
  readonly facts: PageFacts;
  readonly title: string;
  /** Words of the text that was found. */
  readonly words: number;
  /** Of these, the words that are not in links mainly. */
  readonly running: number;
  readonly confidence: number;
  readonly linked: LinkedData | null;
  readonly meta: MetaTags;
  readonly url: string;
}

// What stands in front of a site instead of its page: checks for robots, and what they say.
const BLOCK_TITLE =
  /^(?:just a moment|attention required|access (?:to this page has been )?denied|you have been blocked|are you (?:a )?(?:human|robot)|robot (?:check|or human)|security check|bot (?:detection|verification)|pardon our interruption|human verification|verify(?:ing)? you are human|one more step|ddos-guard|request blocked|please wait\b.*|checking your browser|client challenge|vercel security checkpoint|.*\bcloudflare)/i;
const BLOCK_TEXT =
  /enable (?:javascript and cookies|cookies and javascript)|verif(?:y|ying) (?:that )?you are (?:a )?human|checking (?:if the site connection is secure|your browser)|unusual (?:traffic|activity) from your|complete the (?:captcha|security check)|press (?:&|and) hold|reference (?:id|#)\s{0,3}[:#]?\s{0,3}[\da-f.]{8,}|ray id|access (?:to this (?:page|site) has been )?denied|you have been blocked|تحقق من أنك (?:إنسان|لست روبوت)/i;
const CONSENT_TITLE =
  /^(?:before you continue|your privacy (?:choices|matters)|(?:we value|protecting) your privacy|cookie(?:s)? (?:consent|settings|preferences)|consent|privacy (?:settings|preferences|center)|tcf|yahoo is part of)/i;
const CONSENT_TEXT =
  /(?:accept|agree|reject|manage)(?: to)? (?:all|cookies|choices|options)|we (?:and our|use) (?:\d+ )?(?:partners|cookies)|ملفات تعريف الارتباط|الموافقة على الكل/i;
const ERROR_TITLE =
  /^(?:error\s*)?(?:404|410|403|500|502|503)\b|\b(?:page|file|article|content) (?:not found|(?:is )?(?:unavailable|no longer available))|^not found|^page (?:doesn't|does not) exist|^forbidden$|^bad gateway|^service unavailable|^internal server error|الصفحة غير موجودة|لم يتم العثور/i;
const SHORT = 150;
const LONG = 400;
const ARTICLE_TYPES = /(?:Article|BlogPosting|Posting|Report|Review|Column|NewsItem)$/;

/**
 * Tells what kind of page it is. Only short pages can be a check for robots, a question for consent or an error: a long
 * text whose title speaks of such things is an article about them.
 */
function judge(evidence: Evidence): PageKind {
  const { facts, title, words } = evidence;
  const pageWords = at(facts.total.words, facts.blocks.length);
  const pageText = () =>
    facts.blocks
      .slice(0, 200)
      .map((block) => block.text)
      .join(" ")
      .slice(0, 5000);
  if (pageWords < LONG) {
    if (BLOCK_TITLE.test(title) && (words < SHORT || BLOCK_TEXT.test(pageText()))) return "block-page";
    if (words < SHORT && BLOCK_TEXT.test(pageText())) return "block-page";
  }
  if (words < SHORT && (CONSENT_TITLE.test(title) || (pageWords < SHORT && CONSENT_TEXT.test(pageText()))))
    return "consent-page";
  if (words < SHORT && ERROR_TITLE.test(title)) return "error-page";
  if (words === 0) return pageWords === 0 ? "empty" : "listing";
  return isListing(evidence, pageWords) ? "listing" : "article";
}

/** A front page or index: little running text among many links, and nothing that calls it an article. */
function isListing({ facts, running, linked, meta, url }: Evidence, pageWords: number): boolean {
  if (linked?.types.some((type) => ARTICLE_TYPES.test(type)) === true) return false;
  const type = meta.get("og:type")?.[0] ?? "";
  if (/^article/i.test(type)) return false;
  if (isFrontPage(URL.parse(url))) return true;
  const prose = at(facts.total.prose, facts.blocks.length);
  return running < SHORT && prose < pageWords * 0.1 && facts.blocks.length > 40;
}

const FRONT_PATH = /^\/(?:index\.\w+|default\.aspx?|[a-z]{2}\/?)?$/i;
/**
 * Query parameters by which sites without readable paths name an article: `?p=123`, `?id=5`, `?news_id=7`, `?NewsID=9`.
 */
const ID_PARAMETER = /^(?:p|a|n|art|article|post|story|news|item|node|[a-z]*[_-]?(?:id|no|num))$/i;
/** Those that name a section, a tag, a campaign or a session. */
const OTHER_PARAMETER = /^(?:cat|tag|sec|topic|author|user|page|lang|utm|.*sess)/i;
const NUMBER_OR_SLUG = /^(?:\d{1,12}|[\p{L}\p{M}\d]+(?:[-_][\p{L}\p{M}\d]+){2,})$/u;

/** The address of a site's front page: its top, or that of a language, with no parameter that names an article. */
function isFrontPage(url: URL | null): boolean {
  if (url === null || !FRONT_PATH.test(url.pathname)) return false;
  return ![...url.searchParams].some(
    ([name, value]) => ID_PARAMETER.test(name) && !OTHER_PARAMETER.test(name) && NUMBER_OR_SLUG.test(value),
  );
}
