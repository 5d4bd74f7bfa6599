import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** An article of the demo newsroom. */
export type DemoArticle = {
  /** Unique in the newsroom; the last part of its address. */
  slug: string;
  lang: "ar" | "en";
  title: string;
  /** Paragraphs, an empty line between them. */
  content: string;
  /** ISO 8601 UTC. */
  publishedAt: string;
  author: string;
  /** The newsroom's own name of the section. */
  section: string;
};

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

/** Reads the reports of other papers, which are pushed: the slug of each is its source. */
export function readWire(): DemoArticle[] {
  const dir = fileURLToPath(new URL("articles/wire", import.meta.url).href);
  return readdirSync(dir)
    .sort()
    .map((name) => parseArticle(readFileSync(join(dir, name), "utf8"), "en", name.slice(0, -3)));
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
  const [title = "", date = "", author = "", section = ""] = HEADER.map((key) => header.get(key));
  const content = source.slice(end + 2).trim();
  if (end < 0 || content === "" || !title || !date || !author || !section) {
    throw new Error(`${lang}/${slug}.md: expected the lines ${HEADER.join(", ")}, a blank line and a text`);
  }
  return { slug, lang, title, content, publishedAt: new Date(date).toISOString(), author, section };
}
