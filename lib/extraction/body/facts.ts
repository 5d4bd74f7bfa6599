import { overlap, wordsOf } from "../page/dom.ts";
import type { Block, BlockTree, Container } from "./blocks.ts";

/** Holds what the features of a page's blocks are computed from: counts per block, running totals, and landmarks. */
export interface PageFacts {
  readonly blocks: readonly Block[];
  readonly containers: readonly Container[];
  readonly words: Float64Array;
  readonly linkShare: Float64Array;
  readonly sentences: Float64Array;
  /** Words of a block that reads like prose, else 0. */
  readonly prose: Float64Array;
  /** Totals before each block, one entry longer than `blocks`. */
  readonly total: {
    readonly words: Float64Array;
    readonly chars: Float64Array;
    readonly linkChars: Float64Array;
    readonly prose: Float64Array;
    readonly short: Float64Array;
  };
  /** Says how like the page's title each block is, 0 to 1. */
  readonly titleLikeness: Float64Array;
  /** Index of the block that is the title, and of the first `h1`; -1 for none. */
  readonly titleAt: number;
  readonly headingAt: number;
  /** Says how many blocks of the page have the very same text. */
  readonly copies: Float64Array;
}

const SHORT_WORDS = 5;
const PROSE_WORDS = 12;
const PROSE_LINKS = 0.4;

/** Counts what {@link PageFacts} holds. `title` is the page's own idea of its title. */
export function gatherFacts(tree: BlockTree, title: string): PageFacts {
  const { blocks, containers } = tree;
  const n = blocks.length;
  const column = () => new Float64Array(n);
  const running = () => new Float64Array(n + 1);
  const words = column();
  const linkShare = column();
  const sentences = column();
  const prose = column();
  const copies = column();
  const titleLikeness = column();
  const total = { words: running(), chars: running(), linkChars: running(), prose: running(), short: running() };
  const seen = new Map<string, number>();
  const titleWords = new Set(wordsOf(title));
  let titleAt = -1;
  let titleBest = 0.5;
  let headingAt = -1;
  for (const [i, block] of blocks.entries()) {
    const counts = countsOf(block);
    const { words: count, sentences: ends } = counts;
    const share = block.linkChars / block.chars;
    const isProse = count >= PROSE_WORDS && share < PROSE_LINKS && ends > 0;
    words[i] = count;
    linkShare[i] = share;
    sentences[i] = ends;
    prose[i] = isProse ? count * (1 - share) : 0;
    total.words[i + 1] = at(total.words, i) + count;
    total.chars[i + 1] = at(total.chars, i) + block.chars;
    total.linkChars[i + 1] = at(total.linkChars, i) + block.linkChars;
    total.prose[i + 1] = at(total.prose, i) + at(prose, i);
    total.short[i + 1] = at(total.short, i) + (count < SHORT_WORDS ? 1 : 0);
    seen.set(block.text, (seen.get(block.text) ?? 0) + 1);
    const isHeading = containers[block.container]?.tag === "h1";
    if (isHeading && headingAt < 0) headingAt = i;
    if (titleWords.size > 0 && count < 60) {
      counts.vocabulary ??= new Set(wordsOf(headlineOf(block.text)));
      const likeness = overlap(counts.vocabulary, titleWords);
      titleLikeness[i] = likeness;
      if (likeness + (isHeading ? 0.2 : 0) > titleBest) {
        titleBest = likeness + (isHeading ? 0.2 : 0);
        titleAt = i;
      }
    }
  }
  for (const [i, block] of blocks.entries()) copies[i] = seen.get(block.text) ?? 1;
  return { blocks, containers, words, linkShare, sentences, prose, total, titleLikeness, titleAt, headingAt, copies };
}

/** Returns the first line of a block with few words below it, as where a date and a name follow the title. */
function headlineOf(text: string): string {
  const end = text.indexOf("\n");
  return end > text.length / 2 ? text.slice(0, end) : text;
}

interface Counts {
  readonly words: number;
  readonly sentences: number;
  vocabulary?: ReadonlySet<string>;
}

/** Facts are gathered of a page, and again of what is left of it: most blocks are in both. */
const counted = new WeakMap<Block, Counts>();

function countsOf(block: Block): Counts {
  const cached = counted.get(block);
  if (cached !== undefined) return cached;
  const counts = { words: countWords(block.text), sentences: block.text.match(SENTENCE_END)?.length ?? 0 };
  counted.set(block, counts);
  return counts;
}

/** Returns an entry of a column, 0 outside of it. */
export function at(column: ArrayLike<number>, index: number): number {
  return column[index] ?? 0;
}

/** Returns what a running total grew by between two blocks, `last` exclusive. */
export function between(total: ArrayLike<number>, first: number, last: number): number {
  return at(total, last) - at(total, first);
}

const CJK = /[\u3040-\u30ff\u3400-\u9fff]/g;

/** Counts the words of a text by its spaces; where Chinese or Japanese has none, two characters count as one word. */
export function countWords(text: string): number {
  let words = 1;
  let isAfterSpace = false;
  for (let i = 0; i < text.length; i++) {
    const isSpace = isWhite(text.charCodeAt(i));
    if (isSpace && !isAfterSpace) words++;
    isAfterSpace = isSpace;
  }
  return /[\u3040-\u9fff]/.test(text) ? words + Math.floor((text.match(CJK)?.length ?? 0) / 2) : words;
}

/** Tells the white space of `\s`; a pattern that splits at it takes five times as long. */
function isWhite(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0xa0) return false;
  if (code < 0x2000) return code === 0xa0 || code === 0x1680;
  if (code <= 0x3000)
    return (
      code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000
    );
  return code === 0xfeff;
}

/** Some of the features of a page's blocks. */
export interface FeatureGroup {
  readonly names: readonly string[];
  /** Writes the values of one block, in the order of the names, from `at` on. */
  write(block: number, out: Float32Array, at: number): void;
}

/**
 * Holds what class names, ids and roles say an element is for. A name stands in the model by its place in this list, so
 * that the order matters: append only, and train again.
 */
export const PURPOSES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["comments", /comment|disqus|respond|reply|discussion|feedback/],
  ["share", /share|sharing|social|addtoany|addthis|follow/],
  [
    "related",
    /relat|recommend|more|popular|trending|latest|read-?next|up-?next|recirc|suggest|also|recent|similar|taboola|outbrain|most|teaser|card|promo|carousel|slider/,
  ],
  ["side", /side|aside|widget|rail|column-?right|secondary/],
  ["navigation", /\bnav|menu|breadcrumb|crumb|pagination|pager|prev|next|skip|toolbar|topbar|tab/],
  ["footer", /foot|bottom|copyright|colophon|legal/],
  ["header", /header|masthead|banner|hero|top|logo|branding/],
  ["form", /newsletter|subscri|sign-?up|form|cta|opt-?in|login|register|paywall|donat|call-?to/],
  ["advertising", /\bad\b|\bads\b|advert|sponsor|\bdfp|adsense|banner/],
  ["author", /author|byline|\bbio\b|profile|contributor|writer/],
  ["meta", /meta|date|time|tags?\b|categor|label|kicker|eyebrow|info|details|stats|views|likes/],
  ["caption", /caption|credit|figure|image|photo|gallery|media|video|embed/],
  ["overlay", /cookie|consent|gdpr|modal|pop-?up|overlay|dialog|lightbox|toast|alert|notice|disclaimer/],
  ["contents", /\btoc|table-?of-?contents|contents|jump|anchor|outline/],
  [
    "body",
    /content|article|body|entry|post|story|text|prose|rich|blog|single|copy|main|markdown|wysiwyg|paragraph|section/,
  ],
  [
    "article-body",
    /article-?body|entry-?content|post-?content|article-?content|story-?body|post-?body|post-?text|content-?body|rich-?text|blog-?content|wysiwyg|prose/,
  ],
  ["hidden", /hidden|sr-only|screen-reader|visually|collapse|accordion|print/],
  ["questions", /faq|question|answer|toggle/],
  ["product", /product|price|cart|shop|buy|affiliate|review|rating/],
  ["box", /quote|callout|highlight|pull|box|summary|takeaway|excerpt|standfirst|dek|subtitle|lead|intro/],
];

/** Says how many of the first purposes are furniture: what covers most of the page cannot be that. */
export const FURNITURE = 14;

/** Elements whose presence among the ancestors is a feature; append only, and train again. */
export const ANCESTORS: readonly string[] =
  "article main nav aside footer header form figure table li blockquote section details dialog button ul ol dl".split(
    " ",
  );

const RANKS: Readonly<Record<string, number>> = {
  p: 0,
  li: 1,
  blockquote: 2,
  h2: 3,
  h3: 4,
  h4: 5,
  h5: 6,
  h6: 6,
  h1: 7,
  div: 8,
  section: 8,
  article: 8,
  main: 8,
  body: 9,
  center: 9,
  td: 10,
  th: 11,
  dd: 12,
  dt: 12,
  pre: 13,
  figcaption: 14,
  caption: 14,
  summary: 15,
  details: 15,
  address: 16,
  button: 17,
  label: 18,
  form: 18,
  fieldset: 18,
  legend: 18,
  nav: 19,
  header: 19,
  footer: 20,
  aside: 20,
};

/** Elements ordered from the likeliest to hold an article's text to the unlikeliest. */
export function tagRank(tag: string): number {
  return RANKS[tag] ?? 21;
}

/** Words of headings above what is no longer the article, in English and Arabic. */
export const CLOSING_HEADING: RegExp =
  /\b(related|more from|more on|read next|you may|you might|recommended|recommend|comments?|share|newsletter|subscribe|tags|about the author|about author|author|latest|popular|trending|recent|leave a|reply|follow|categories|archives|see also|sponsored|advertis|further reading|references|sources|footnotes|similar|keep reading|up next|contact|sign up|join|featured|editor|other|most read|must read|don't miss|what's new)\b|اقرأ|إقرأ|اقرؤوا|مواضيع|موضوعات|ذات صلة|المزيد|شارك|تعليق|الأكثر|أخبار أخرى|قد يهمك|قد يعجبك|اخترنا|وسوم|كلمات|تابع|نشرة|اشترك/i;

/** Words of page furniture, in English and Arabic. */
export const FURNITURE_WORDS: RegExp =
  /\b(subscribe|newsletter|sign up|cookies?|privacy|terms of|all rights|copyright|share this|click here|read more|learn more|continue reading|follow us|advertisement|sponsored|log ?in|comments?|related|download|posted|published|updated|written by|by|photo|image|credit|source|getty|min read|minutes? read|tags?|filed under|contact|email|facebook|twitter|whatsapp|linkedin|instagram|youtube|pinterest|add to cart|buy now|shop now|book|affiliate|disclosure|disclaimer|loading|skip to|menu|search|home|next|previous)\b|©|حقوق|اقرأ|شارك|المزيد|نشرة|اشترك|صورة|مصدر|تعليق|إعلان|نُشر|نشر في|آخر تحديث|بقلم|كتب/i;

/** Sentence ends: Latin, Arabic, Urdu, CJK. */
const SENTENCE_END: RegExp = /[.!?؟۔…。](?=["'”’»)\]]*(?:\s|$))/g;
