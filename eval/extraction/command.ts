import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, resolve } from "node:path";
import { defineCommand, writeJson } from "@isnad/lib/cli";
import { type SecondOpinion, secondOpinions } from "./second-opinions.ts";
import { raiseFloors, readFloors, underFloors, writeFloors } from "./floors.ts";
import { type ExtractionFigures, hashCorpus, measureCorpus, summarise } from "./measure.ts";

const FLOORS = fileURLToPath(new URL("./floors.json", import.meta.url).href);
const CARD = "scraper/extract/body/model/blocks.json";

/** `eval:extraction`: measures extraction on the WCXB pages against pinned floors. */
export const evalExtraction = defineCommand({
  name: "eval:extraction",
  summary: "Measures extraction on the WCXB pages and fails when a figure is below its floor.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    update: { kind: "flag", help: "raise the floors to what was measured; refused when one would get lower" },
    others: {
      kind: "flag",
      help: "measure on the Readability and Postlight pages and an Arabic one too, never trained on",
    },
    worst: { kind: "number", value: "N", help: "name the N pages with the lowest F1", default: 0, min: 0, max: 1000 },
  },
  details: `The pages are read from ISNAD_SHARED (default ../shared), data/extraction/wcxb. The block model is trained on these
pages: its F1 on pages that it has not seen is in ${CARD} (cross-validation).`,
  async run({ values }, { env, json, stdout, stderr }) {
    const shared = env.ISNAD_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url).href);
    const folder = resolve(shared, "data/extraction/wcxb");
    if (!existsSync(folder)) {
      stderr.write(`eval:extraction: skipped, there is no ${folder} (set ISNAD_SHARED)\n`);
      return 0;
    }
    const outcomes = measureCorpus(folder);
    const figures = summarise(outcomes);
    const corpus = { size: outcomes.length, sha256: hashCorpus(folder) };
    const pinnable = { f1: figures.f1, dates: figures.dates, titles: figures.titles };
    const worst = outcomes.toSorted((a, b) => a.f1 - b.f1).slice(0, values.worst);
    const others = values.others ? secondOpinions(dirname(folder)) : [];
    if (json) writeJson(stdout, { pages: corpus.size, sha256: corpus.sha256, ...figures, worst, others });
    else {
      stdout.write(describe(figures, outcomes.length));
      for (const other of others) stdout.write(describeOther(other));
      for (const { id, f1 } of worst) stdout.write(`${id} ${f1.toFixed(3)}\n`);
    }
    const pinned = readFloors(FLOORS);
    if (values.update) {
      writeFloors(FLOORS, raiseFloors(pinnable, corpus, pinned));
      return 0;
    }
    const problems = underFloors(pinnable, corpus, pinned);
    for (const problem of problems) stderr.write(`eval:extraction: ${problem}\n`);
    return problems.length === 0 ? 0 : 1;
  },
});

function describe(figures: ExtractionFigures, pages: number): string {
  const row = (name: string, value: number) => `${name.padEnd(34)}${value.toFixed(4)}\n`;
  return [
    `${pages} pages of WCXB (the block model is trained on them; see its card for unseen pages)\n`,
    row("word-level F1 of the text", figures.f1),
    row("right dates", figures.dates),
    row("right titles", figures.titles),
    row("  word for word", figures.sameTitles),
    row("right authors", figures.authors),
    row("median time, in parses of the page", figures.ratio),
  ].join("");
}

function describeOther({ collection, pages, ...shares }: SecondOpinion): string {
  const figures = Object.entries(shares).map(([name, share]) => `${name} ${share.toFixed(3)}`);
  return `${collection}, ${pages} pages: ${figures.join(", ")}\n`;
}
