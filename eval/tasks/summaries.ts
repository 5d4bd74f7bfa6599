import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { extractiveSummarizer } from "@isnad/lib/answers";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { isObject, parseJsonObject } from "@isnad/lib/std";
import { codePointSlice, fold, sentences } from "@isnad/lib/text";
import { withoutDateline } from "../../lib/answers/extractive/quotable.ts";
import type { EvalTask } from "../task.ts";

/** An article and what an editor made of it. */
type SummaryPair = { text: string; summary: string };

/**
 * Reads pairs from JSON lines, gzipped where the name says so: `text` with `summary` or `abstract`. Lines with another
 * `split` than `test`, and those without both texts, are left out.
 */
export function readPairs(path: string): SummaryPair[] {
  const bytes = readFileSync(path);
  const lines = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").split("\n");
  return lines.flatMap((line) => {
    const row = parseJsonObject(line);
    if (!isObject(row) || (row.split !== undefined && row.split !== "test")) return [];
    const { text, summary = row.abstract } = row;
    return typeof text === "string" && typeof summary === "string" && text.trim() !== "" && summary.trim() !== ""
      ? [{ text: undated(text), summary: undated(summary) }]
      : [];
  });
}

/** Returns a text without its dateline: the editors of some papers repeat it, a summary does not. */
const undated = (text: string): string => withoutDateline(text).text;

/** F1 of a summary against a reference: single words, pairs of words, longest common subsequence. */
type Rouge = { rouge1: number; rouge2: number; rougeL: number };

/** ROUGE of Lin (2004) over folded words, without stemming. */
export function rouge(summary: string, reference: string): Rouge {
  const [made, wanted] = [rougeWords(summary), rougeWords(reference)];
  return {
    rouge1: overlap(made, wanted, 1),
    rouge2: overlap(made, wanted, 2),
    rougeL: f1(commonLength(made, wanted), made.length, wanted.length),
  };
}

/** The words that are compared. */
function rougeWords(text: string): string[] {
  return (
    fold(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

function overlap(made: readonly string[], wanted: readonly string[], size: number): number {
  const grams = gramsOf(wanted, size);
  let common = 0;
  for (const [gram, count] of gramsOf(made, size)) common += Math.min(count, grams.get(gram) ?? 0);
  return f1(common, made.length - size + 1, wanted.length - size + 1);
}

function gramsOf(words: readonly string[], size: number): Map<string, number> {
  const grams = new Map<string, number>();
  for (let i = 0; i + size <= words.length; i++) {
    const gram = words.slice(i, i + size).join(" ");
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}

/** Length of the longest common subsequence. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const word of a) {
    const next = new Uint32Array(b.length + 1);
    for (let j = 1; j <= b.length; j++) {
      next[j] = b[j - 1] === word ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function f1(common: number, made: number, wanted: number): number {
  return common === 0 ? 0 : (2 * common) / (made + wanted);
}

/** Articles that are summarised at a time. */
const ARTICLES = 16;

const signal = new AbortController().signal;

/**
 * The built-in summaries against those of editors: the short one beside the first sentence, the medium one beside the
 * first three, and each beside as many words from the beginning.
 */
export const summaries: EvalTask = {
  name: "summaries",
  formats: "JSON lines (.gz or not) of {text, summary or abstract}; of those with a split, the test split",
  sets: (data) => [
    { set: "ANT BBC summaries ar test", path: join(data, "summarization/ant_bbc_ar/articles.jsonl.gz"), lang: "ar" },
    { set: "ANT v2 abstracts ar, every 60th", path: join(data, "news/ant_v2_ar.jsonl.gz"), lang: "ar", every: 60 },
  ],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const embedder = await createEmbedder({ registry, timeoutMs: 600_000 });
    const summarizer = extractiveSummarizer(embedder, undefined);
    const summarise = async (pairs: readonly SummaryPair[], length: "short" | "medium"): Promise<string[]> => {
      const made: string[] = [];
      for (let at = 0; at < pairs.length; at += ARTICLES) {
        const calls = pairs
          .slice(at, at + ARTICLES)
          .map(({ text }) => summarizer.summarize({ text, sourceLang: "ar", targetLang: "ar", length, signal }));
        made.push(...(await Promise.all(calls)).map((points) => points.join(" ")));
      }
      return made;
    };
    return {
      async measure({ path, every = 1 }) {
        const pairs = readPairs(path).filter((_, place) => place % every === 0);
        const short = await summarise(pairs, "short");
        const medium = await summarise(pairs, "medium");
        const figures = {
          ...named(
            "",
            mean(pairs, (_, i) => short[i] ?? ""),
          ),
          ...named(
            "lead-1 ",
            mean(pairs, ({ text }) => lead(text, 1)),
          ),
          ...named(
            "as long ",
            mean(pairs, ({ text }, i) => beginning(text, short[i] ?? "")),
          ),
          ...named(
            "medium ",
            mean(pairs, (_, i) => medium[i] ?? ""),
          ),
          ...named(
            "lead-3 ",
            mean(pairs, ({ text }) => lead(text, 3)),
          ),
          ...named(
            "as long, medium ",
            mean(pairs, ({ text }, i) => beginning(text, medium[i] ?? "")),
          ),
        };
        return { figures, size: pairs.length, predictions: short };
      },
      close: () => embedder.close(),
    };
  },
};

function named(prefix: string, { rouge1, rouge2, rougeL }: Rouge): Record<string, number> {
  return { [`${prefix}ROUGE-1`]: rouge1, [`${prefix}ROUGE-2`]: rouge2, [`${prefix}ROUGE-L`]: rougeL };
}

export function mean(pairs: readonly SummaryPair[], made: (pair: SummaryPair, place: number) => string): Rouge {
  const sum = { rouge1: 0, rouge2: 0, rougeL: 0 };
  for (const [place, pair] of pairs.entries()) {
    const score = rouge(made(pair, place), pair.summary);
    sum.rouge1 += score.rouge1 / pairs.length;
    sum.rouge2 += score.rouge2 / pairs.length;
    sum.rougeL += score.rougeL / pairs.length;
  }
  return sum;
}

/** The first `count` sentences. */
export function lead(text: string, count: number): string {
  return sentences(text)
    .slice(0, count)
    .map(({ start, end }) => codePointSlice(text, start, end))
    .join(" ");
}

/** As many words from the beginning of the text as the summary has. */
export function beginning(text: string, summary: string): string {
  const count = summary.split(/\s+/).length;
  return text.trim().split(/\s+/).slice(0, count).join(" ");
}
