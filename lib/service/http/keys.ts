import { type KeyRecord, KeysAnswer, type KeyUse } from "../../contract/state-v1.ts";
import { BoundedMap } from "../../std/mod.ts";
import type { Config } from "../config/mod.ts";
import { isUnavailable } from "../process/run-main.ts";
import { INTERNAL_HEADER } from "./peer.ts";
import { AppError, retryAfter } from "./problem.ts";

/** Sets how old what is known may be, in milliseconds: a revoked key is refused everywhere within two seconds. */
const MAX_AGE_MS = 1_000;

/** Sets how long a request waits for the keys before it goes by what was known, in milliseconds. */
const WAIT_MS = 800;

/** Sets how often it is told when keys were used, in milliseconds. */
const USED_EVERY_MS = 30_000;

/** Describes where keys come from. */
export type KeySource = {
  /** Notes the uses, and resolves to all keys in force. */
  load(used: readonly KeyUse[]): Promise<readonly KeyRecord[]>;
};

/** The keys in force, kept in memory: no request asks for its own. */
type KeyBook = {
  /** Returns the key whose SHA-256, in hex, this is. */
  find(hash: string): Promise<KeyRecord | undefined>;
  /** Tells whether a key with scope `read` is in force. */
  hasReadKey(): Promise<boolean>;
};

/** Makes a key book. While its source cannot be asked, what was known last holds, but for what expired meanwhile. */
export function createKeyBook(
  { load }: KeySource,
  {
    now = () => performance.now(),
    later = (tell) => setTimeout(tell, USED_EVERY_MS).unref(),
  }: { now?: () => number; later?: (tell: () => void) => unknown } = {},
): KeyBook {
  const used = new Map<string, string>();
  let willTell = false;
  let keys: readonly KeyRecord[] = [];
  let byHash = new Map<string, KeyRecord>();
  let askedAt = Number.NEGATIVE_INFINITY;
  let toldAt = now();
  let loading: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    const isTime = now() - toldAt >= USED_EVERY_MS;
    const uses = isTime ? Array.from(used, ([key_id, at]) => ({ key_id, at })) : [];
    try {
      keys = await load(uses);
      byHash = new Map(keys.map((key) => [key.hash, key]));
      if (!isTime) return;
      toldAt = now();
      for (const { key_id, at } of uses) if (used.get(key_id) === at) used.delete(key_id);
    } catch {
      // Health says that the source is away.
    }
  };

  const current = async (): Promise<void> => {
    if (loading === undefined && now() - askedAt > MAX_AGE_MS) {
      askedAt = now();
      loading = refresh().finally(() => {
        loading = undefined;
      });
    }
    const left = askedAt + WAIT_MS - now();
    if (loading === undefined || left <= 0) return;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, left);
    await Promise.race([loading, late.promise]);
    clearTimeout(timer);
  };

  /** Sees to it that a use is told of even where no other request comes. */
  const tellLater = (): void => {
    if (willTell) return;
    willTell = true;
    later(async () => {
      await current();
      willTell = false;
      if (used.size > 0) tellLater();
    });
  };

  return {
    async find(hash) {
      await current();
      const key = byHash.get(hash);
      if (key === undefined || isOver(key)) return undefined;
      used.set(key.key_id, new Date().toISOString());
      tellLater();
      return key;
    },
    async hasReadKey() {
      await current();
      return keys.some((key) => key.scopes.includes("read") && !isOver(key));
    },
  };
}

function isOver({ expires_at }: KeyRecord): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

/** Holds where the API tells services without a database which keys there are. */
export const KEYS_PATH = "/internal/keys";

/** Sets how long the API is waited for, in milliseconds. */
const DEADLINE_MS = 2_000;

/** Returns the keys as the API tells of them; undefined without an internal token, which it asks for. */
export function remoteKeys({ apiUrl, tokens }: Pick<Config, "apiUrl" | "tokens">): KeySource | undefined {
  const [token] = tokens.internal;
  if (token === undefined) return undefined;
  return {
    async load(used: readonly KeyUse[]) {
      const response = await fetch(`${apiUrl}${KEYS_PATH}`, {
        method: "POST",
        headers: { [INTERNAL_HEADER]: token, "content-type": "application/json" },
        body: JSON.stringify({ used: used.slice(-1_000) }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      if (!response.ok) throw new Error(`the API answers ${response.status} to ${KEYS_PATH}`);
      return KeysAnswer.parse(await response.json()).keys;
    },
  };
}

/** Describes what of a store keys need. */
type KeyStore = {
  keys: { current(used: readonly KeyUse[]): Promise<KeyRecord[]> };
  rateLimits: { count(kind: string, client: string, perMinute: number): Promise<number | undefined> };
};

/** Keys of a database, and the count of requests over all processes. */
type StoredKeys = { keys: KeySource; count: { count: SharedCount; isAway(error: unknown): boolean } };

/** Returns where a service with a database finds keys, and what counts the requests of all processes. */
export function storedKeys({ keys, rateLimits }: KeyStore): StoredKeys {
  return {
    keys: { load: (used) => keys.current(used) },
    count: { count: (client, perMinute) => rateLimits.count("requests", client, perMinute), isAway: isUnavailable },
  };
}

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
