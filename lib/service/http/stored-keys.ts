import type { KeyRecord, KeyUse } from "../../contract/keys.ts";
import { isUnavailable } from "../process/unavailable.ts";
import type { AccessOptions } from "./access.ts";

/** What of a store keys need. */
type KeyStore = {
  keys: { current(used: readonly KeyUse[]): Promise<KeyRecord[]> };
  rateLimits: { count(kind: string, client: string, perMinute: number): Promise<number | undefined> };
};

/** Where a service with a database finds keys, and counts the requests of all processes. */
export function storedKeys({ keys, rateLimits }: KeyStore): Pick<AccessOptions, "keys" | "count"> {
  return {
    keys: { load: (used) => keys.current(used) },
    count: { count: (client, perMinute) => rateLimits.count("requests", client, perMinute), isAway: isUnavailable },
  };
}
