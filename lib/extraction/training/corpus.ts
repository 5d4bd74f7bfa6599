import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { at } from "../../std/mod.ts";

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

/**
 * Tells for each block of a page which share of its words the gold text contains, by aligning the words of the page
 * with those of the gold text in order: shared runs of 8 words that occur once anchor the alignment (patience diff),
 * the gaps are aligned by longest common subsequence.
 */
export function goldShares(blocks: readonly (readonly string[])[], gold: readonly string[]): Float32Array {
  const page = blocks.flat();
  const matched = new Uint8Array(page.length);
  new Alignment(page, gold, matched).align({ a: 0, aEnd: page.length, b: 0, bEnd: gold.length }, RUN);
  let offset = 0;
  return Float32Array.from(blocks, (words) => {
    const own = matched.subarray(offset, offset + words.length);
    offset += words.length;
    return words.length === 0 ? 0 : own.reduce((sum, hit) => sum + hit, 0) / words.length;
  });
}

const RUN = 8;
const SMALL = 400_000;
const LARGE = 60_000_000;

interface Gap {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
}

class Alignment {
  readonly #a: readonly string[];
  readonly #b: readonly string[];
  readonly #matched: Uint8Array;

  constructor(a: readonly string[], b: readonly string[], matched: Uint8Array) {
    this.#a = a;
    this.#b = b;
    this.#matched = matched;
  }

  align(gap: Gap, run: number): void {
    const { a, aEnd, b, bEnd } = this.#trim(gap);
    const cells = (aEnd - a) * (bEnd - b);
    if (cells === 0) return;
    if (cells <= SMALL || run < 2) {
      if (cells <= LARGE) this.#subsequence({ a, aEnd, b, bEnd });
      return;
    }
    let [pa, pb] = [a, b];
    for (const [ai, bi] of this.#anchors({ a, aEnd, b, bEnd }, run)) {
      if (ai < pa || bi < pb) continue;
      this.align({ a: pa, aEnd: ai, b: pb, bEnd: bi }, run >> 1);
      [pa, pb] = [ai, bi];
      while (pa < aEnd && pb < bEnd && this.#a[pa] === this.#b[pb]) {
        this.#matched[pa++] = 1;
        pb++;
      }
    }
    this.align({ a: pa, aEnd, b: pb, bEnd }, run >> 1);
  }

  #trim({ a, aEnd, b, bEnd }: Gap): Gap {
    while (a < aEnd && b < bEnd && this.#a[a] === this.#b[b]) {
      this.#matched[a++] = 1;
      b++;
    }
    while (a < aEnd && b < bEnd && this.#a[aEnd - 1] === this.#b[bEnd - 1]) {
      this.#matched[--aEnd] = 1;
      bEnd--;
    }
    return { a, aEnd, b, bEnd };
  }

  /** Pairs of positions where both sides have the same run of words, in order on both sides. */
  #anchors(gap: Gap, run: number): [number, number][] {
    let left = runsOf(this.#a, gap.a, gap.aEnd, run, true);
    const right = runsOf(this.#b, gap.b, gap.bEnd, run, true);
    const unique = [...left.values()].filter((at) => at >= 0).length;
    // A page that holds its article twice has hardly a unique run: the first copy counts.
    if (unique < left.size / 2) left = runsOf(this.#a, gap.a, gap.aEnd, run, false);
    const pairs: [number, number][] = [];
    for (const [words, bi] of right) {
      const ai = left.get(words) ?? -1;
      if (ai >= 0 && bi >= 0) pairs.push([ai, bi]);
    }
    return longestRising(pairs.sort((x, y) => x[1] - y[1]));
  }

  #subsequence({ a, aEnd, b, bEnd }: Gap): void {
    const width = bEnd - b + 1;
    const table = new Uint16Array((aEnd - a + 1) * width);
    const cell = (i: number, j: number) => at(table, (i - a) * width + (j - b));
    for (let i = aEnd - 1; i >= a; i--) {
      for (let j = bEnd - 1; j >= b; j--) {
        table[(i - a) * width + (j - b)] =
          this.#a[i] === this.#b[j] ? cell(i + 1, j + 1) + 1 : Math.max(cell(i + 1, j), cell(i, j + 1));
      }
    }
    for (let i = a, j = b; i < aEnd && j < bEnd; ) {
      if (this.#a[i] === this.#b[j]) {
        this.#matched[i++] = 1;
        j++;
      } else if (cell(i + 1, j) >= cell(i, j + 1)) i++;
      else j++;
    }
  }
}

/**
 * Returns each run of words to its position; -1 for one that occurs twice when `unique` is asked for, else its first.
 */
function runsOf(words: readonly string[], from: number, to: number, run: number, unique: boolean): Map<string, number> {
  const runs = new Map<string, number>();
  for (let i = from; i + run <= to; i++) {
    const key = words.slice(i, i + run).join(" ");
    if (!runs.has(key)) runs.set(key, i);
    else if (unique) runs.set(key, -1);
  }
  return runs;
}

/** Returns the longest subsequence of pairs whose first members rise (patience sorting). */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [k, [value]] of pairs.entries()) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[at(tops, middle)]?.[0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[k] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = k;
  }
  const chain: [number, number][] = [];
  for (let k = tops.at(-1) ?? -1; k >= 0; k = before[k] ?? -1) {
    const pair = pairs[k];
    if (pair !== undefined) chain.push(pair);
  }
  return chain.reverse();
}
