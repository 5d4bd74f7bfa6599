import { createHash, createHmac } from "node:crypto";
import { isIP } from "node:net";
import { VERSION } from "@isnad/lib/service/config";
import { z } from "@isnad/lib/service/http";
import type { OutboxEvent } from "@isnad/lib/store";
import { createFetcher, EgressError, type Resolver } from "@isnad/lib/web/egress";
import type { Consumer, Failure } from "./relay.ts";

/** The value of `X-Signature`: `sha256=` and the HMAC-SHA-256 of the body's bytes under the secret, in hex. */
export function signature(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body, "utf8").digest("hex")}`;
}

/** The address of a webhook. */
type WebhookTarget = {
  /** Without user and password. */
  address: string;
  /** `Authorization`, when the URL has a user or password. */
  headers: Record<string, string>;
  /** The URL's own host, as an allow-list takes it, when it plainly names a private one; else "". */
  privateHost: string;
};

/** Endings of names that never are on the public internet (RFC 6761, 6762, 8375; .internal by ICANN). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/i;

/**
 * Reads the URL of a webhook. Who writes an address, `localhost`, a name of one word or under a private ending means a
 * private host; a name that looks public and leads to a private address may be somebody's trick.
 */
export function readTarget(url: string): WebhookTarget {
  const target = new URL(url);
  const host = target.hostname.replace(/\.$/, "");
  const isPrivate = isIP(host.replace(/^\[|\]$/g, "")) !== 0 || !host.includes(".") || PRIVATE_NAME.test(host);
  const port = target.port === "" ? (target.protocol === "https:" ? "443" : "80") : target.port;
  const { username, password } = target;
  target.username = "";
  target.password = "";
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
  return {
    address: target.href,
    headers: username === "" && password === "" ? {} : { Authorization: `Basic ${login}` },
    privateHost: isPrivate ? `${host}:${port}` : "",
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Requests to one receiver that are under way at the same time; each carries an event of another subject. */
const PARALLEL = 8;

/** The rules that events are posted by. */
export type PostOptions = {
  /** Private hosts that may be reached, as `readAllowList` of lib/web/egress takes them. */
  allowPrivateHosts: string;
  resolver?: Resolver | undefined;
  /** Says how long a receiver may take to answer, in milliseconds (10,000). */
  timeoutMs?: number | undefined;
};

/** An event as it is posted. */
export type Posting = {
  id: number;
  type: string;
  body: object;
  /** Key of the HMAC in `X-Signature`. */
  secret: string;
  /** Counts how often it was sent before. */
  attempts: number;
};

/** Says why something was not taken, and when it may be sent again, where the receiver says so. */
export type Refusal = { reason: string; retryAfterMs?: number | undefined };

/** A request to a receiver. */
export type WebhookRequest = {
  address: string;
  method?: "POST" | "PUT";
  headers: Record<string, string>;
  body: string;
  /** True where the body of a refusal is read; else the status is enough, and no body is waited for. */
  readsRefusal?: boolean;
};

/** Sends a request; returns why it was not taken, null where it was. */
type Request = (request: WebhookRequest, signal: AbortSignal) => Promise<Refusal | null>;

/** Bytes of a refusal that are read: some services say there, not in a header, when to come again. */
const MAX_REFUSAL_BYTES = 4_096;

/** Makes what sends to receivers: taken means any 2xx answer, everything else, redirects included, is a failure. */
export function createRequest({ allowPrivateHosts, resolver, timeoutMs = 10_000 }: PostOptions): Request {
  const fetch = createFetcher({
    userAgent: `isnad/${VERSION}`,
    allowPrivateHosts,
    ...(resolver !== undefined && { resolver }),
  });
  return async ({ address, method = "POST", headers, body, readsRefusal = false }, signal) => {
    try {
      const answer = await fetch(address, {
        ...{ method, body, maxRedirects: 0, overflow: "cut" },
        maxBytes: readsRefusal ? MAX_REFUSAL_BYTES : 0,
        headers: { Accept: "*/*", ...headers },
        timeoutMs,
        signal,
      });
      if (answer.ok) return null;
      const retryAfterMs = answer.retryAfterMs ?? saidRetryAfterMs(answer.text().text);
      return { reason: `answered ${answer.status}`, retryAfterMs };
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  };
}

/** Holds where Telegram (seconds) and Matrix (milliseconds) say when to come again. */
const RetryAfter = z.object({
  parameters: z.object({ retry_after: z.number().positive() }).optional().catch(undefined),
  retry_after_ms: z.number().positive().optional().catch(undefined),
});

function saidRetryAfterMs(body: string): number | undefined {
  const { data } = RetryAfter.safeParse(parsedJson(body));
  const seconds = data?.parameters?.retry_after;
  return seconds === undefined ? data?.retry_after_ms : seconds * 1000;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Posts an event as JSON, signed; returns why it was not taken, null where it was. */
type Post = (target: WebhookTarget, event: Posting, signal: AbortSignal) => Promise<Refusal | null>;

/** Makes what posts events. */
export function createPost(options: PostOptions): Post {
  const request = createRequest(options);
  return async ({ address, headers }, { id, type, body, attempts, secret }, signal) => {
    const text = JSON.stringify(body);
    const signed = {
      ...headers,
      "Content-Type": "application/json",
      "X-Event-Id": String(id),
      "X-Event-Type": type,
      "X-Event-Attempt": String(attempts + 1),
      "X-Signature": signature(text, secret),
    };
    return await request({ address, headers: signed, body: text }, signal);
  };
}

/** Sends events, some at a time; returns those that were not taken. */
export async function deliverEach(
  events: readonly OutboxEvent[],
  send: (event: Omit<Posting, "secret">) => Promise<Refusal | null>,
): Promise<Failure[]> {
  const failed: Failure[] = [];
  const waiting = [...events];
  const work = async () => {
    for (let event = waiting.shift(); event; event = waiting.shift()) {
      const { id, type, attempts } = event;
      const refusal = await send({ id, type, attempts, body: payload(event) });
      if (refusal !== null) failed.push({ id, ...refusal });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return failed;
}

/** The address that events are posted to, and the rules. */
type WebhookOptions = Partial<PostOptions> & {
  url: string;
  /** Key of the HMAC in `X-Signature`. */
  secret: string;
};

/**
 * A consumer that posts each event as JSON to a URL. What fails is tried again later. The URL may lead to the private
 * host that it plainly names.
 */
export function webhook({ url, secret, allowPrivateHosts = "", ...options }: WebhookOptions): Consumer {
  const target = readTarget(url);
  const post = createPost({ ...options, allowPrivateHosts: `${allowPrivateHosts} ${target.privateHost}` });
  return {
    name: `webhook:${createHash("sha256").update(url).digest("hex").slice(0, 16)}`,
    batch: 8 * PARALLEL,
    deliver: (events, signal) => deliverEach(events, (event) => post(target, { ...event, secret }, signal)),
  };
}

/** Without the address, whose path may be as good as a password. */
function reasonOf(error: unknown): string {
  if (!(error instanceof EgressError)) return error instanceof Error ? error.name : String(error);
  if (error.code !== "private-address") return error.code;
  return "private-address: its host must be named in OUTBOX_ALLOW_PRIVATE_HOSTS";
}

/** Returns the event in the form in which it is sent (`WebhookEvent` of lib/contract). */
function payload({ id, type, occurredAt, article, data }: OutboxEvent): object {
  return { id, type, occurred_at: occurredAt, ...(article !== null && { article }), ...data };
}
