import { createHash } from "node:crypto";
import { VERSION } from "@isnad/lib/service/config";
import type { ArticleEvent } from "@isnad/lib/contract";
import { createFetcher, EgressError, type Resolver } from "@isnad/lib/web/egress";
import type { OutboxEvent } from "@isnad/lib/store";
import type { Consumer, Failure } from "./relay.ts";
import { signature } from "./signature.ts";
import { readTarget } from "./webhook-target.ts";

/** Requests to one receiver that are under way at the same time; each carries an event of another article. */
const PARALLEL = 8;

/** Where and how events are posted. */
export type WebhookOptions = {
  url: string;
  /** Key of the HMAC in `X-Signature`. */
  secret: string;
  /**
   * Private hosts that the URL may lead to besides the one that it plainly names, as `readAllowList` of lib/web/egress
   * takes them.
   */
  allowPrivateHosts?: string;
  resolver?: Resolver;
  /** How long a receiver may take to answer, in milliseconds (10,000). */
  timeoutMs?: number;
};

/**
 * A consumer that posts each event as JSON to a URL. Delivered means any 2xx answer; everything else, redirects
 * included, is a failure and is tried again later.
 */
export function webhook(options: WebhookOptions): Consumer {
  const { url, secret, allowPrivateHosts = "", resolver, timeoutMs = 10_000 } = options;
  const target = readTarget(url);
  const fetch = createFetcher({
    userAgent: `isnad/${VERSION}`,
    allowPrivateHosts: `${allowPrivateHosts} ${target.privateHost}`,
    ...(resolver !== undefined && { resolver }),
  });
  return {
    name: `webhook:${createHash("sha256").update(url).digest("hex").slice(0, 16)}`,
    batch: 8 * PARALLEL,
    async deliver(events, signal) {
      const failed: Failure[] = [];
      const waiting = [...events];
      const work = async () => {
        for (let event = waiting.shift(); event; event = waiting.shift()) {
          const reason = await post(event, signal);
          if (reason !== null) failed.push({ id: event.id, reason });
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, work));
      return failed;
    },
  };

  /** Posts one event; the reason when it was not taken. */
  async function post(event: OutboxEvent, signal: AbortSignal): Promise<string | null> {
    const body = JSON.stringify(payload(event));
    try {
      const { ok, status } = await fetch(target.address, {
        method: "POST",
        body,
        headers: {
          ...target.headers,
          Accept: "*/*",
          "Content-Type": "application/json",
          "X-Event-Id": String(event.id),
          "X-Event-Type": event.type,
          "X-Signature": signature(body, secret),
        },
        maxRedirects: 0,
        maxBytes: 0,
        timeoutMs,
        signal,
      });
      return ok ? null : `answered ${status}`;
    } catch (error) {
      return reasonOf(error);
    }
  }
}

/** Without the address, whose path may be as good as a password. */
function reasonOf(error: unknown): string {
  if (!(error instanceof EgressError)) return error instanceof Error ? error.name : String(error);
  if (error.code !== "private-address") return error.code;
  return "private-address: its host must be named in OUTBOX_ALLOW_PRIVATE_HOSTS";
}

/** The event in the form in which it is sent. */
function payload(event: OutboxEvent): ArticleEvent {
  const { id, type, occurredAt, article, revision } = event;
  return { id, type, occurred_at: occurredAt, article, ...(revision !== null && { revision }) };
}
