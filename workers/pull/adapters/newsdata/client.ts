import { isObject, type Json, parseJson } from "@isnad/lib/std";
import type { PoliteClient } from "@isnad/lib/web/egress";
import { PullError } from "../../adapter.ts";
import type { NewsdataQuery } from "./newsdata.ts";

/** newsdata.io refused a request, or answered with something that is not of its documentation. */
class NewsdataError extends PullError {
  override name = "NewsdataError";
  /** HTTP status. */
  readonly status: number;
  /**
   * The service's own code, for instance `Unauthorized`, `RateLimitExceeded`, `UnsupportedParameter`; "" when it gave
   * none.
   */
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(`newsdata.io answers ${status}${code === "" ? "" : ` ${code}`}${detail === "" ? "" : `: ${detail}`}`);
    this.status = status;
    this.code = code;
  }
}

/** One page of results. */
type NewsdataPage = {
  articles: { [field: string]: Json }[];
  /** The token that asks for the next page; undefined on the last one. */
  nextPage: string | undefined;
  totalResults: number | undefined;
};

/** Holds what a status means when the body does not say it (newsdata.io/documentation/http-response-code). */
const MEANINGS: Record<number, string> = {
  400: "a parameter is missing",
  401: "the API key is missing or not valid",
  403: "this address may not use the key",
  409: "a parameter is given twice",
  415: "the request has an unsupported format",
  422: "a parameter or its value is not supported",
  429: "too many requests",
  500: "internal error",
};

/**
 * Reads an answer. The body decides, not the status alone: errors may come with status 200. Throws {@link
 * NewsdataError}, with the service's code, also when the body is none of the two documented shapes.
 */
function pageOf(status: number, body: string): NewsdataPage {
  const parsed = parseJson(body);
  if (!isObject(parsed) || parsed.status !== "success") throw errorOf(status, parsed);
  const { results, nextPage, totalResults } = parsed;
  if (!Array.isArray(results)) throw new NewsdataError(status, "", "the answer has no results");
  return {
    articles: results.filter((entry) => isObject(entry)),
    nextPage: nextPage === null || nextPage === undefined || nextPage === "" ? undefined : String(nextPage),
    totalResults: typeof totalResults === "number" ? totalResults : undefined,
  };
}

/** The error object lies under `results`, in older answers at the top. */
function errorOf(status: number, body: unknown): NewsdataError {
  const outer = isObject(body) ? body : {};
  const inner = isObject(outer.results) ? outer.results : outer;
  const code = typeof inner.code === "string" ? inner.code : "";
  const message =
    typeof inner.message === "string" ? inner.message : isObject(inner.message) ? JSON.stringify(inner.message) : "";
  return new NewsdataError(status, code, (message || MEANINGS[status]) ?? "the answer is not of the documented form");
}

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
