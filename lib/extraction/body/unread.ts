import { BoundedMap } from "../../std/mod.ts";
import { classOf, type HtmlElement } from "../page/dom.ts";
import type { Block, BlockTree, Container } from "./blocks.ts";
import { at, type PageFacts } from "./facts.ts";
import {
  CLOSING_LINE,
  COMMENTS_HEADING,
  INVITATION,
  PICTURE_CREDIT,
  SIDE_HEADING,
  TICKER_LINE,
} from "./furniture-lines.ts";

/** Holds what a box of a page is that no article is part of. */
type BoxKind = "hidden" | "aside" | "comments" | "elsewhere" | "promotion" | "furniture";

const ROLES: Readonly<Record<string, BoxKind>> = {
  complementary: "aside",
  navigation: "furniture",
  menu: "furniture",
  menubar: "furniture",
  banner: "furniture",
  contentinfo: "furniture",
  search: "furniture",
  dialog: "promotion",
  alertdialog: "promotion",
};
const TAGS: Readonly<Record<string, BoxKind>> = {
  aside: "aside",
  nav: "furniture",
  footer: "furniture",
  dialog: "promotion",
  "amp-sidebar": "furniture",
  "amp-user-notification": "promotion",
  "amp-consent": "promotion",
  "amp-ad": "promotion",
};

/** Class names and ids; the first kind counts that one of an element's names is of. */
const NAMES: readonly (readonly [kind: BoxKind, pattern: RegExp])[] = [
  [
    "comments",
    words(
      "comments?|comments?-(?:list|section|area|box|form|wrap(?:per)?|container|block|thread|body|content|text|holder|panel|feed)|(?:article|post|story|page|entry|user|readers?|view|facebook|fb|all|add|new|write|leave|news|disqus)-comments?(?:-\\w+)?|commentlist|commentary-list|disqus(?:-thread)?|respond|reader-responses|ta3li[qk]at",
    ),
  ],
  [
    "elsewhere",
    words(
      "related|related-(?:\\w+-)*(?:news|posts?|articles?|stor(?:y|ies)|topics?|links?|content|items?|list|box|block|section|widget|videos?|reading)|(?:news|posts?|articles?|stor(?:y|ies)|topics?|content|items?)-related|(?:yarpp|jp|crp|wp)-related\\w*|jp-relatedposts|recommend(?:ed|ations?)|recommended-(?:\\w+-)*(?:news|posts?|articles?|stor(?:y|ies)|items?|reading)|you-?may-?(?:also-)?like|may-?like|might-like|also-(?:read|like)|read-?(?:also|more-box|next|too)|see-also|up-next|more-(?:stories|news|articles|posts|from(?:-\\w+)?|on-this|in-\\w+|to-read|like-this)|most-?(?:read|viewed|popular|shared|commented|watched|visited)(?:-\\w+)?|top-?(?:stories|news|reads)|popular-(?:posts?|news|articles|stories|list|widget)|trending(?:-\\w+)?|latest-?(?:news|posts|stories|articles|headlines)(?:-\\w+)?|recent-?(?:posts|news|articles|stories)(?:-\\w+)?|last-?news|similar-(?:news|posts|articles|stories)|(?:news|posts)-similar|(?:news-?)?ticker(?:-\\w+)?|news-?(?:bar|flash|strip)|breaking(?:-?news)?(?:-\\w+)?|marquee|taboola(?:-\\w+)*|outbrain(?:-\\w+)*|ob-widget|trc-\\w+|recirc(?:ulation)?(?:-\\w+)?|next-?prev|prev-?next|post-navigation|nav-(?:links|previous|next)|read-more-(?:stories|articles|box)|urgent-?news|editors?-?(?:picks?|choice)",
    ),
  ],
  [
    "promotion",
    words(
      "newsletters?(?:-\\w+)*|(?:email|mail|news|article|post|inline|footer|blog|form)-(?:newsletter|signup|sign-up|subscribe|subscription)(?:-\\w+)*|subscribe-(?:box|form|widget|block|banner|cta|section|now)|subscription-(?:box|form|widget|banner|prompt)|mc4wp(?:-\\w+)*|mailchimp(?:-\\w+)*|share|sharing|shares|share-?(?:bar|box|buttons?|links?|icons?|tools?|this|article|post|block|widget|list|social|wrapper|container|it|on|news)|social-?(?:share|sharing|media|links?|icons?|bar|buttons?|box|follow|list|networks?)|(?:article|post|news|page|sticky|entry)-(?:share|sharing|social)(?:-\\w+)?|sharedaddy|addtoany(?:-\\w+)*|addthis(?:-\\w+)*|a2a-kit|sharethis(?:-\\w+)*|follow-us|followus|app-(?:banner|promo|download)|ads?|ad-?(?:slot|unit|box|wrapper|container|banner|block|label|zone|placeholder)(?:-\\w+)*|advert(?:s|ising|isement|isements)?(?:-\\w+)*|google-ads?|adsbygoogle|dfp|sponsor(?:ed|s)?|sponsored-(?:content|links?|posts?|box)|promo|promo-(?:box|block|banner|bar|unit|card)|cookie-?(?:banner|bar|notice|consent|law|popup|policy|message|dialog)(?:-\\w+)*|cookies?|gdpr(?:-\\w+)*|consent(?:-\\w+)*|cc-(?:window|banner)|onetrust(?:-\\w+)*|push-?notifications?(?:-\\w+)?|notification-(?:bar|box|prompt)|modal|modal-(?:body|content|dialog)|popups?|pop-up|lightbox|whatsapp-(?:box|channel|join)|telegram-(?:box|channel|join)|google-news(?:-\\w+)?|join-(?:us|channel|whatsapp|telegram)",
    ),
  ],
  [
    "furniture",
    words(
      "sidebar|side-bar|site-(?:header|footer|nav|navigation|menu)|main-(?:menu|nav|navigation)|mega-?menu|nav-?menu|navbar|navigation|masthead|breadcrumbs?|footer-(?:widgets?|menu|links?|nav|top|bottom|area)|page-footer|global-(?:header|footer|nav)|skip-link|tag-?cloud|tags-?(?:list|links|box|wrapper)|(?:post|article|entry|news|story)-tags|author-?(?:bio|box|card|profile|about|desc(?:ription)?)|about-(?:the-)?author|(?:post|article|entry)-author-(?:bio|box|card)",
    ),
  ],
];

function words(alternatives: string): RegExp {
  return new RegExp(`^(?:${alternatives})$`);
}

/** Properties of microdata that are for machines, wherever a page writes them out. */
const MACHINE_PROPERTIES = new Set(
  "publisher logo dateModified dateCreated datePublished inLanguage articleSection keywords mainEntityOfPage interactionStatistic isAccessibleForFree".split(
    " ",
  ),
);

/**
 * Returns what an element is by its role, its tag, its property, its class names and its id; undefined for one that may
 * be part of the article.
 */
function boxKindOf(element: HtmlElement): BoxKind | undefined {
  const role = ROLES[element.getAttribute("role") ?? ""];
  if (role !== undefined) return role;
  const tag = TAGS[element.localName];
  if (tag !== undefined) return tag;
  if (MACHINE_PROPERTIES.has(element.getAttribute("itemprop") ?? "")) return "furniture";
  let rank = NAMES.length;
  for (const names of [classOf(element), element.getAttribute("id") ?? ""]) {
    for (const name of names.split(/\s+/)) rank = Math.min(rank, rankOf(name));
  }
  return NAMES[rank]?.[0];
}

const MAX_NAME = 60;
const ranks = new BoundedMap<string, number>(10_000);

/** Returns the place of a class name or id in {@link NAMES}, their number for one that says nothing. */
function rankOf(name: string): number {
  if (name === "" || name.length > MAX_NAME) return NAMES.length;
  const cached = ranks.get(name);
  if (cached !== undefined) return cached;
  const plain = name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/[_-]+/g, "-")
    .replace(/-?\d{1,3}$/, "")
    .toLowerCase();
  const place = NAMES.findIndex(([, pattern]) => pattern.test(plain));
  const rank = place < 0 ? NAMES.length : place;
  ranks.set(name, rank);
  return rank;
}

/** A page without what no reader takes for part of its article. */
interface ArticleTree extends BlockTree {
  /** Index of each block in the whole tree. */
  readonly at: Int32Array;
}

/** A box with more of the page's running text than this holds the article, whatever it is called. */
const MAX_TEXT_SHARE = 0.5;
/** Holds what running text must be left where boxes go, in words: a short article. */
const ARTICLE = 60;
/** Links make up so much of a list of other articles. */
const LINKED = 0.5;
/** Teasers have running text, too; one list of them may hold more of it than a short article. */
const MIN_LINKS = 3;
const MAX_TEASER_BLOCKS = 2;
const MAX_TEASER_WORDS = 60;
/** Characters of links are counted before white space is folded. */
const MAX_ROUNDING = 4;
/** A box under a heading, without a list, is no more than a remark beside the article. */
const REMARK = 0.3;
const MAX_REMARK = 120;
const MIN_REMARK = 30;
const MOSTLY = 0.8;
const MAX_HEADING_WORDS = 6;
const MAX_LINE_WORDS = 50;

/**
 * Takes out of a page what is not shown to readers, comments, asides, boxes of other articles, tickers, newsletters,
 * buttons to share, menus and footers: by what their elements are and are called, and by their headings. A box that
 * holds the page's title or most of its running text stays, unless it is a list of links or of comments and enough for
 * an article is left.
 */
export function withoutUnread(tree: BlockTree, facts: PageFacts): ArticleTree {
  const page = { tree, facts, running: runningText(facts), dropped: new Uint8Array(tree.blocks.length) };
  for (const [kind, boxes] of boxesByKind(page)) {
    const together = boxes.reduce((sum, box) => sum + textIn(box, page.running), 0);
    const whole = at(page.running, tree.blocks.length);
    if (together > (kind === "hidden" ? whole * MAX_TEXT_SHARE : whole - ARTICLE)) continue;
    for (const { first, last } of boxes) page.dropped.fill(1, first, last);
  }
  dropUnderHeadings(page);
  dropLines(page);
  return keep(tree, page.dropped);
}

interface Page {
  readonly tree: BlockTree;
  readonly facts: PageFacts;
  readonly running: Float64Array;
  readonly dropped: Uint8Array;
}

type Span = Pick<Container, "first" | "last">;

/** Words before each block that do not stand in links mainly; one entry longer than the blocks. */
function runningText(facts: PageFacts): Float64Array {
  const total = new Float64Array(facts.blocks.length + 1);
  for (let i = 0; i < facts.blocks.length; i++) {
    total[i + 1] = at(total, i) + (at(facts.linkShare, i) < LINKED ? at(facts.words, i) : 0);
  }
  return total;
}

function textIn({ first, last }: Span, running: Float64Array): number {
  return at(running, last) - at(running, first);
}

/** Returns the outermost boxes of each kind that may go. */
function boxesByKind({ tree, facts, running }: Page): Map<BoxKind, Container[]> {
  const kinds = new Map<BoxKind, Container[]>();
  const inside: (BoxKind | undefined)[] = [];
  const whole = at(running, tree.blocks.length);
  for (const [i, container] of tree.containers.entries()) {
    const { element, tag, first, last, parent } = container;
    inside[i] = inside[parent];
    if (element === null || tag === "html" || tag === "body" || first === last) continue;
    const outermostHidden = container.hidden && tree.containers[parent]?.hidden !== true;
    const kind = outermostHidden ? "hidden" : boxKindOf(element);
    if (kind === undefined || kind === inside[parent] || (kind === "aside" && isRemark(facts, tree, container)))
      continue;
    const isList = kind === "comments" || (kind !== "hidden" && isTeasers(facts, container));
    if (textIn(container, running) > (isList ? whole - ARTICLE : whole * MAX_TEXT_SHARE)) continue;
    if (kind !== "hidden" && holdsTitle(container, facts)) continue;
    inside[i] = kind;
    const list = kinds.get(kind);
    if (list === undefined) kinds.set(kind, [container]);
    else list.push(container);
  }
  return kinds;
}

function holdsTitle({ first, last }: Span, { titleAt }: PageFacts): boolean {
  return first <= titleAt && titleAt < last;
}

/**
 * An aside amid the article's paragraphs that is running text and longer than a quotation from them: the model
 * decides.
 */
function isRemark(facts: PageFacts, { containers }: BlockTree, { first, last, parent }: Container): boolean {
  const around = containers[parent];
  if (around === undefined || first - 1 < around.first || last >= around.last) return false;
  // A heading may stand below it.
  if (at(facts.prose, first - 1) === 0 || at(facts.prose, last) + at(facts.prose, last + 1) === 0) return false;
  const prose = at(facts.total.prose, last) - at(facts.total.prose, first);
  return prose >= MIN_REMARK && prose > (at(facts.total.words, last) - at(facts.total.words, first)) * MOSTLY;
}

/** A list of other articles: links, each with a line or two of running text at most. */
function isTeasers(facts: PageFacts, { first, last }: Span): boolean {
  let links = 0;
  let blocks = 0;
  let words = 0;
  for (let i = first; i < last; i++) {
    if (isLink(facts, i) || isLinkAndText(facts, i)) {
      links++;
      blocks = 0;
      words = 0;
    } else if (at(facts.words, i) > MAX_HEADING_WORDS) {
      words += at(facts.words, i);
      if (++blocks > MAX_TEASER_BLOCKS || words > MAX_TEASER_WORDS) return false;
    }
  }
  return links >= MIN_LINKS;
}

/** Tells whether a block is the headline of another article, linked, and a line or two below it. */
function isLinkAndText({ blocks, words }: PageFacts, i: number): boolean {
  const block = blocks[i];
  if (block?.links !== 1 || at(words, i) > MAX_TEASER_WORDS) return false;
  return Math.abs(block.text.indexOf("\n") - block.linkChars) < MAX_ROUNDING;
}

function hasProse(facts: PageFacts, first: number, last: number): boolean {
  return at(facts.total.prose, last) > at(facts.total.prose, first);
}

function isLink(facts: PageFacts, i: number): boolean {
  return at(facts.linkShare, i) > 0.8;
}

/** Drops "Most read", "Comments" and their like with the box that they head, or with the links that follow them. */
function dropUnderHeadings({ tree, facts, running, dropped }: Page): void {
  const { blocks, containers } = tree;
  const whole = at(running, blocks.length);
  for (const [i, block] of blocks.entries()) {
    if (dropped[i] === 1 || i === facts.titleAt || at(facts.words, i) > MAX_HEADING_WORDS) continue;
    const isComments = COMMENTS_HEADING.test(block.text);
    if (!isComments && !SIDE_HEADING.test(block.text)) continue;
    let end = i + 1;
    for (let c = block.container; c > 0; c = containers[c]?.parent ?? -1) {
      const box = containers[c];
      if (box === undefined || box.first !== i || holdsTitle(box, facts)) break;
      const most = isComments || isTeasers(facts, box) ? whole - ARTICLE : Math.min(whole * REMARK, MAX_REMARK);
      if (textIn({ first: i, last: box.last }, running) > most) break;
      // A heading that has its list heads nothing more, although it is the first line of the article's own box.
      const isMore = isComments || end === i + 1 || isLink(facts, end);
      if (!isMore && hasProse(facts, end, box.last)) break;
      end = box.last;
    }
    while (end < blocks.length && isLink(facts, end)) end++;
    if (end > i + 1) dropped.fill(1, i, end);
  }
}

/**
 * Drops lines that only link to another article or invite readers elsewhere, credits of pictures, and running news
 * outside the article.
 */
function dropLines({ tree, facts, dropped }: Page): void {
  const box = boxOfTitle(facts);
  for (const [i, { text }] of tree.blocks.entries()) {
    if (i === facts.titleAt) continue;
    const isShort = at(facts.words, i) <= MAX_LINE_WORDS;
    const isLinked = at(facts.linkShare, i) >= LINKED;
    const leads =
      isShort &&
      ((isLinked && (CLOSING_LINE.test(text) || isHeaded(text))) ||
        INVITATION.test(text) ||
        PICTURE_CREDIT.test(text) ||
        isCrossLink(facts, i));
    const isTicker = (i < facts.titleAt || i < box.first || i >= box.last) && TICKER_LINE.test(text);
    if (leads || isTicker) dropped[i] = 1;
  }
}

/** Tells whether the first of several lines is the heading of a list of other articles. */
function isHeaded(text: string): boolean {
  const end = text.indexOf("\n");
  return end > 0 && SIDE_HEADING.test(text.slice(0, end));
}

/** Tells whether a paragraph between two of running text is nothing but a link to another article. */
function isCrossLink(facts: PageFacts, i: number): boolean {
  const { blocks, containers } = facts;
  const { links = 0, text = "" } = blocks[i] ?? {};
  if (links !== 1 || text.startsWith("(") || at(facts.linkShare, i) < ALL_LINK || at(facts.words, i) < MIN_CROSS_WORDS)
    return false;
  return PARAGRAPH.has(containers[blocks[i]?.container ?? -1]?.tag ?? "") && isAmidProse(facts, i);
}

function isAmidProse(facts: PageFacts, i: number): boolean {
  return at(facts.prose, i - 1) > 0 && at(facts.prose, i + 1) > 0;
}

const ALL_LINK = 0.95;
const MIN_CROSS_WORDS = 4;
const PARAGRAPH = new Set(["p", "div"]);

/** Returns the innermost container that holds the title and enough running text for an article. */
function boxOfTitle({ blocks, containers, total, titleAt }: PageFacts): Span {
  for (let c = blocks[titleAt]?.container ?? -1; c >= 0; c = containers[c]?.parent ?? -1) {
    const box = containers[c];
    if (box !== undefined && at(total.prose, box.last) - at(total.prose, box.first) >= ARTICLE) return box;
  }
  return { first: 0, last: blocks.length };
}

function keep(tree: BlockTree, dropped: Uint8Array): ArticleTree {
  const kept: number[] = [];
  const blocks: Block[] = [];
  const before = new Int32Array(tree.blocks.length + 1);
  for (const [i, block] of tree.blocks.entries()) {
    const shown = dropped[i] === 1 ? "" : block.shown;
    if (shown !== "") {
      kept.push(i);
      blocks.push(shown === block.text ? block : { ...block, text: shown, chars: shown.length });
    }
    before[i + 1] = blocks.length;
  }
  const containers = tree.containers.map((container) => ({
    ...container,
    first: at(before, container.first),
    last: at(before, container.last),
  }));
  return { containers, blocks, at: Int32Array.from(kept) };
}
