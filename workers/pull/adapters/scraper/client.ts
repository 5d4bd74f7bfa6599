import { type ListedProfile, ListedProfiles, Problem, ScrapeResults } from "@isnad/lib/contract";
import { type Fetcher, withoutCredentials } from "@isnad/lib/web/egress";
import { errorMessage, parseJson } from "@isnad/lib/std";
import { PullError } from "../../adapter.ts";

/** The scraper, over HTTP. Its methods throw {@link PullError} when it does not answer as it should. */
export type ScraperClient = {
  profiles(signal: AbortSignal): Promise<ListedProfile[]>;
  /** Scrapes the profiles now, without anything being sent to the ingest route. */
  scrape(
    profiles: readonly string[],
    options: { limit?: number | undefined; signal: AbortSignal },
  ): Promise<ScrapeResults>;
};

/** Holds what reads an answer. */
type Schema<T> = { safeParse(body: unknown): { success: true; data: T } | { success: false; error: Error } };

/** A scrape asks slow sites politely. */
const SCRAPE_MS = 30 * 60_000;
const SCRAPE_BYTES = 200_000_000;

/** Makes a client of the scraper at `url`; `fetcher` must be allowed to reach it. */
export function scraperClient({
  fetcher,
  url,
  token,
}: {
  fetcher: Fetcher;
  url: string;
  token: string | undefined;
}): ScraperClient {
  const where = `the scraper at ${withoutCredentials(url)}`;
  const ask = async <T>(path: string, schema: Schema<T>, options: Parameters<Fetcher>[1]): Promise<T> => {
    let answer: Awaited<ReturnType<Fetcher>>;
    try {
      answer = await fetcher(`${url}${path}`, { ...options, maxRedirects: 0 });
    } catch (cause) {
      throw new PullError(`${where} cannot be reached: ${errorMessage(cause)}`, { cause });
    }
    const body = parseJson(new TextDecoder().decode(answer.bytes));
    if (!answer.ok) {
      const detail = Problem.pick({ detail: true }).safeParse(body).data?.detail;
      throw new PullError(`${where} answers ${answer.status}${detail === undefined ? "" : `: ${detail}`}`);
    }
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new PullError(`${where} does not answer ${path} by its contract`, { cause: parsed.error });
  };
  return {
    profiles: (signal) => ask("/profiles", ListedProfiles, { signal, maxBytes: SCRAPE_BYTES }),
    scrape: (profiles, { limit, signal }) =>
      ask("/scrape", ScrapeResults, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        // Whether a source that is off is pulled was decided when the pull was asked for.
        body: JSON.stringify({
          sources: profiles,
          send_to_api: false,
          force: true,
          ...(limit !== undefined && { limit }),
        }),
        timeoutMs: SCRAPE_MS,
        maxBytes: SCRAPE_BYTES,
        signal,
      }),
  };
}
