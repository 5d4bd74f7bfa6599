import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { defineCommand, writeJson } from "@isnad/lib/cli";
import { type CollectionResult, hashFolder, measureFeeds, type Waived } from "./measure.ts";
import { raiseFloors, readFloors, underFloors, writeFloors } from "../extraction/floors.ts";

const FLOORS = fileOf("../eval/feeds/floors.json");

/** `eval:feeds`: measures feed reading on public collections of cases against pinned floors. */
export const evalFeeds = defineCommand({
  name: "eval:feeds",
  summary: "Measures feed reading on public collections of cases and fails when a figure is below its floor.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    update: { kind: "flag", help: "raise the floors to what was measured; refused when one would get lower" },
  },
  details: `The cases are read from ISNAD_SHARED (default ../shared), data/feeds: feedparser and gofeed (fields that we carry),
sanitiser (no markup, no script in a text), charset. Waived cases, with their reasons, are in eval/feeds/waived.json.`,
  async run({ values }, { env, json, stdout, stderr }) {
    const folder = resolve(env.ISNAD_SHARED ?? fileOf("../../../shared"), "data/feeds");
    if (!existsSync(folder)) {
      stderr.write(`eval:feeds: skipped, there is no ${folder} (set ISNAD_SHARED)\n`);
      return 0;
    }
    const waived: Waived = readJson("../eval/feeds/waived.json");
    const results = measureFeeds(folder, readJson("../eval/feeds/charset-cases.json"), waived);
    const size = results.reduce((sum, { total }) => sum + total, 0);
    const corpus = { size, sha256: hashFolder(folder) };
    const figures = Object.fromEntries(results.map(({ collection, right, total }) => [collection, right / total]));
    if (json) writeJson(stdout, { ...corpus, results, waived });
    else stdout.write(describe(results, waived));
    const pinned = readFloors(FLOORS);
    if (values.update) {
      writeFloors(FLOORS, raiseFloors(figures, corpus, pinned));
      return 0;
    }
    const problems = underFloors(figures, corpus, pinned);
    for (const problem of problems) stderr.write(`eval:feeds: ${problem}\n`);
    return problems.length === 0 ? 0 : 1;
  },
});

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url).href);
}

function readJson(path: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(fileOf(path), "utf8"));
}

function describe(results: readonly CollectionResult[], reasons: Waived): string {
  const lines = ["collection   right / cases of our fields   share\n"];
  for (const { collection, right, total } of results) {
    lines.push(`${collection.padEnd(13)}${`${right} / ${total}`.padEnd(30)}${(right / total).toFixed(4)}\n`);
  }
  for (const { file, field, expected, found } of results.flatMap(({ wrong }) => wrong)) {
    lines.push(`wrong   ${file} ${field}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}\n`);
  }
  const failing = new Set(results.flatMap(({ waived }) => waived));
  for (const [name, reason] of Object.entries(reasons)) {
    lines.push(`waived  ${name}: ${failing.has(name) ? reason : "passes by now; take it off the list"}\n`);
  }
  return lines.join("");
}
