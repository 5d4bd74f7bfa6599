import {
  isAuthor,
  type ItemDraft,
  type ListedProfile,
  ListedProfiles,
  type NormalizedItem,
  Problem,
  ScrapeResults,
} from "@isnad/lib/contract";
import { errorMessage, parseJson } from "@isnad/lib/std";
import { type Fetcher, withoutCredentials } from "@isnad/lib/web/egress";
import { type Adapter, PullError } from "../adapter.ts";

/**
 * A normalized item of the scraper as an article. It has the same source and identifier as when the scraper pushes it,
 * so that pull and push of one source never take an article twice.
 */
function scrapedItem(item: NormalizedItem): ItemDraft {
  const { source, id, url, title, content, canonical_url, language, published_at, authors, images, category } = item;
  const { provider } = item;
  return {
    source_id: source,
    external_id: id,
    url,
    title,
    content,
    canonical_url,
    lang: language === "" ? null : language,
    published_at,
    authors: authors.filter(isAuthor),
    images,
    ...(category !== "" && { category_label: category }),
    provider,
    raw: { provider },
  };
}

/** Provider `scraper`: has the scraper scrape the profile of the source now, and takes the items from its answer. */
export function scraperAdapter(client: ScraperClient): Adapter {
  return async function* pullFromScraper(source, { options, signal }) {
    const profiles = await client.profiles(signal);
    const profile =
      profiles.find(({ source: { id } }) => id === source.key) ?? profiles.find(({ name }) => name === source.key);
    if (profile === undefined) throw new PullError(`the scraper has no profile for source "${source.key}"`);
    const { max } = options;
    const { results, metadata } = await client.scrape([profile.name], {
      limit: typeof max === "number" ? max : undefined,
      signal,
    });
    for (const item of results) yield scrapedItem(item);
    const failure = metadata.errors?.[profile.name];
    if (failure !== undefined) throw new PullError(`the scraper could not do it all: ${failure}`);
    return undefined;
  };
}

/** Provider `scraper-push`: yields nothing, because the scraper brings the items itself, through the ingest route. */
export const scraperPushAdapter: Adapter = async function* pullNothing() {
  yield* [];
  return undefined;
};

/** The scraper, over HTTP. Its methods throw {@link PullError} when it does not answer as it should. */
export type ScraperClient = {
  profiles(signal: AbortSignal): Promise<ListedProfile[]>;
  /** Scrapes the profiles now, without anything being sent to the ingest route. */
  scrape(
    profiles: readonly string[],
    options: { limit?: number | undefined; signal: AbortSignal },
  ): Promise<ScrapeResults>;
};

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
