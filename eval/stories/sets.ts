import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { sentences } from "@isnad/lib/text";
import { readJsonLines } from "../retrieval-sets.ts";

/** Days to choose by, and days held out to report. */
export type Part = "dev" | "test";

/** An article with the story that it was read to belong to; one of no story is alone. */
export type LabelledArticle = {
  id: string;
  lang: "ar" | "en";
  source: string;
  url: string;
  title: string;
  content: string;
  /** ISO 8601. */
  publishedAt: string;
  story: string | undefined;
};

/** Days of each part in the Arabic news, all of whose articles belong to the set. */
const ARABIC_DAYS: Readonly<Record<Part, readonly string[]>> = {
  dev: ["2018-08-10", "2018-08-11", "2018-08-12"],
  test: ["2018-07-10", "2018-07-11", "2018-07-12"],
};

/** Units of a first sentence that stands for a title that the file does not have. */
const TITLE_UNITS = 140;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const rowsOf = (name: string): string[][] =>
  readFileSync(here(name), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));

/** Returns the Arabic articles of a part, in the order of their times. `news` is the folder of the data. */
export function arabicArticles(news: string, part: Part): LabelledArticle[] {
  const stories = new Map(rowsOf("labels.ar.tsv").flatMap(([of, story, ref]) => (of === part ? [[ref, story]] : [])));
  const articles = new Map<string, LabelledArticle>();
  for (const row of readJsonLines(`${news}/ant_v2_ar.jsonl`)) {
    const published = String(row.published ?? "");
    // The day as the paper wrote it.
    const day = /(\d{2}) (Jul|Aug) (2018)/.exec(published);
    if (day === null || !ARABIC_DAYS[part].includes(`2018-${day[2] === "Jul" ? "07" : "08"}-${day[1]}`)) continue;
    const url = String(row.url ?? "");
    if (articles.has(url)) continue;
    articles.set(url, {
      id: String(row.id),
      lang: "ar",
      source: String(row.source),
      url,
      title: String(row.title ?? "").trim(),
      content: String(row.text ?? ""),
      publishedAt: new Date(published).toISOString(),
      story: stories.get(refOf(url)),
    });
  }
  return inOrder([...articles.values()]);
}

/** Returns how a label names an article by its address. */
function refOf(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 16);
}

/** Returns the English articles of a part: the file has no times for them, so the labels give them one. */
export function englishArticles(news: string, part: Part): LabelledArticle[] {
  const labels = new Map(
    rowsOf("labels.en.tsv").flatMap(([of, story, id, at]) =>
      of === part ? [[id ?? "", { story, at: at ?? "" }]] : [],
    ),
  );
  const articles: LabelledArticle[] = [];
  for (const row of readJsonLines(`${news}/english.jsonl`)) {
    const label = labels.get(String(row.id));
    if (label === undefined) continue;
    const content = String(row.text ?? "");
    articles.push({
      id: String(row.id),
      lang: "en",
      source: String(row.source),
      url: `https://news.example/${String(row.id)}`,
      title: String(row.title ?? "").trim() || firstSentence(content),
      content,
      publishedAt: new Date(label.at).toISOString(),
      story: label.story === "-" ? undefined : label.story,
    });
  }
  return inOrder(articles);
}

function firstSentence(content: string): string {
  const text = content.replace(/\s+/g, " ").trim();
  const [first] = sentences(text.slice(0, TITLE_UNITS * 4));
  return text.slice(0, Math.min(first?.end ?? TITLE_UNITS, TITLE_UNITS)).trim();
}

/** Returns the events that were written for this set, each told in both languages. */
export function ownEvents(part: Part): LabelledArticle[] {
  return readJsonLines(here("events.jsonl"))
    .filter((row) => row.part === part)
    .map((row, i) => ({
      id: `own-${part}-${i}`,
      lang: row.lang === "ar" ? "ar" : "en",
      source: String(row.source),
      url: `https://news.example/own/${part}/${i}`,
      title: String(row.title),
      content: String(row.text),
      publishedAt: new Date(String(row.at)).toISOString(),
      story: String(row.group),
    }));
}

function inOrder(articles: LabelledArticle[]): LabelledArticle[] {
  return articles.sort((a, b) => (a.publishedAt < b.publishedAt ? -1 : a.publishedAt > b.publishedAt ? 1 : 0));
}
