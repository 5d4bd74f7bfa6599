import { analyse, cleanText, fold } from "@isnad/lib/text";
import { readJsonLines } from "../embed/data.ts";

/** An article as the platform keeps it. */
export type NewsArticle = { title: string; text: string };

/** Articles to search, and the places in `articles` of those that are asked for. */
export type KnownItems = { articles: NewsArticle[]; targets: number[] };

/** Articles that are asked for. */
const TARGETS = 200;

/**
 * The articles of a file of JSON lines (`title`, and `text` or `content`; plain or `.gz`), every nth line of it. Lines
 * without a title or a text, and those that repeat both, are left out.
 */
export function readArticles(path: string, { every = 1 } = {}): NewsArticle[] {
  const articles = new Map<string, NewsArticle>();
  readJsonLines(path.replace(/\.gz$/, "")).forEach((row, line) => {
    if (line % every !== 0) return;
    const title = cleanText(String(row.title ?? ""));
    const text = cleanText(String(row.text ?? row.content ?? ""));
    if (title !== "" && text !== "") articles.set(`${key(title)}\n${key(text)}`, { title, text });
  });
  return [...articles.values()];
}

/**
 * The places of `count` articles to ask for, spread evenly. One that shares its title or its text with another one is
 * none of them: nobody could say which of the two was meant.
 */
export function targetsOf(articles: readonly NewsArticle[], count = TARGETS): number[] {
  const titles = counts(articles.map(({ title }) => key(title)));
  const texts = counts(articles.map(({ text }) => key(text)));
  const single = articles.flatMap(({ title, text }, place) =>
    titles.get(key(title)) === 1 && texts.get(key(text)) === 1 ? place : [],
  );
  const step = Math.max(1, single.length / count);
  return single.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
}

/**
 * Tells whether one title alone begins with the words of a text, however they are written. Where several do, nobody
 * could say which of them is meant.
 */
export function opensOneTitle(articles: readonly NewsArticle[]): (text: string) => boolean {
  const openings: string[] = [];
  for (const { title } of articles) {
    const forms = formsOf(title);
    for (let count = 1; count <= forms.length; count++) openings.push(forms.slice(0, count).join(" "));
  }
  const titles = counts(openings);
  return (text) => titles.get(formsOf(text).join(" ")) === 1;
}

/** The words of a text as the search sees them. */
function formsOf(text: string): string[] {
  return analyse(text)
    .map(({ terms }) => terms.form)
    .filter((form) => form !== "");
}

/** Texts that differ in case alone are the same. */
function key(text: string): string {
  return fold(text).toLowerCase();
}

function counts(keys: readonly string[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const each of keys) sums.set(each, (sums.get(each) ?? 0) + 1);
  return sums;
}
