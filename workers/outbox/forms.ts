import type { HookAddress, HookForm } from "@isnad/lib/contract";
import type { Notice, NoticeLine } from "./notice.ts";
import { readTarget, type WebhookRequest } from "./webhook.ts";

/** The address of a service that takes notices by HTTP. */
export type ServiceAddress = Extract<HookAddress, { url: URL }> & { form: Exclude<HookForm, "json" | "email"> };

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
  const text = [title, ...lines.map(({ text }) => text)].map(escapeHtml).join("\n");
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
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
