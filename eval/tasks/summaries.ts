import { join } from "node:path";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { extractiveSummarizer } from "@isnad/lib/answers";
import { codePointSlice, sentences } from "@isnad/lib/text";
import { readPairs, type SummaryPair } from "../summaries/pairs.ts";
import { type Rouge, rouge } from "../summaries/rouge.ts";
import type { EvalTask } from "../task.ts";

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

function mean(pairs: readonly SummaryPair[], made: (pair: SummaryPair, place: number) => string): Rouge {
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
function lead(text: string, count: number): string {
  return sentences(text)
    .slice(0, count)
    .map(({ start, end }) => codePointSlice(text, start, end))
    .join(" ");
}

/** As many words from the beginning of the text as the summary has. */
function beginning(text: string, summary: string): string {
  const count = summary.split(/\s+/).length;
  return text.trim().split(/\s+/).slice(0, count).join(" ");
}
