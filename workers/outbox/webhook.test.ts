import { afterEach, expect, test } from "bun:test";
import type { OutboxEvent } from "@isnad/lib/store";
import { type Receiver, startReceiver } from "../testing/receiver.ts";
import { webhook } from "./webhook.ts";

const receivers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});

function receiver(): Receiver {
  const started = startReceiver();
  receivers.push(started);
  return started;
}

const event: OutboxEvent = {
  id: 7,
  type: "article.upserted",
  occurredAt: "2026-11-21T10:00:00.000Z",
  articleId: 3,
  article: {
    article_id: 3,
    doc_id: "8f14e45f-ceea-467f-a1d4-b0c5e1f0a3d2",
    source_id: "s",
    url: "https://news.example/3",
    title: "عنوان",
    lang: "ar",
    published_at: null,
    content_hash: "ab".repeat(32),
  },
  attempts: 0,
  revision: null,
};
const signal = new AbortController().signal;
const secret = "s";
/** Answers every name with this machine's own address. */
const resolver = async () => [{ address: "127.0.0.1", family: 4 }];

test("a name that looks public and leads to a private address is refused until it is named", async () => {
  const hook = receiver();
  const url = hook.url.replace("127.0.0.1", "hooks.example.com");
  const reason = "private-address: its host must be named in OUTBOX_ALLOW_PRIVATE_HOSTS";
  expect(await webhook({ url, secret, resolver }).deliver([event], signal)).toEqual([{ id: 7, reason }]);
  expect(hook.received).toEqual([]);
  const allowed = webhook({ url, secret, resolver, allowPrivateHosts: "10.0.0.0/8, hooks.example.com" });
  expect(await allowed.deliver([event], signal)).toEqual([]);
  expect(hook.received).toHaveLength(1);
});

test("a private host that the URL plainly names needs no leave, on its own port only", async () => {
  const [hook, other] = [receiver(), receiver()];
  const url = hook.url.replace("127.0.0.1", "receiver");
  expect(await webhook({ url, secret, resolver }).deliver([event], signal)).toEqual([]);
  hook.answer = () => Response.redirect(other.url, 308);
  expect(await webhook({ url, secret, resolver }).deliver([event], signal)).toEqual([
    { id: 7, reason: "answered 308" },
  ]);
  expect([hook.received.length, other.received.length]).toEqual([1, 0]);
});

test("user and password of the URL are sent as a header, and no reason repeats the address", async () => {
  const hook = receiver();
  const url = hook.url.replace("http://", "http://desk:hush@");
  await webhook({ url, secret }).deliver([event], signal);
  expect(hook.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from("desk:hush").toString("base64")}`);
  await hook.stop();
  const failures = await webhook({ url, secret }).deliver([event], signal);
  expect(failures).toEqual([{ id: 7, reason: "connect-failed" }]);
});

test("an answer is enough: its body is not waited for", async () => {
  const hook = receiver();
  hook.answer = () => new Response(new ReadableStream({ start: (body) => body.enqueue("…") }));
  expect(await webhook({ url: hook.url, secret }).deliver([event], signal)).toEqual([]);
});

test("what is under way when the relay stops is given up", async () => {
  const hook = receiver();
  const stopping = new AbortController();
  hook.answer = () => {
    stopping.abort();
    return new Promise<Response>(() => {});
  };
  const failures = await webhook({ url: hook.url, secret }).deliver([event], stopping.signal);
  expect(failures).toEqual([{ id: 7, reason: "aborted" }]);
});
