import { isAuthor, type ItemDraft, LIMITS } from "@isnad/lib/contract";
import type { Taxonomy } from "@isnad/lib/service/config";
import { isObject, parseJson } from "@isnad/lib/std";
import type { Json, PullOptions, Source } from "@isnad/lib/store";
import { isoTime, parseDate } from "@isnad/lib/text/dates";
import type { PoliteClient } from "@isnad/lib/web/egress";
import { type Adapter, contentLanguage, itemId, pickLabel, PullError } from "../adapter.ts";

/** newsdata.io names languages in English; requests take codes. */
const LANGUAGES: Record<string, string> = { arabic: "ar", english: "en" };

/** Fields kept as they came, beside those that have a place of their own. */
const KEPT = ["article_id", "source_id", "source_name", "source_url", "language", "country", "category", "keywords"];

/**
 * A result as an article of the source that was pulled; which newsroom it came from is in `raw`. Where the plan does
 * not include the text, the description stands in.
 */
export function newsdataItem(
  result: Record<string, unknown>,
  { key }: Pick<Source, "key">,
  taxonomy: Pick<Taxonomy, "mapLabel">,
): ItemDraft {
  const id = textOf(result.article_id);
  const url = textOf(result.link);
  const label = pickLabel(taxonomy, "newsdata", textsOf(result.category));
  const lang = languageOf(textOf(result.language));
  const published = publishedAt(result);
  const image = textOf(result.image_url);
  return {
    source_id: key,
    ...(id !== undefined && { external_id: itemId(id) }),
    ...(url !== undefined && { url }),
    title: textOf(result.title) ?? "",
    content: textOf(result.content) ?? textOf(result.description) ?? "",
    ...(lang !== undefined && { lang }),
    ...(published !== null && { published_at: published }),
    authors: textsOf(result.creator).filter(isAuthor).slice(0, LIMITS.authors),
    ...(image !== undefined && image.length <= LIMITS.url && URL.canParse(image) && { images: [image] }),
    ...(label !== undefined && { category_label: label }),
    provider: "newsdata",
    raw: { provider: "newsdata", ...Object.fromEntries(KEPT.map((name) => [name, plain(result[name])])) },
  };
}

/**
 * Returns when a result was published, as it is written there: `YYYY-MM-DD HH:MM:SS`; undefined when it is not said.
 */
function pubDateOf(result: Record<string, unknown>): string | undefined {
  return textOf(result.pubDate);
}

function publishedAt(result: Record<string, unknown>): string | null {
  const written = pubDateOf(result);
  if (written === undefined) return null;
  const zone = textOf(result.pubDateTZ) ?? "UTC";
  try {
    return isoTime(parseDate(written, { zone }));
  } catch (error) {
    // A zone that nobody knows.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A language that is neither Arabic nor English keeps its name, and the admission refuses it. */
function languageOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  return LANGUAGES[name.toLowerCase()] ?? contentLanguage(name) ?? name;
}

/** A text that says something: fields outside the plan carry a note in capitals instead. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" || /^ONLY AVAILABLE IN [A-Z ,&]*PLANS?$/.test(text) ? undefined : text;
}

function textsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((entry) => textOf(entry) ?? []);
}

function plain(value: unknown): Json {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map(plain) : null;
}

/** Holds what newsdata.io is asked for. */
type NewsdataQuery = {
  mode: "latest" | "archive";
  /** Request parameters besides the page. */
  parameters: Record<string, string>;
  /** True when this is the regular pull of a source, which goes on where the last one ended. */
  regular: boolean;
};

/** The options of a pull that are request parameters, and the parameters' names. */
const PARAMETERS = {
  query: "q",
  language: "language",
  country: "country",
  category: "category",
  from: "from_date",
  to: "to_date",
} as const;

/** At least one of these has to be in a request to the archive. */
const FILTERS = ["q", "language", "country", "category"];

/**
 * The request for a pull with these options; the language of the source is that of the request unless they name one.
 * Throws {@link PullError} for options that the service would refuse.
 */
function queryOf(source: Pick<Source, "key" | "language">, options: PullOptions): NewsdataQuery {
  const mode = options.mode ?? "latest";
  if (mode !== "latest" && mode !== "archive") throw new PullError(`newsdata.io has no mode "${JSON.stringify(mode)}"`);
  const parameters: Record<string, string> = {};
  for (const [option, parameter] of Object.entries(PARAMETERS)) {
    const value = options[option];
    if (typeof value === "string" && value !== "") parameters[parameter] = value;
  }
  if (source.language !== null && parameters.language === undefined) parameters.language = source.language;
  if (mode === "latest" && (parameters.from_date ?? parameters.to_date) !== undefined) {
    throw new PullError("only the archive of newsdata.io can be asked for dates");
  }
  if (mode === "archive" && !FILTERS.some((name) => name in parameters)) {
    throw new PullError("the archive of newsdata.io wants a query, a language, a country or a category");
  }
  return { mode, parameters, regular: Object.keys(options).length === 0 };
}

type NewsdataDeps = { client: NewsdataClient; taxonomy: Pick<Taxonomy, "mapLabel"> };

/** Pages that a regular pull reads at most: each one costs a credit. */
const REGULAR_PAGES = 10;

/**
 * Provider `newsdata`: the latest news or the archive of newsdata.io, page after page. A regular pull ends at the first
 * page on which everything is older than the newest result of the last complete one.
 */
export function newsdataAdapter({ client, taxonomy }: NewsdataDeps): Adapter {
  return async function* pullNewsdata(source, { state, options, signal }) {
    const query = queryOf(source, options);
    const reached = query.regular ? newestOf(state) : undefined;
    let newest = reached;
    let page: string | undefined;
    for (let pages = 1; ; pages++) {
      const { articles, nextPage } = await client(query, page, signal);
      let fresh = articles.length === 0;
      for (const article of articles) {
        const published = pubDateOf(article);
        if (published !== undefined && (newest === undefined || published > newest)) newest = published;
        fresh ||= published === undefined || reached === undefined || published >= reached;
        yield newsdataItem(article, source, taxonomy);
      }
      // A token that repeats itself would go on for ever.
      if (nextPage === undefined || nextPage === page) break;
      if (query.regular && (!fresh || pages === REGULAR_PAGES)) break;
      page = nextPage;
    }
    return query.regular && newest !== undefined ? { newest } : undefined;
  };
}

function newestOf(state: Json | undefined): string | undefined {
  return isObject(state) && typeof state.newest === "string" ? state.newest : undefined;
}

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
type NewsdataClient = (query: NewsdataQuery, page: string | undefined, signal: AbortSignal) => Promise<NewsdataPage>;

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
