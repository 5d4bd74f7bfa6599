import { dataFolder } from "../../eval/retrieval-sets.ts";
import type { Figure } from "../rounds.ts";
import { besideOthers } from "./beside.ts";
import { overHttp } from "./http.ts";
import { newsCorpus } from "./corpus.ts";

/** Numbers of articles; BENCH_SIZES sets others, separated by commas. */
const SIZES = "10000,50000";

/** The keyword index beside other engines, then searches over HTTP, both over so many articles. */
export async function search(rounds: number): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) {
    process.stderr.write("search: skipped, no shared data (ISNAD_SHARED)\n");
    return [];
  }
  const sizes = (process.env.BENCH_SIZES ?? SIZES).split(",").map(Number);
  const figures = await besideOthers(folder, { rounds, sizes });
  for (const size of sizes) {
    const corpus = await newsCorpus(folder, size);
    try {
      figures.push(...(await overHttp(corpus)));
    } finally {
      await corpus.close();
    }
  }
  return figures;
}
