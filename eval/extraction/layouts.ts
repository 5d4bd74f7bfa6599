import { extractPage } from "../../lib/extraction/mod.ts";
import { benchmarkWords, wordF1 } from "../../lib/extraction/training/corpus.ts";
import type { Measured } from "../task.ts";
import { layoutPages } from "./arabic-layouts/index.ts";
import { likeness } from "./measure.ts";

const URL = "https://www.example.com/news/1";

/** Measures extraction on the made-up Arabic pages, which nothing is trained on; one prediction a page. */
export function measureLayouts(): Measured {
  const pages = layoutPages().map(({ layout, article, html, text }) => {
    const page = extractPage({ html, url: URL });
    return {
      layout,
      F1: wordF1(benchmarkWords(page.content), benchmarkWords(text)),
      titles: likeness(page.title, article.title) === "other" ? 0 : 1,
      authors: likeness(page.authors.join(" "), article.author) === "other" ? 0 : 1,
      dates: (page.publishedLocal ?? "").startsWith(article.published.slice(0, 10)) ? 1 : 0,
    };
  });
  const mean = (metric: "F1" | "titles" | "authors" | "dates") =>
    pages.reduce((sum, page) => sum + page[metric], 0) / pages.length;
  return {
    figures: { F1: mean("F1"), titles: mean("titles"), authors: mean("authors"), dates: mean("dates") },
    size: pages.length,
    predictions: pages.map(({ layout, F1 }) => `${layout}\t${F1.toFixed(4)}`),
  };
}
