import { detectLanguage } from "../../text/mod.ts";
import { type BlockTree, isWithin } from "../body/blocks.ts";
import { countWords } from "../body/facts.ts";
import { classOf, type HtmlDocument, oneLine } from "../page/dom.ts";
import { firstMeta, type LinkedData, type MetaTags } from "../page/metadata.ts";

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
