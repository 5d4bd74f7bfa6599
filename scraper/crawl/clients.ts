import type { Config } from "@isnad/lib/service/config";
import {
  createFetcher,
  createPoliteClient,
  type Fetcher,
  type LeaseStore,
  type PoliteClient,
} from "@isnad/lib/web/egress";
import { BoundedMap } from "@isnad/lib/std";

/** What the clients of the scraper are made of. */
export interface ClientOptions {
  readonly config: Pick<Config, "scraper">;
  /** Whose turn it is at a host. */
  readonly leases: LeaseStore;
  /** Makes the outbound client of a user agent; tests bring their own. */
  readonly fetcherFor?: ((userAgent: string) => Fetcher) | undefined;
  /** Time limit of one request, redirects and body included, in milliseconds. Default: that of the configuration. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is tried again after a passing failure. Default: as the client does it. */
  readonly retries?: number | undefined;
}

const MAX_CLIENTS = 100;

/**
 * Makes polite clients, one for each user agent, the scraper's own unless another is given; robots.txt knows a robot by
 * the first word of it.
 */
export function createClients({ config, leases, fetcherFor, ...options }: ClientOptions) {
  const { timeoutMs = config.scraper.fetchTimeoutMs, retries } = options;
  const { allowPrivateHosts, userAgent: usual, maxBodyBytes } = config.scraper;
  const repeat = retries === undefined ? {} : { retries };
  const clients = new BoundedMap<string, PoliteClient>(MAX_CLIENTS);
  return (userAgent = usual): PoliteClient => {
    const cached = clients.get(userAgent);
    if (cached !== undefined) return cached;
    const fetcher = fetcherFor?.(userAgent) ?? createFetcher({ userAgent, allowPrivateHosts });
    const polite = createPoliteClient({ fetcher, leases, product: productOf(userAgent) });
    const client: PoliteClient = (address, request) =>
      polite(address, { maxBytes: maxBodyBytes, timeoutMs, ...repeat, ...request });
    clients.set(userAgent, client);
    return client;
  };
}

/** The name by which robots.txt knows who goes by a user agent. */
export function productOf(userAgent: string): string {
  return /^[^\s/]+/.exec(userAgent)?.[0] ?? userAgent;
}
