import { at, type PageFacts } from "../body/facts.ts";
import type { HtmlDocument } from "../page/dom.ts";
import type { LinkedData } from "../page/jsonld.ts";
import { firstMeta, type MetaTags } from "../page/meta.ts";
import { plainText } from "../page/plain.ts";
import { oneLine, wordsOf } from "../page/words.ts";

const META = [
  "author",
  "article:author",
  "byl",
  "dc.creator",
  "dcterms.creator",
  "parsely-author",
  "sailthru.author",
  "twitter:creator",
];
const BYLINES =
  '[rel~="author"], [itemprop~="author"], .byline, .author-name, .author__name, [class*="byline" i], [class*="author" i]';
const LEAD =
  /^(?:(?:this )?(?:(?:article|text|words|story|post|report|blog)s? )?(?:(?:was )?(?:written|posted|published|authored|reported|reviewed|edited) )?by:?|by line:?|authors?:?|von|por|par|بقلم:?|كتب(?:ه|ت|تها)?:?|إعداد:?|الكاتب:?|تحرير:?)(?=[\s:])[\s:]*/i;
/** "By" that has grown together with the name. */
const GLUED = /^By(?=\p{Lu}\p{Ll}+ \p{Lu})/u;
/** The account that posted rather than the person who wrote: one word, or a role. */
const ACCOUNT = /^[\w.-]+$|\b(?:admin|administrator|webmaster)\b/i;
/** What no name is, although "by" stands before it. */
const NO_NAME = /^(?:the|our|your|this|an?|that|it|using|clicking|default|email|phone|mail|post|date|topic|category)$/i;
/** Where a byline ends: at a separator, "on", an update, or the date that follows it, even grown together with it. */
const REST =
  /\s+[|•·–—]\s+|\n|\s+on\s|\s*,?\s+(?:updated|published|posted)\b|\s*(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+\d|\d/iu;
const MAX_AUTHORS = 25;
const MAX_NAME = 80;
const MAX_BYLINES = 12;
const MAX_BYLINE_WORDS = 14;

/** Where to look for authors. */
export interface AuthorSources {
  readonly document: HtmlDocument;
  readonly linked: LinkedData | null;
  readonly meta: MetaTags;
  readonly facts: PageFacts;
  /** Names of the site and the publisher: an organisation signs only what no person signs. */
  readonly siteNames: readonly string[];
}

/** The authors of an article, in the page's order, without "by", links or e-mail addresses; at most 25. */
export function findAuthors({ document, linked, meta, facts, siteNames }: AuthorSources): string[] {
  const site = new Set(siteNames.map(bare).filter((name) => name !== ""));
  const people = (names: string[]) => names.filter((name) => !site.has(bare(name)));
  const stated = namesIn(linked?.authors ?? []);
  const tagged = namesIn([firstMeta(meta, META)]);
  const told = [people(stated), people(tagged)].find((names) => names.length > 0) ?? [];
  if (told.some((name) => !ACCOUNT.test(name))) return told;
  for (const names of [people(signature(facts)), told, bylines(document)]) if (names.length > 0) return names;
  return stated.length > 0 ? stated : tagged;
}

/** "By A. Writer" as a short block near the title. */
function signature(facts: PageFacts): string[] {
  const origin = Math.max(facts.headingAt, facts.titleAt, 0);
  for (let i = Math.max(0, origin - 4); i < origin + 14; i++) {
    const text = facts.blocks[i]?.text ?? "";
    if (!LEAD.test(text) || at(facts.words, i) > MAX_BYLINE_WORDS || at(facts.sentences, i) > 1) continue;
    const names = namesIn([beforeRest(text)]).filter((name) => isPersonal(name) || isSigned(name));
    if (names.length > 0) return names;
  }
  return [];
}

/** After an explicit "by", one word or a team signs too. */
function isSigned(name: string): boolean {
  const words = name.split(" ");
  return words.length === 1
    ? name.length > 2 && !NO_NAME.test(name)
    : words.length <= 5 && /\b(?:team|staff|editors?|newsroom|desk)$/i.test(name);
}

function bylines(document: HtmlDocument): string[] {
  let seen = 0;
  for (const element of document.querySelectorAll(BYLINES)) {
    if (++seen > MAX_BYLINES) break;
    const text = oneLine(element.getAttribute("content") ?? plainText(element));
    if (text.split(" ").length > MAX_BYLINE_WORDS) continue;
    const names = namesIn([beforeRest(text)]).filter(isPersonal);
    if (names.length > 0) return names;
  }
  return [];
}

/** A byline up to its date, its role, or what else follows a separator. */
function beforeRest(text: string): string {
  const end = text.search(REST);
  return end > 0 ? text.slice(0, end) : text;
}

/** Two to five words, each of which a name may have: capitals, or a script without them. */
function isPersonal(name: string): boolean {
  const words = name.split(" ");
  if (words.length < 2 || words.length > 5) return false;
  if (/\b(?:by|about|share|follow|read|view|more|posts?|articles?|the)\b/i.test(name)) return false;
  return words.every(
    (word) => !/^\p{Ll}/u.test(word) || /^(?:de|van|von|der|den|al|bin|ibn|el|da|di|la|le|of)$/.test(word),
  );
}

function bare(name: string): string {
  return wordsOf(name).join("");
}

/** Cleans and splits bylines into names, repeated ones left out. */
export function namesIn(bylines: readonly string[]): string[] {
  const names = new Set<string>();
  for (const byline of bylines) {
    const text = oneLine(byline).replace(LEAD, "").replace(GLUED, "");
    for (const part of text.split(/\s*[,،;|]\s*|\s+(?:and|&|et|und)\s+/iu)) {
      const name = part.replace(/\s*[<(][^>)]*[>)]\s*$/, "").trim();
      if (isName(name)) names.add(name);
    }
  }
  return [...names].slice(0, MAX_AUTHORS);
}

function isName(text: string): boolean {
  if (text.length < 2 || text.length > MAX_NAME) return false;
  if (/https?:|www\.|@|\.com\b|[{}<>\\*:]|\d{3}/.test(text)) return false;
  return (
    /\p{L}/u.test(text) &&
    !/^(?:admin|administrator|editor|user|null|undefined|guest|staff|unknown|written by|author)$/i.test(text)
  );
}
