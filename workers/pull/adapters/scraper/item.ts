import type { Json, Source } from "@isnad/lib/store";
import type { PullItem } from "../../adapter.ts";
import { contentLanguage } from "../content-language.ts";

/**
 * A normalized item of the scraper as an article. It has the same source and identifier as when the scraper pushes it,
 * so that pull and push of one source never take an article twice.
 */
export function scrapedItem(item: Record<string, unknown>, { key }: Pick<Source, "key">): PullItem {
  const lang = contentLanguage(textOf(item.language)) ?? textOf(item.language);
  const published = textOf(item.published_at);
  const canonical = textOf(item.canonical_url);
  const label = textOf(item.category);
  const provider = textOf(item.provider) ?? "scraper";
  return {
    source_id: textOf(item.source) ?? key,
    ...given("external_id", textOf(item.id)),
    ...given("url", textOf(item.url)),
    title: textOf(item.title) ?? "",
    content: textOf(item.content) ?? "",
    ...given("canonical_url", canonical),
    ...given("lang", lang),
    ...given("published_at", published),
    authors: textsOf(item.authors),
    images: textsOf(item.images),
    ...given("category_label", label),
    provider,
    raw: { provider },
  };
}

function given(field: string, value: Json | undefined): PullItem {
  return value === undefined ? {} : { [field]: value };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((entry) => textOf(entry) ?? []) : [];
}
