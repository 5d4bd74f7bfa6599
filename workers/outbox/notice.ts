import type { EventArticle, HookAddress, HookForm, WebhookEvent } from "@isnad/lib/contract";
import { readTarget, type WebhookRequest } from "./webhook.ts";

/** The languages of notices. */
type NoticeLang = "en" | "ar";

/** A line of a notice: what it says, and where that leads. */
type NoticeLine = { text: string; url?: string };

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

/** The address of a service that takes notices by HTTP. */
type ServiceAddress = Extract<HookAddress, { url: URL }> & { form: Exclude<HookForm, "json" | "email"> };

/** Longest message that ntfy shows as one, in bytes; longer ones become attachments. */
const NTFY_BYTES = 4_096;

/** Room within a message of ntfy for its last line. */
const NTFY_SPARE_BYTES = 512;

/** Returns the request that gives a notice to a service. `key` names the event: the same one twice is shown once. */
export function requestOf({ form, url }: ServiceAddress, notice: Notice, key: string): WebhookRequest {
  switch (form) {
    case "slack":
      return json(url.href, slackMessage(notice));
    case "telegram":
      return json(`${url.origin}${url.pathname}`, {
        ...Object.fromEntries(url.searchParams),
        text: htmlOf(notice, "\n"),
        parse_mode: "HTML",
        link_preview_options: { is_disabled: true },
      });
    case "matrix":
      return matrixRequest(url, notice, key);
    case "ntfy": {
      const { address, headers } = readTarget(url.href);
      const [base, topic] = splitLast(new URL(address));
      const click = notice.link === undefined ? {} : { click: notice.link };
      const { title } = notice;
      return json(base, { topic, title, message: shortText(notice.lines), ...click }, bearer(url) ?? headers);
    }
  }
}

/** Returns a message for the client-server API of Matrix, v3: `m.notice` is what no other bot answers. */
function matrixRequest(url: URL, notice: Notice, key: string): WebhookRequest {
  const [base, room] = splitLast(new URL(readTarget(url.href).address));
  const path = `_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(key)}`;
  const message = {
    msgtype: "m.notice",
    body: textOf(notice),
    format: "org.matrix.custom.html",
    formatted_body: htmlOf(notice, "<br>"),
  };
  return json(`${base}${path}`, message, bearer(url), "PUT");
}

function json(address: string, body: object, headers: Record<string, string> = {}, method?: "PUT"): WebhookRequest {
  return {
    address,
    ...(method !== undefined && { method }),
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    readsRefusal: true,
  };
}

/** Returns the access token of a URL, its password where it names no user. */
function bearer({ username, password }: URL): Record<string, string> | undefined {
  if (username !== "" || password === "") return undefined;
  return { Authorization: `Bearer ${decodeURIComponent(password)}` };
}

/** Splits a URL before its last segment, which is returned decoded. */
function splitLast({ origin, pathname }: URL): [string, string] {
  const cut = pathname.lastIndexOf("/") + 1;
  return [`${origin}${pathname.slice(0, cut)}`, decodeURIComponent(pathname.slice(cut))];
}

/** Returns a message for an incoming webhook of Slack: rich text, in which no character means anything else. */
function slackMessage({ title, lines }: Notice) {
  const line = ({ text, url }: NoticeLine) =>
    url === undefined ? { type: "text", text } : { type: "link", url, text };
  const elements = [
    { type: "text", text: title, style: { bold: true } },
    ...lines.flatMap((each) => [{ type: "text", text: "\n" }, line(each)]),
  ];
  const section = { type: "rich_text_section", elements };
  // What a phone shows of it, and what servers show that know webhooks of Slack and none of its blocks.
  const text = [title, ...lines.map(({ text }) => text)].map(escapeText).join("\n");
  return { text, blocks: [{ type: "rich_text", elements: [section] }], unfurl_links: false, unfurl_media: false };
}

/** Returns a notice as text without form. */
export function textOf({ title, lines }: Notice): string {
  return [title, ...lines.map(plain)].join("\n");
}

function plain({ text, url }: NoticeLine): string {
  return url === undefined ? text : `${text}\n${url}`;
}

/** Returns the lines that ntfy has room for. */
function shortText(lines: readonly NoticeLine[]): string {
  const taken: string[] = [];
  let bytes = 0;
  for (const line of lines.map(plain)) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > NTFY_BYTES - NTFY_SPARE_BYTES) return [...taken, "…"].join("\n");
    taken.push(line);
  }
  return taken.join("\n");
}

/** Returns a notice as HTML of the elements `b` and `a`, its lines parted by `separator`. */
export function htmlOf({ title, lines }: Notice, separator: string): string {
  const linked = ({ text, url }: NoticeLine) =>
    url === undefined ? escapeHtml(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
  return [`<b>${escapeHtml(title)}</b>`, ...lines.map(linked)].join(separator);
}

function escapeHtml(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;");
}

/** Escapes what Slack takes for its own; it shows any other entity as it is written. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
