import type { Taxonomy } from "@isnad/lib/service/config";
import { isoTime, parseDate } from "@isnad/lib/text/dates";
import { isAuthor, type ItemDraft, LIMITS } from "@isnad/lib/contract";
import type { Json, Source } from "@isnad/lib/store";
import { contentLanguage } from "../content-language.ts";
import { itemId } from "../item-id.ts";
import { pickLabel } from "../pick-label.ts";

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
export function pubDateOf(result: Record<string, unknown>): string | undefined {
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
