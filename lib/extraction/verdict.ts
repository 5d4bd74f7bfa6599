import { at, type PageFacts } from "./body/facts.ts";
import type { PageKind } from "./item.ts";
import type { LinkedData } from "./page/jsonld.ts";
import type { MetaTags } from "./page/meta.ts";

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
export function judge(evidence: Evidence): PageKind {
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
