import { afterAll, beforeEach, expect, test } from "bun:test";
import { z } from "@isnad/lib/service/http";
import type { OutboxEvent } from "@isnad/lib/store";
import { type MailServer, startMailServer } from "../testing/receivers.ts";
import { createMail, createSend, notices, type SendOptions } from "./send.ts";
import { delayS } from "./relay.ts";

/** Holds a request that an imitation of a service got. */
type Asked = { method: string; path: string; headers: Headers; body: z.output<typeof Body> };

const Body = z.record(z.string(), z.unknown());

const asked: Asked[] = [];
let answer: (asked: Asked) => Response = () => Response.json({ ok: true });
const server = Bun.serve({
  ...{ port: 0, hostname: "127.0.0.1" },
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    const one: Asked = {
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body: Body.parse(await request.json()),
    };
    asked.push(one);
    return answer(one);
  },
});
const host = `127.0.0.1:${server.port}`;
const mailServer: MailServer = await startMailServer();
const mailUrl = mailServer.url.replace("//", "//user:pass@");

beforeEach(() => {
  asked.splice(0);
  mailServer.taken.splice(0);
  answer = () => Response.json({ ok: true });
  mailServer.answer = () => undefined;
});
afterAll(async () => {
  await server.stop(true);
  await mailServer.stop();
});

const HOSTILE = '<!channel> *شعار* & <b onmouseover="x">|</b>';
const article = {
  article_id: 3,
  doc_id: "8f14e45f-ceea-467f-a1d4-b0c5e1f0a3d2",
  source_id: "alwatan",
  url: 'https://news.example/3?a=1&b="2"',
  title: HOSTILE,
  lang: "ar",
  published_at: null,
  content_hash: "ab".repeat(32),
};
const body = {
  id: 7,
  type: "search.matched",
  occurred_at: "2026-11-21T10:00:05.000Z",
  article,
  search_id: 1,
  name: "A & B",
};
const event = { id: 7, type: "search.matched", body, attempts: 0, secret: "s" };
const signal = new AbortController().signal;
const options: SendOptions = {
  ...{ allowPrivateHosts: host, timeoutMs: 60_000 },
  notices: { lang: "en", baseUrl: "https://isnad.example" },
  mail: createMail({ url: mailUrl, from: "Isnad <isnad@news.example>", timeoutMs: 60_000 }),
};
const send = (address: string, over: Partial<SendOptions> = {}) =>
  createSend({ ...options, ...over })(address, event, signal);

test("Slack gets rich text, in which no character of a headline means anything, and a text that is escaped", async () => {
  expect(await send(`slack+http://${host}/services/T/B/secret`)).toBeNull();
  expect(asked).toMatchObject([{ method: "POST", path: "/services/T/B/secret" }]);
  const sent = asked[0]?.body;
  expect(sent?.text).toStartWith('A &amp; B\n&lt;!channel&gt; *شعار* &amp; &lt;b onmouseover="x"&gt;|&lt;/b&gt;\n');
  expect(sent?.blocks).toMatchObject([
    {
      type: "rich_text",
      elements: [
        {
          elements: [
            { type: "text", text: "A & B", style: { bold: true } },
            { type: "text", text: "\n" },
            { type: "link", url: article.url, text: HOSTILE },
            ...[{}, {}, {}],
            { type: "link", url: "https://isnad.example/articles/3" },
          ],
        },
      ],
    },
  ]);
});

test("Telegram gets HTML for the chat that the address names, its token in the path alone", async () => {
  expect(await send(`telegram+http://${host}/bot7:secret/sendMessage?chat_id=-10&message_thread_id=4`)).toBeNull();
  expect(asked).toMatchObject([
    { path: "/bot7:secret/sendMessage", body: { chat_id: "-10", message_thread_id: "4", parse_mode: "HTML" } },
  ]);
  expect(asked[0]?.body.text).toStartWith(
    '<b>A &amp; B</b>\n<a href="https://news.example/3?a=1&amp;b=&quot;2&quot;">&lt;!channel&gt; *شعار* &amp; ',
  );
  expect(JSON.stringify(asked[0]?.body)).not.toContain("secret");
});

test("Matrix gets a notice in its room under a number of its own, with the token as a header", async () => {
  const address = `matrix+http://:se%2Fcret@${host}/!room:matrix.example`;
  expect([await send(address), await send(address)]).toEqual([null, null]);
  // Sent again, it is the same message to the server.
  expect(new Set(asked.map(({ path }) => path)).size).toBe(1);
  expect(asked[0]).toMatchObject({
    method: "PUT",
    path: expect.stringMatching(
      /^\/_matrix\/client\/v3\/rooms\/!room%3Amatrix\.example\/send\/m\.room\.message\/isnad-7-[0-9a-f]{16}$/,
    ),
    body: {
      msgtype: "m.notice",
      body: expect.stringContaining(`A & B\n${HOSTILE}\nhttps://news.example/3`),
      formatted_body: expect.stringContaining("<b>A &amp; B</b><br><a href="),
    },
  });
  expect(asked[0]?.headers.get("authorization")).toBe("Bearer se/cret");
});

test("ntfy gets its topic, title and text, and a click that leads to the desk", async () => {
  expect(await send(`ntfy+http://reader:se%20cret@${host}/deep/ports`)).toBeNull();
  expect(asked).toMatchObject([
    {
      path: "/deep/",
      body: { topic: "ports", title: "A & B", click: "https://isnad.example/articles/3" },
    },
  ]);
  expect(asked[0]?.body.message).toStartWith(`${HOSTILE}\n${article.url}\n`);
  expect(asked[0]?.headers.get("authorization")).toBe(`Basic ${btoa("reader:se cret")}`);
});

test("ntfy gets no more than it shows as one message", async () => {
  const url = `https://news.example/${"x".repeat(900)}`;
  const matches = Array.from({ length: 12 }, (_, id) => ({
    ...{ id, matched_at: body.occurred_at },
    article: { ...article, url },
  }));
  const digest = { ...body, type: "search.digest", matches };
  await createSend(options)(`ntfy+http://${host}/ports`, { ...event, body: digest }, signal);
  const message = String(asked[0]?.body.message);
  expect(Buffer.byteLength(message)).toBeLessThan(4_096);
  expect(message).toEndWith("\n…");
});

test("e-mail goes through the operator's server, signed in, as text and as HTML with a direction of its own", async () => {
  expect(await send("mailto:desk@news.example")).toBeNull();
  const [{ to = [], source = "" } = {}] = mailServer.taken;
  expect(to).toEqual(["desk@news.example"]);
  expect(source).toContain("From: Isnad <isnad@news.example>");
  expect(source).toContain("Auto-Submitted: auto-generated");
  expect(source).toMatch(/^Message-ID: <isnad-7-[0-9a-f]{16}@isnad\.invalid>$/im);
  const html = decoded(source.slice(source.indexOf("text/html")));
  expect(html).toStartWith('<p dir="auto"><b>A &amp; B</b></p>\r\n<p dir="auto"><a href=');
  expect(html).toContain("*شعار* &amp; &lt;b onmouseover=&quot;x&quot;&gt;");
});

/** Returns the first body of a letter's source behind its headers, decoded as they say. */
function decoded(source: string): string {
  const [headers = "", text = ""] = source.split("\r\n\r\n");
  if (/base64/i.test(headers)) return Buffer.from(text, "base64").toString();
  const bytes = text
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
  return Buffer.from(bytes, "latin1").toString();
}

test("a mail server that refuses is named by its number, and one that cannot be used by its code", async () => {
  mailServer.answer = (command) => (command.startsWith("RCPT") ? "550 no such box: desk@news.example" : undefined);
  expect(await send("mailto:desk@news.example")).toEqual({ reason: "the mail server answered 550" });
  const closed = createMail({ url: "smtp://127.0.0.1:1", from: "a@b.example", timeoutMs: 500 });
  const refusal = await send("mailto:desk@news.example", { mail: closed });
  expect(refusal?.reason).toMatch(/^the mail server could not be used: E[A-Z]+$/);
  expect(await send("mailto:desk@news.example", { mail: undefined })).toEqual({ reason: "SMTP_URL is not set" });
});

test.each([
  [429, { "retry-after": "90" }, {}, 90_000],
  [429, {}, { ok: false, parameters: { retry_after: 7 } }, 7_000],
  [429, {}, { errcode: "M_LIMIT_EXCEEDED", retry_after_ms: 2500 }, 2_500],
  [400, {}, { description: "chat not found" }, undefined],
] as const)(
  "a refusal with %d, headers %j and body %j says when to come again",
  async (status, headers, said, after) => {
    answer = () => Response.json(said, { status, headers });
    const refusal = await send(`telegram+http://${host}/bot7:secret/sendMessage?chat_id=1`);
    expect(refusal).toEqual({ reason: `answered ${status}`, retryAfterMs: after });
  },
);

test("what was refused waits as long as the receiver asks, within reason, and never less than usual", () => {
  expect([delayS(5), delayS(5, 90_000), delayS(100, 90_000), delayS(5, 9e9)]).toEqual([5, 90, 100, 21_600]);
});

test("a service at a private address is not asked unless it is allowed, whatever its form", async () => {
  for (const address of [
    `slack+http://${host}/x`,
    `telegram+http://${host}/bot/sendMessage?chat_id=1`,
    `matrix+http://:t@${host}/!r:m`,
    `ntfy+http://${host}/topic`,
  ]) {
    const refusal = await send(address, { allowPrivateHosts: "" });
    expect(refusal?.reason).toStartWith("private-address");
  }
  expect(asked).toEqual([]);
});

test("an address of the operator's is told of the kinds of events that it is to be told of, and takes the rest", async () => {
  const source = { key: "alwatan", name: "الوطن", last_day: 1, usual: 34 };
  const events: OutboxEvent[] = (["source.quiet", "story.merged", "source.usual"] as const).map((type, id) => ({
    ...{ id, type, occurredAt: body.occurred_at, articleId: null, article: null, attempts: 0 },
    data: type === "story.merged" ? { story_id: 1, merged_into: 2 } : { source },
  }));
  const address = `ntfy+http://${host}/desk`;
  const consumer = notices({ ...options, address, events: ["source.quiet", "story.merged"], allowPrivateHosts: "" });
  expect(await consumer.deliver(events, signal)).toEqual([]);
  expect(asked.map((one) => one.body.title)).toEqual(["\u2068الوطن\u2069 has gone quiet"]);
  expect(consumer.name).toMatch(/^notice:[0-9a-f]{16}$/);
  answer = () => new Response("", { status: 503 });
  expect(await consumer.deliver(events, signal)).toEqual([{ id: 0, reason: "answered 503", retryAfterMs: undefined }]);
});
