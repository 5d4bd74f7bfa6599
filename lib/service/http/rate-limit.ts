import { BoundedMap } from "../../std/mod.ts";
import { AppError, retryAfter } from "./problem.ts";

/** Clients that are kept in mind. */
const CLIENTS = 10_000;
const MINUTE_MS = 60_000;

/** Counts a request of a client over all processes; resolves to the seconds to wait where it had too many. */
export type SharedCount = (client: string, perMinute: number) => Promise<number | undefined>;

/**
 * Returns the same as {@link createRateLimit}, over all processes that share `count`; while it cannot be asked, each
 * process counts by itself.
 */
export function createSharedRateLimit(
  perMinute: number,
  { count, isAway }: { count: SharedCount; isAway(error: unknown): boolean },
): (client: string) => Promise<void> {
  const alone = createRateLimit(perMinute);
  return async (client) => {
    let waitS: number | undefined;
    try {
      waitS = await count(client, perMinute);
    } catch (error) {
      if (!isAway(error)) throw error;
      return alone(client);
    }
    if (waitS !== undefined) throw refusal(waitS);
  };
}

function refusal(waitS: number): AppError {
  return new AppError("rate-limit-exceeded", "Rate limit exceeded. Please retry later.", {
    headers: retryAfter(waitS),
  });
}

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
      throw refusal(Math.max(1, Math.ceil((first + MINUTE_MS - at) / 1000)));
    }
    served.set(client, [...times, at]);
  };
}
