import articles from "./articles.json" with { type: "json" };
import { OLDER } from "./older.ts";
import { PORTALS } from "./portals.ts";
import type { Article, Layout } from "./sides.ts";
import { STRUCTURED } from "./structured.ts";
import { UNUSUAL } from "./unusual.ts";
import { WORDPRESS } from "./wordpress.ts";

export type { Article } from "./sides.ts";

/** Layouts of Arabic news pages by name, made up after the content systems and templates that such sites use. */
export const LAYOUTS: Readonly<Record<string, Layout>> = {
  ...WORDPRESS,
  ...PORTALS,
  ...OLDER,
  ...UNUSUAL,
  ...STRUCTURED,
};

/** The articles that are set in each layout. */
export const ARTICLES: readonly Article[] = articles;

/** A page, the article that stands on it, and its whole text. */
export type LayoutPage = {
  readonly layout: string;
  readonly article: Article;
  readonly html: string;
  readonly text: string;
};

/** Every article in every layout. */
export function layoutPages(): LayoutPage[] {
  return Object.entries(LAYOUTS).flatMap(([layout, set]) =>
    ARTICLES.map((article) => {
      const made = set(article);
      const { html, text } = typeof made === "string" ? { html: made, text: article.paragraphs.join("\n") } : made;
      return { layout, article, html, text };
    }),
  );
}
