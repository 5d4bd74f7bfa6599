export { type AllowList, readAllowList } from "./address/allow-list.ts";
export { hostWithPort } from "./address/host-with-port.ts";
export { isPublicAddress } from "./address/public.ts";
export { type Resolver, systemResolver } from "./address/resolve.ts";
export { type DecodedText, decodeText } from "./charset/decode.ts";
export { type Clock, systemClock } from "./clock.ts";
export { EgressError, type EgressErrorCode, withoutCredentials } from "./error.ts";
export { createFetcher, type Fetcher, type FetcherOptions, type FetchOptions, type HopAnswer } from "./fetcher.ts";
export type { HostLease, HostLimits, LeaseAnswer, LeaseStore } from "./politeness/lease-store.ts";
export { createMemoryLeaseStore } from "./politeness/memory-lease-store.ts";
export {
  createPoliteClient,
  type Manners,
  type PoliteClient,
  type PoliteClientOptions,
} from "./politeness/polite-client.ts";
export type { BodyTaker } from "./wire/exchange.ts";
export type { EgressResponse } from "./response.ts";
export { retryAfterMs } from "./retry-after.ts";
export { matchesPath, normalisePath } from "./robots/path-pattern.ts";
export { readValidators, type Validators } from "./validators.ts";
export { type RobotsRules, readRobots } from "./robots/rules.ts";
