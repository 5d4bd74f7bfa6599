import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A page of the Web Content Extraction Benchmark (WCXB, CC BY 4.0) with what people found in it. */
export interface GoldPage {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly author: string;
  /** YYYY-MM-DD, empty when unknown. */
  readonly published: string;
  readonly text: string;
}

/** Returns the ids of the pages under a WCXB folder, sorted. */
export function pageIds(folder: string): string[] {
  return readdirSync(join(folder, "html"))
    .filter((name) => name.endsWith(".html.gz"))
    .map((name) => name.slice(0, -".html.gz".length))
    .sort();
}

/** Returns the gold data of a page. Throws when the files of the corpus are not as expected. */
export function readGold(folder: string, id: string): GoldPage {
  const json: { url?: string; ground_truth: Record<string, unknown> } = JSON.parse(
    readFileSync(join(folder, "ground-truth", `${id}.json`), "utf8"),
  );
  const text = (key: string) => {
    const value = json.ground_truth[key];
    return typeof value === "string" ? value : "";
  };
  return {
    id,
    url: json.url ?? "",
    title: text("title"),
    author: text("author"),
    published: text("publish_date"),
    text: text("main_content"),
  };
}

/** Returns the HTML of a page. */
export function readHtml(folder: string, id: string): string {
  return gunzipSync(readFileSync(join(folder, "html", `${id}.html.gz`))).toString("utf8");
}

/** Returns the words that the benchmark compares: runs of letters, digits and underscores, lower case (its `\w+`). */
export function benchmarkWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** F1 of two bags of words, as the benchmark computes it. */
export function wordF1(found: readonly string[], gold: readonly string[]): number {
  if (gold.length === 0) return found.length === 0 ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of gold) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared++;
  }
  return (2 * shared) / (found.length + gold.length);
}
