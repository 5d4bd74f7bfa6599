import { type Fetcher, withoutCredentials } from "@isnad/lib/egress";
import { errorMessage, isObject, parseJson } from "@isnad/lib/std";
import { PullError } from "../../adapter.ts";

/** A profile as `GET /profiles` lists it, as far as it is read here. */
export type ScraperProfile = {
  name: string;
  enabled: boolean;
  language: string | undefined;
  source: { id: string | undefined; name: string | undefined; tier: number | undefined; homepage: string | undefined };
};

/** The answer to a scrape, as far as it is read here. */
export type ScrapeResult = {
  items: Record<string, unknown>[];
  /** Why a profile failed, by its name. */
  errors: Record<string, unknown>;
};

/** The scraper, over HTTP. Its methods throw {@link PullError} when it does not answer as it should. */
export type ScraperClient = {
  profiles(signal: AbortSignal): Promise<ScraperProfile[]>;
  /** Scrapes the profiles now, without anything being sent to the ingest route. */
  scrape(
    profiles: readonly string[],
    options: { limit?: number | undefined; signal: AbortSignal },
  ): Promise<ScrapeResult>;
};

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
  const ask = async (path: string, options: Parameters<Fetcher>[1]): Promise<unknown> => {
    const where = `the scraper at ${withoutCredentials(url)}`;
    let answer: Awaited<ReturnType<Fetcher>>;
    try {
      answer = await fetcher(`${url}${path}`, { ...options, maxRedirects: 0 });
    } catch (cause) {
      throw new PullError(`${where} cannot be reached: ${errorMessage(cause)}`, { cause });
    }
    const body = parseJson(new TextDecoder().decode(answer.bytes));
    if (answer.ok && body !== undefined) return body;
    const detail = isObject(body) && typeof body.detail === "string" ? `: ${body.detail}` : "";
    throw new PullError(`${where} answers ${answer.status}${detail}`);
  };
  return {
    async profiles(signal) {
      const listed = await ask("/profiles", { signal, maxBytes: SCRAPE_BYTES });
      if (!Array.isArray(listed)) throw new PullError("the scraper's list of profiles is none");
      return listed.flatMap((entry) => profileOf(entry) ?? []);
    },
    async scrape(profiles, { limit, signal }) {
      const answer = await ask("/scrape", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ sources: profiles, send_to_api: false, ...(limit !== undefined && { limit }) }),
        timeoutMs: SCRAPE_MS,
        maxBytes: SCRAPE_BYTES,
        signal,
      });
      if (!isObject(answer) || !Array.isArray(answer.results))
        throw new PullError("the scraper's answer has no results");
      const { metadata } = answer;
      const errors = isObject(metadata) && isObject(metadata.errors) ? metadata.errors : {};
      return { items: answer.results.filter(isObject), errors };
    },
  };
}

function profileOf(entry: unknown): ScraperProfile | undefined {
  if (!isObject(entry) || typeof entry.name !== "string") return undefined;
  const source = isObject(entry.source) ? entry.source : {};
  return {
    name: entry.name,
    enabled: entry.enabled === true,
    language: textOf(entry.language),
    source: {
      id: textOf(source.id),
      name: textOf(source.name),
      tier: typeof source.tier === "number" ? source.tier : undefined,
      homepage: textOf(source.homepage),
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
