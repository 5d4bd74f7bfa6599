import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** An article of the demo newsroom as the ingest route takes it. */
export type DemoArticle = {
  source_id: string;
  external_id: string;
  url: string;
  title: string;
  content: string;
  lang: "ar" | "en";
  published_at: string;
  authors: string[];
  category_label: string;
  provider: string;
};

/** The two papers of the newsroom, by the folder that holds their articles. */
const PAPERS = {
  ar: { sourceId: "almarsa", host: "almarsa.example" },
  en: { sourceId: "harbour-wire", host: "harbour-wire.example" },
} as const;

const HEADER = ["title", "date", "author", "category"] as const;

/** Reads the demo newsroom: one file an article, `articles/<language>/<slug>.md`. Throws when a file is malformed. */
export function readNewsroom(dir: string = fileURLToPath(new URL("articles", import.meta.url).href)): DemoArticle[] {
  return (["ar", "en"] as const).flatMap((lang) =>
    readdirSync(join(dir, lang))
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => parseArticle(readFileSync(join(dir, lang, name), "utf8"), lang, name.slice(0, -3))),
  );
}

/** Reads one article: header lines `key: value`, a blank line, the text. Throws when a header line is missing. */
export function parseArticle(source: string, lang: "ar" | "en", slug: string): DemoArticle {
  const end = source.indexOf("\n\n");
  const header = new Map(
    source
      .slice(0, end)
      .split("\n")
      .map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2).trim()] as const;
      }),
  );
  const [title = "", date = "", author = "", category = ""] = HEADER.map((key) => header.get(key));
  const content = source.slice(end + 2).trim();
  if (end < 0 || content === "" || !title || !date || !author || !category) {
    throw new Error(`${lang}/${slug}.md: expected the lines ${HEADER.join(", ")}, a blank line and a text`);
  }
  const { sourceId, host } = PAPERS[lang];
  return {
    source_id: sourceId,
    external_id: slug,
    url: `https://${host}/2026/${slug}`,
    title,
    content,
    lang,
    published_at: new Date(date).toISOString(),
    authors: [author],
    category_label: category,
    provider: "demo",
  };
}
