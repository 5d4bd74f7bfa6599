import { afterEach, expect, test } from "bun:test";
import type { OutboxEvent } from "@isnad/lib/store";
import { type Receiver, startReceiver } from "../testing/receivers.ts";
import { readTarget, signature, webhook } from "./webhook.ts";

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
  data: {},
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

test("the signature is the HMAC of RFC 4231, test case 2", () => {
  expect(signature("what do ya want for nothing?", "Jefe")).toBe(
    "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("the body is signed as UTF-8", () => {
  expect(signature("إسناد", "سر")).toBe(signature(Buffer.from("إسناد").toString(), "سر"));
  expect(signature("إسناد", "a")).not.toBe(signature("إسناد", "b"));
});

test.each([
  ["http://127.0.0.1:9000/hook", "127.0.0.1:9000"],
  ["http://2130706433/hook", "127.0.0.1:80"],
  ["https://[::1]/hook", "[::1]:443"],
  ["http://localhost/hook", "localhost:80"],
  ["http://receiver:8000/hook", "receiver:8000"],
  ["https://hooks.corp.internal./a", "hooks.corp.internal:443"],
  ["https://93.184.215.14/a", "93.184.215.14:443"],
])("%s plainly names its host", (url, privateHost) => {
  expect(readTarget(url).privateHost).toBe(privateHost);
});

test.each(["https://hooks.example.com/a", "https://internal.example.com/a", "https://127.0.0.1.nip.io/a"])(
  "%s may not lead to a private address by itself",
  (url) => {
    expect(readTarget(url).privateHost).toBe("");
  },
);

test("a user and a password become a header", () => {
  expect(readTarget("https://desk:p%40ss@hooks.example.com/a?b=c")).toEqual({
    address: "https://hooks.example.com/a?b=c",
    headers: { Authorization: `Basic ${Buffer.from("desk:p@ss").toString("base64")}` },
    privateHost: "",
  });
  expect(readTarget("https://hooks.example.com/a").headers).toEqual({});
  const odd = Buffer.from("100%:x").toString("base64");
  expect(readTarget("https://100%:x@hooks.example.com/").headers).toEqual({ Authorization: `Basic ${odd}` });
});
