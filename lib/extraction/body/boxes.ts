import { BoundedMap } from "../../std/mod.ts";
import { classOf, type HtmlElement } from "../page/dom.ts";

/** What a box of a page is that no article is part of. */
export type BoxKind = "hidden" | "aside" | "comments" | "elsewhere" | "promotion" | "furniture";

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

/**
 * What an element is by its role, its tag, its class names and its id; undefined for one that may be part of the
 * article.
 */
export function boxKindOf(element: HtmlElement): BoxKind | undefined {
  const role = ROLES[element.getAttribute("role") ?? ""];
  if (role !== undefined) return role;
  const tag = TAGS[element.localName];
  if (tag !== undefined) return tag;
  let rank = NAMES.length;
  for (const names of [classOf(element), element.getAttribute("id") ?? ""]) {
    for (const name of names.split(/\s+/)) rank = Math.min(rank, rankOf(name));
  }
  return NAMES[rank]?.[0];
}

const MAX_NAME = 60;
const ranks = new BoundedMap<string, number>(10_000);

/** The place of a class name or id in {@link NAMES}, their number for one that says nothing. */
function rankOf(name: string): number {
  if (name === "" || name.length > MAX_NAME) return NAMES.length;
  const cached = ranks.get(name);
  if (cached !== undefined) return cached;
  const plain = name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/[_-]+/g, "-")
    .toLowerCase();
  const place = NAMES.findIndex(([, pattern]) => pattern.test(plain));
  const rank = place < 0 ? NAMES.length : place;
  ranks.set(name, rank);
  return rank;
}
