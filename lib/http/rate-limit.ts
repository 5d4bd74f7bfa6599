import { BoundedMap } from "@isnad/lib/std";
import { AppError } from "./app-error.ts";

/** Clients that are kept in mind. */
const CLIENTS = 10_000;
const MINUTE_MS = 60_000;

/**
 * Makes a function that counts a request of a client, and throws an {@link AppError} `rate-limit-exceeded` with
 * `Retry-After` where that client had `perMinute` of them in the last 60 seconds. A refused request does not count.
 */
export function createRateLimit(
  perMinute: number,
  { now = () => performance.now() }: { now?: () => number } = {},
): (client: string) => void {
  const served = new BoundedMap<string, number[]>(CLIENTS);
  return (client) => {
    const at = now();
    const times = (served.get(client) ?? []).filter((time) => time > at - MINUTE_MS);
    const [first = at] = times;
    if (times.length >= perMinute) {
      throw new AppError("rate-limit-exceeded", "Rate limit exceeded. Please retry later.", {
        headers: { "Retry-After": String(Math.max(1, Math.ceil((first + MINUTE_MS - at) / 1000))) },
      });
    }
    served.set(client, [...times, at]);
  };
}
