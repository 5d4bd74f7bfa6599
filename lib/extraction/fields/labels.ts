import { detectLanguage } from "../../text/mod.ts";
import { type BlockTree, cutBlocks, isWithin } from "../body/blocks.ts";
import { countWords } from "../body/facts.ts";
import { classOf, type HtmlDocument, type HtmlElement, oneLine, plainText, select } from "../page/dom.ts";
import { firstMeta, type LinkedData, type MetaTags, statedTitle } from "../page/metadata.ts";
import { joinBlocks } from "../body/body.ts";
import { withoutRepeats } from "../body/repeats.ts";
import type { MatchedSelectors, PageSelectors, SelectorName } from "../item.ts";
import { headingText } from "./title.ts";
import { imageAddress } from "./image.ts";

/** Holds what a profile's selectors found; empty where they match nothing. */
export interface SelectedParts {
  readonly title: string;
  readonly content: string;
  readonly published: string;
  readonly authors: readonly string[];
  readonly image: string;
  /** Says which of the selectors found something. */
  readonly selectors: MatchedSelectors;
}

/**
 * Applies a profile's selectors: takes the elements to remove out of the document, then reads the others.
 * Addresses are relative to `base`. Throws ExtractError `bad-selector` for one that is not CSS.
 */
export function selectParts(document: HtmlDocument, selectors: PageSelectors, base = ""): SelectedParts {
  for (const selector of selectors.remove ?? []) for (const element of all(document, selector)) element.remove();
  const content = all(document, selectors.content).map((element) => {
    const tree = cutBlocks({ childNodes: [element] });
    return joinBlocks(withoutRepeats(tree.blocks, tree), tree);
  });
  const parts = {
    title: titleOf(all(document, selectors.title)[0], document),
    content: content.filter((text) => text !== "").join("\n\n"),
    published: attributeOrText(all(document, selectors.published_at)[0], ["datetime", "content"]),
    authors: all(document, selectors.author)
      .map(textOf)
      .filter((name) => name !== ""),
    image: imageOf(all(document, selectors.image)[0], base),
  };
  return { ...parts, selectors: matchedOf(selectors, parts) };
}

/** Returns a selector whose element has no text is of no more use than one without an element. */
function matchedOf(selectors: PageSelectors, parts: Omit<SelectedParts, "selectors">): MatchedSelectors {
  const results: [SelectorName, string | undefined][] = [
    ["title", parts.title],
    ["content", parts.content],
    ["published_at", parts.published],
    ["author", parts.authors[0]],
    ["image", parts.image],
  ];
  const names = results.filter(([name]) => selectors[name]?.trim());
  return {
    matched: names.flatMap(([name, result]) => (result ? [name] : [])),
    unmatched: names.flatMap(([name, result]) => (result ? [] : [name])),
  };
}

/**
 * Of the selectors for several designs of a source's pages, those of the page's own: the first whose text is there, or,
 * for those that name no text, the first any of whose parts is. Null when none fits. Throws ExtractError
 * `bad-selector`.
 */
export function fittingSelectors(document: HtmlDocument, versions: readonly PageSelectors[]): PageSelectors | null {
  const matches = (selector: string | undefined) => all(document, selector).length > 0;
  const fits = ({ title, content, published_at, author }: PageSelectors) =>
    content === undefined ? [title, published_at, author].some(matches) : matches(content);
  return versions.find(fits) ?? null;
}

function all(document: HtmlDocument, selector: string | undefined): HtmlElement[] {
  if (selector === undefined || selector.trim() === "") return [];
  const outermost: HtmlElement[] = [];
  for (const element of select(document, selector)) {
    // An element inside another match would be read twice; it comes after it in the order of the document.
    const last = outermost.at(-1);
    if (last === undefined || !contains(last, element)) outermost.push(element);
  }
  return outermost;
}

function contains(outer: HtmlElement, inner: HtmlElement): boolean {
  for (let node = inner.parentNode; node !== null; node = node.parentNode) if (node === outer) return true;
  return false;
}

function titleOf(element: HtmlElement | undefined, document: HtmlDocument): string {
  return element === undefined
    ? ""
    : oneLine(element.getAttribute("content") ?? headingText(element, [statedTitle(document)]));
}

function textOf(element: HtmlElement | undefined): string {
  return element === undefined ? "" : oneLine(element.getAttribute("content") ?? plainText(element));
}

function imageOf(element: HtmlElement | undefined, base: string): string {
  const image = element?.localName === "img" ? element : element?.querySelector("img");
  const loaded = image ? imageAddress(image, base) : null;
  return loaded ?? attributeOrText(element, ["src", "data-src", "content", "href"]);
}

function attributeOrText(element: HtmlElement | undefined, names: readonly string[]): string {
  for (const name of names) {
    const value = element?.getAttribute(name)?.trim();
    if (value !== undefined && value !== "") return value;
  }
  return textOf(element);
}

const META = [
  "article:section",
  "og:article:section",
  "section",
  "category",
  "parsely-section",
  "cxenseparse:section",
  "sailthru.section",
];

/** Returns the publisher's own name for the section that an article is in, empty for none. */
export function findCategory(linked: LinkedData | null, meta: MetaTags): string {
  return oneLine(firstMeta(meta, META) || linked?.section);
}

const MIN_CONFIDENCE = 0.6;

/**
 * Returns the language of an article as a two-letter code: Arabic or English by its text where that is clear, since
 * many sites declare the language of their theme; else as declared. Null when neither tells.
 */
export function findLanguage(
  document: HtmlDocument,
  linked: LinkedData | null,
  meta: MetaTags,
  text: string,
): string | null {
  const seen = detectLanguage(text);
  if (seen.lang !== "other" && seen.confidence >= MIN_CONFIDENCE) return seen.lang;
  const declared = [
    document.documentElement?.getAttribute("lang"),
    firstMeta(meta, ["og:locale", "content-language", "language", "dc.language", "inlanguage"]),
    linked?.language,
  ];
  for (const value of declared) {
    const code = /^\s*([a-z]{2})(?:[-_]|\s*$)/i.exec(value ?? "")?.[1]?.toLowerCase();
    if (code !== undefined) return code;
  }
  return seen.lang !== "other" && seen.confidence > 0 ? seen.lang : null;
}

/** Says where to look for a paywall. */
interface PaywallSources {
  readonly linked: LinkedData | null;
  readonly meta: MetaTags;
  readonly tree: BlockTree;
  /** The block that is the title (-1 for none), and the last one of the article's text. */
  readonly titleAt: number;
  readonly lastAt: number;
}

const TIERS = ["article:content_tier", "og:article:content_tier", "content_tier", "access-level"];
const FREE = "isaccessibleforfree";
const CLOSED_TIER = /^(?:locked|metered|paid|premium|subscribers?)$/i;
const OPEN_TIER = /^(?:free|open)$/i;
/**
 * A class or id, one word of the attribute: as in Google's guide for subscription content, and what content systems
 * use.
 */
const MARKER =
  /(?:^|\s)(?:(?:c|o|js|is|article|post|content|story|entry)--?)?(?:paywall(?:ed)?|regwall|subscribers?-only|subscription-(?:wall|required)|members?-only|(?:metered|paid|subscriber|premium)-content|wp-block-premium-content-container|مدفوع)(?=\s|$|-(?:content|box|wrapper|container|message|prompt|cta|title|text|block)|--|__)/;
const PHRASE = [
  /\bsubscribe (?:now )?to (?:continue|keep) reading\b/i,
  /\b(?:to|and) (?:continue|keep) reading(?: this (?:article|story))?,? (?:please )?(?:subscribe|log in|sign in|register|become a)/i,
  /\bthis (?:article|story|content|post|page) is (?:only )?(?:for|available (?:only )?to|reserved for|exclusively for|exclusive to)(?: our)?(?: paid| paying| registered)? (?:subscribers|members)\b/i,
  /\bread the (?:full|rest of (?:this|the)) (?:article|story)(?: by| with) (?:subscribing|a subscription)/i,
  /\byou(?:'ve|’ve| have) (?:reached|read|used)(?: all)?(?: of)? your (?:monthly |weekly )?(?:limit|(?:\w+ )?free articles)/i,
  /(?:هذا|هذه) (?:المقال|المقالة|المحتوى|المادة|التقرير|القصة|الخبر)\S*(?: \S+){0,4} (?:للمشتركين|للأعضاء|لمشتركي)/,
  /للمشتركين فقط|حصري للمشتركين|حصريا? للمشتركين|محتوى مدفوع/,
  /(?:اشترك|سجل|سجّل|سجلوا|اشتركوا)(?: \S+){0,3} (?:لمتابعة|لمواصلة|لإكمال|لاستكمال|لقراءة) (?:القراءة|المقال|بقية|باقي|النص|المحتوى)/,
  /(?:لمتابعة|لمواصلة|لإكمال|لاستكمال) (?:القراءة|قراءة)(?: \S+){0,5} (?:اشترك|الاشتراك|سجل|سجّل|تسجيل)/,
];
const MAX_PHRASE_WORDS = 60;
/** Says how far behind the article's text its paywall stands, in blocks. */
const REACH = 6;
const LEAST_WORDS = 3;

/**
 * Tells whether a page is behind a paywall, so that its text may be only the article's beginning: what the publisher
 * declares (schema.org `isAccessibleForFree` of the article or a part of it, the content tier) decides; else an element
 * marked as such that shows text, or an invitation to subscribe in order to read on, in or just behind the article.
 */
export function isPaywalled({ linked, meta, tree, titleAt, lastAt }: PaywallSources): boolean {
  const tier = firstMeta(meta, TIERS);
  const isFree = linked?.isFree ?? { true: true, false: false }[firstMeta(meta, [FREE]).toLowerCase()];
  if (isFree === false || CLOSED_TIER.test(tier)) return true;
  if (isFree === true || OPEN_TIER.test(tier)) return false;
  return hasMarker(tree) || hasPhrase(tree, titleAt, lastAt);
}

function hasMarker({ containers, blocks }: BlockTree): boolean {
  return containers.some(({ element, tag, first, last, hidden }) => {
    if (element === null || hidden || tag === "html" || tag === "body") return false;
    const label = `${classOf(element)} ${element.getAttribute("id") ?? ""}`.toLowerCase();
    if (!MARKER.test(label.replaceAll("_", "-"))) return false;
    let words = 0;
    for (let i = first; i < last && words < LEAST_WORDS; i++) words += countWords(blocks[i]?.text ?? "");
    return words >= LEAST_WORDS;
  });
}

/** Lists of other articles say of theirs who may read them. */
const ELSEWHERE = new Set(["li", "aside", "nav", "header", "footer"]);

function hasPhrase(tree: BlockTree, titleAt: number, lastAt: number): boolean {
  return tree.blocks
    .slice(Math.max(0, titleAt), lastAt + 1 + REACH)
    .some(
      ({ text, container }) =>
        countWords(text) <= MAX_PHRASE_WORDS &&
        PHRASE.some((pattern) => pattern.test(text)) &&
        !isWithin(tree, container, ELSEWHERE),
    );
}
