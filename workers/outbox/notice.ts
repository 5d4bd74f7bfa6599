import type { EventArticle, WebhookEvent } from "@isnad/lib/contract";

/** The languages of notices. */
export type NoticeLang = "en" | "ar";

/** A line of a notice: what it says, and where that leads. */
export type NoticeLine = { text: string; url?: string };

/** Holds what people are told of an event: text without line breaks, controls and marks of direction of its own. */
export type Notice = { title: string; lines: NoticeLine[]; link?: string };

/** Rules of notices: their language, and the address of the desk. */
export type NoticeRules = { lang: NoticeLang; baseUrl: string };

/** Longest line, in code points, and the most headlines of a digest. */
const MAX_LINE = 240;
const MAX_HEADLINES = 10;

/** Holds what notices say, in both languages; what is put between is set apart from the direction around it. */
const PHRASES = {
  en: {
    "article.upserted": "New article",
    "article.revised": "Changed at its source",
    "article.deleted": "Deleted here",
    "story.created": "New story",
    "story.updated": "A story goes on",
    "claim.repeated": "A refuted claim is repeated",
    matches: (name: string, count: number) => `${name}: ${count} ${count === 1 ? "match" : "matches"}`,
    more: (count: number) => `and ${count} more`,
    articles: (count: number) => `${count} articles`,
    quiet: (name: string) => `${name} has gone quiet`,
    doubled: (name: string) => `${name} brings twice as much as usual`,
    usual: (name: string) => `${name} is back to its usual`,
    volume: (lastDay: number, usual: number) => `${lastDay} articles in 24 hours, usually ${usual}`,
    rating: (publisher: string, rating: number | null) =>
      rating === null ? publisher : `${publisher}: ${rating} of 5 (1 is false)`,
    desk: "Open in Isnad",
  },
  ar: {
    "article.upserted": "مقال جديد",
    "article.revised": "تغيّر عند مصدره",
    "article.deleted": "حُذف هنا",
    "story.created": "قصة جديدة",
    "story.updated": "جديد في قصة",
    "claim.repeated": "ادعاء سبق تفنيده يتكرر",
    matches: (name: string, count: number) => `${name}: عدد النتائج ${count}`,
    more: (count: number) => `وغيرها: ${count}`,
    articles: (count: number) => `عدد المقالات: ${count}`,
    quiet: (name: string) => `سكت المصدر ${name}`,
    doubled: (name: string) => `تضاعف ما يأتي من المصدر ${name}`,
    usual: (name: string) => `عاد المصدر ${name} إلى معتاده`,
    volume: (lastDay: number, usual: number) => `عدد المقالات خلال 24 ساعة: ${lastDay}، والمعتاد ${usual}`,
    rating: (publisher: string, rating: number | null) =>
      rating === null ? publisher : `${publisher}: ${rating} من 5 (1 يعني غير صحيح)`,
    desk: "افتح في إسناد",
  },
} as const;

/** Returns what people are told of an event; undefined where there is nothing to tell. */
export function noticeOf(event: WebhookEvent, { lang, baseUrl }: NoticeRules): Notice | undefined {
  const say = PHRASES[lang];
  const desk = (path: string): Pick<Notice, "lines" | "link"> => {
    const url = `${baseUrl.replace(/\/$/, "")}${path}`;
    return { lines: [{ text: say.desk, url }], link: url };
  };
  switch (event.type) {
    case "search.matched": {
      const { lines, link } = desk(`/articles/${event.article.article_id}`);
      return notice(fit(event.name), [...headline(event.article), ...lines], link);
    }
    case "search.digest": {
      const { lines, link } = desk("/searches");
      const headlines = event.matches.slice(0, MAX_HEADLINES).map(({ article }) => titled(article));
      const more = event.matches.length - headlines.length;
      const rest = more > 0 ? [{ text: say.more(more) }] : [];
      return notice(say.matches(isolated(event.name), event.matches.length), [...headlines, ...rest, ...lines], link);
    }
    case "article.upserted":
    case "article.revised": {
      const { lines, link } = desk(`/articles/${event.article.article_id}`);
      return notice(say[event.type], [...headline(event.article), ...lines], link);
    }
    case "article.deleted":
      return notice(say[event.type], headline(event.article), undefined);
    case "story.created":
    case "story.updated": {
      const { story_id, title, size } = event.story;
      const { lines, link } = desk(`/stories/${story_id}`);
      const named = title === null ? [] : [{ text: fit(title) }];
      return notice(say[event.type], [...named, { text: say.articles(size) }, ...lines], link);
    }
    case "claim.repeated": {
      const { lines, link } = desk(`/articles/${event.article.article_id}`);
      const reviews = event.reviews.map(({ publisher, rating, url }) => ({
        text: say.rating(isolated(publisher), rating),
        ...(url !== null && { url }),
      }));
      return notice(
        say[event.type],
        [{ text: fit(event.claim.text) }, ...headline(event.article), ...reviews, ...lines],
        link,
      );
    }
    case "source.quiet":
    case "source.doubled":
    case "source.usual": {
      const { name, last_day, usual } = event.source;
      const { lines, link } = desk("/sources");
      const counts = usual === null ? [] : [{ text: say.volume(last_day, Math.round(usual)) }];
      const state = { "source.quiet": say.quiet, "source.doubled": say.doubled, "source.usual": say.usual }[event.type];
      return notice(state(isolated(name)), [...counts, ...lines], link);
    }
    default:
      return undefined;
  }
}

/** Returns the lines of an article: its headline, its source and its time. */
function headline(article: EventArticle): NoticeLine[] {
  const time = article.published_at === null ? "" : ` · ${article.published_at.slice(0, 16).replace("T", " ")} UTC`;
  return [titled(article), { text: `${isolated(article.source_id)}${time}` }];
}

function titled({ title, url }: EventArticle): NoticeLine {
  return { text: fit(title), url };
}

function notice(title: string, lines: NoticeLine[], link: string | undefined): Notice {
  return { title, lines, ...(link !== undefined && { link }) };
}

/** Breaks of lines, controls, and the marks that would turn what stands after them (UAX #9). */
const UNFIT = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text of somebody else's as a line, or as a part of one. */
function fit(text: string): string {
  const points = [...text.slice(0, 4 * MAX_LINE).replace(UNFIT, " ")];
  if (points.length <= MAX_LINE) return points.join("").trim() || "–";
  return `${points.slice(0, MAX_LINE - 1).join("")}…`;
}

/** Returns a text of somebody else's for use within a sentence: it has its own direction and changes no other. */
function isolated(text: string): string {
  return `\u2068${fit(text)}\u2069`;
}
