import { isAuthor, type ItemDraft, LIMITS } from "@isnad/lib/contract";
import type { Taxonomy } from "@isnad/lib/service/config";
import { isObject } from "@isnad/lib/std";
import type { Json, PullOptions, Source } from "@isnad/lib/store";
import { isoTime, parseDate } from "@isnad/lib/text/dates";
import { type Adapter, PullError } from "../../adapter.ts";
import { contentLanguage, itemId, pickLabel } from "../fields.ts";
import type { NewsdataClient } from "./client.ts";

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

/** When a result was published, as it is written there: `YYYY-MM-DD HH:MM:SS`; undefined when it is not said. */
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
export type NewsdataQuery = {
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

/** Holds what the adapter stands on. */
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
