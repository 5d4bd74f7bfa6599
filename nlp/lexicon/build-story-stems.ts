/**
 * Makes `stories/frequent-stems.tsv`, how rare the stems of the news are: `bun nlp/lexicon/build-story-stems.ts NEWS
 * [FILE]`, where NEWS is the folder `news` of the data. Nothing is counted that `eval/stories` holds.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { gunzipSync } from "node:zlib";
import { analyse } from "@isnad/lib/text";

/** Least articles of a source that hold a stem for it to be counted there. */
const LEAST_ARTICLES = 4;

/** Steps to a doubling of rarity. */
const STEPS = 2;

/** Stems that one in so many articles or fewer holds are as rare as those that no article holds. */
const RAREST = 2 ** 12;

/** Days whose articles are left out, whole, as they stand in the file. */
const LEFT_OUT_DAYS = /\b(?:10|11|12) (?:Jul|Aug) 2018\b/;
const LEFT_OUT_SOURCES: ReadonlySet<string> = new Set(["fnc1"]);

type Row = { id: string; source: string; published: string | null; title: string; text: string };

const [folder, file] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun nlp/lexicon/build-story-stems.ts NEWS");

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const labelled = new Set(
  readFileSync(here("../../eval/stories/labels.en.tsv"), "utf8")
    .split("\n")
    .map((line) => line.split("\t")[2]),
);

/** Shares of a source's articles that hold a stem, added up over sources, and how many sources there are. */
const shares = { ar: new Map<string, number>(), en: new Map<string, number>() };
const sources = { ar: 0, en: 0 };

for (const [name, lang] of [
  ["ant_v2_ar", "ar"],
  ["ant_v1_ar", "ar"],
  ["english", "en"],
] as const) {
  const rows: Row[] = gunzipSync(readFileSync(`${folder}/${name}.jsonl.gz`))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const bySource = Map.groupBy(
    rows.filter(({ id, published }) => !labelled.has(id) && !LEFT_OUT_DAYS.test(published ?? "")),
    ({ source }) => (lang === "ar" ? name : source),
  );
  for (const [source, articles] of bySource) {
    if (LEFT_OUT_SOURCES.has(source)) continue;
    const counts = new Map<string, number>();
    for (const { title, text } of articles) {
      const stems = new Set<string>();
      for (const { terms } of analyse(`${title}\n${text.slice(0, 2_000)}`)) {
        if (!terms.stop && terms.stems[0] !== undefined && !/\d/.test(terms.form)) stems.add(terms.stems[0]);
      }
      for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    }
    sources[lang]++;
    for (const [stem, count] of counts) {
      if (count < LEAST_ARTICLES) continue;
      shares[lang].set(stem, (shares[lang].get(stem) ?? 0) + count / articles.length);
    }
  }
}

const byLevel = new Map<number, string[]>();
for (const lang of ["ar", "en"] as const) {
  for (const [stem, share] of shares[lang]) {
    const level = Math.round(-Math.log2(share / sources[lang]) * STEPS);
    if (level >= Math.log2(RAREST) * STEPS) continue;
    const stems = byLevel.get(level) ?? [];
    stems.push(stem);
    byLevel.set(level, stems);
  }
}
const lines = [...byLevel]
  .sort(([a], [b]) => a - b)
  .map(([level, stems]) => `${level}\t${[...new Set(stems)].sort().join(" ")}\n`);
writeFileSync(file ?? here("stories/frequent-stems.tsv"), lines.join(""));
