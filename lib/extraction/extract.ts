import { isoLocalTime, isoTime, parseDate } from "../text/dates/mod.ts";
import { withoutControls, withoutInvisible } from "../text/mod.ts";
import { cutBlocks } from "./body/blocks.ts";
import { type FoundBody, findBody } from "./body/body.ts";
import { gatherFacts } from "./body/facts.ts";
import { withoutUnread } from "./body/unread.ts";
import { absoluteUrl, baseUrl, findCanonical, findNextPages } from "./page/addresses.ts";
import { findAuthors } from "./fields/authors.ts";
import { findCategory, findLanguage, isPaywalled } from "./fields/labels.ts";
import { findImage } from "./fields/image.ts";
import { namesIn } from "./fields/names.ts";
import { findTimes } from "./fields/published.ts";
import { fittingSelectors, type SelectedParts, selectParts } from "./fields/selected.ts";
import { chooseTitle, titleHints } from "./fields/title.ts";
import { ExtractError, type ExtractedPage, type PageInput } from "./item.ts";
import { parsePage } from "./page/dom.ts";
import { isTextual, MAX_PAGE } from "./page/text.ts";
import { type LinkedData, readLinkedData } from "./page/jsonld.ts";
import { firstMeta, readMeta, statedTitle } from "./page/meta.ts";
import { judge } from "./verdict.ts";

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
