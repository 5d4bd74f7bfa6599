import { createHash } from "node:crypto";
import { VERSION } from "@isnad/lib/config";
import type { OutboxEvent } from "@isnad/lib/store";
import { payload } from "./payload.ts";
import type { Consumer, Failure } from "./relay.ts";
import { signature } from "./signature.ts";

/** Requests to one receiver that are under way at the same time; each carries an event of another article. */
const PARALLEL = 8;

/** Where and how events are posted. */
export type WebhookOptions = {
  url: string;
  /** Key of the HMAC in `X-Signature`. */
  secret: string;
  /** How long a receiver may take to answer, in milliseconds (10,000). */
  timeoutMs?: number;
};

/**
 * A consumer that posts each event as JSON to a URL. Delivered means any 2xx answer; everything else, redirects included, is a
 * failure and is tried again later.
 */
export function webhook({ url, secret, timeoutMs = 10_000 }: WebhookOptions): Consumer {
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
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: {
          "Content-Type": "application/json",
          "User-Agent": `isnad/${VERSION}`,
          "X-Event-Id": String(event.id),
          "X-Event-Type": event.type,
          "X-Signature": signature(body, secret),
        },
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      await response.body?.cancel();
      return response.ok ? null : `answered ${response.status}`;
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
  }
}
