import type { PoliteClient } from "@isnad/lib/web/egress";
import { PullError } from "../../adapter.ts";
import { type NewsdataPage, pageOf } from "./answer.ts";
import { NewsdataError } from "./error.ts";
import type { NewsdataQuery } from "./query.ts";

/** Asks newsdata.io for a page. Throws {@link NewsdataError}; no error names the key. */
export type NewsdataClient = (
  query: NewsdataQuery,
  page: string | undefined,
  signal: AbortSignal,
) => Promise<NewsdataPage>;

/** One request at a time, and not more than two a second. */
const MANNERS = { respectRobots: false, concurrency: 1, minDelayMs: 500, retries: 3 };

/**
 * Makes a client of the service at `baseUrl`. The key goes in a header, so that it is in no address that could be
 * logged.
 */
export function newsdataClient(options: {
  client: PoliteClient;
  baseUrl: string;
  apiKey: string | undefined;
}): NewsdataClient {
  const { client, baseUrl, apiKey } = options;
  return async ({ mode, parameters }, page, signal) => {
    if (apiKey === undefined) throw new PullError("newsdata.io needs a key: set NEWSDATA_API_KEY");
    const query = new URLSearchParams({ ...parameters, ...(page !== undefined && { page }) });
    const answer = await client(`${baseUrl}/api/1/${mode}?${query}`, {
      ...MANNERS,
      headers: { accept: "application/json", "x-access-key": apiKey },
      // Another host must not learn the key.
      maxRedirects: 0,
      signal,
    });
    try {
      return pageOf(answer.status, new TextDecoder().decode(answer.bytes));
    } catch (error) {
      if (!(error instanceof NewsdataError) || !error.message.includes(apiKey)) throw error;
      throw new NewsdataError(error.status, error.code, "the answer repeats the key and is not shown");
    }
  };
}
