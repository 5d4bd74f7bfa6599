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
export const SENTENCE_END: RegExp = /[.!?؟۔…。](?=["'”’»)\]]*(?:\s|$))/g;
