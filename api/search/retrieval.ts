import { AppError } from "@isnad/lib/http";

/** An answer of the retrieval service, as it came. */
export type Upstream = { status: number; body: string; retryAfter?: string | undefined };

/** Asks the retrieval service. Throws an {@link AppError} (503) when it does not answer. */
export type Retrieval = {
  search(query: URLSearchParams, options: { requestId: string; signal: AbortSignal }): Promise<Upstream>;
  /** Rejects when the service is not there. */
  ping(signal: AbortSignal): Promise<void>;
};

/** Time that a search may take, in milliseconds. */
const SEARCH_MS = 10_000;

/** A client of the retrieval service at `baseUrl`. */
export function createRetrieval(baseUrl: string, { searchMs = SEARCH_MS }: { searchMs?: number } = {}): Retrieval {
  return {
    async search(query, { requestId, signal }) {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(searchMs)]);
      const ask = async (): Promise<Upstream> => {
        const response = await fetch(`${baseUrl}/search?${query}`, {
          headers: { "X-Request-Id": requestId },
          signal: deadline,
        });
        const retryAfter = response.headers.get("retry-after") ?? undefined;
        return { status: response.status, body: await response.text(), retryAfter };
      };
      try {
        // A kept connection may have died with the service's last restart: a second try makes a new one.
        return await ask().catch((error) => (deadline.aborted ? Promise.reject(error) : ask()));
      } catch (cause) {
        throw new AppError("service-unavailable", "The search service does not answer.", {
          cause,
          headers: { "Retry-After": "5" },
        });
      }
    },
    async ping(signal) {
      const response = await fetch(`${baseUrl}/livez`, { signal });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the retrieval service answers ${response.status}`);
    },
  };
}
