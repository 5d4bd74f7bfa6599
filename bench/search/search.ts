import { dataFolder } from "../../eval/retrieval-sets.ts";
import type { Figure } from "../rounds.ts";
import { besideOthers } from "./beside.ts";
import { HTTP_PARTS, overHttp } from "./http.ts";
import { newsCorpus } from "./corpus.ts";

/** Numbers of articles; BENCH_SIZES sets others, separated by commas. */
const SIZES = "10000,50000";

/** Lists what is measured; BENCH_PARTS chooses some, separated by commas. */
const PARTS = ["beside", ...HTTP_PARTS] as const;
type Part = (typeof PARTS)[number];

/** Returns the parts that BENCH_PARTS names, all without it. @throws RangeError for one that there is not */
function partsOf({ BENCH_PARTS: given }: NodeJS.ProcessEnv): Set<Part> {
  const names = given?.split(",") ?? PARTS;
  return new Set(
    names.map((name) => {
      const part = PARTS.find((each) => each === name);
      if (part === undefined) throw new RangeError(`BENCH_PARTS: ${name} is none of ${PARTS.join(", ")}`);
      return part;
    }),
  );
}

/** The keyword index beside other engines, then searches over HTTP, both over so many articles. */
export async function search(rounds: number): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) {
    process.stderr.write("search: skipped, no shared data (ISNAD_SHARED)\n");
    return [];
  }
  const sizes = (process.env.BENCH_SIZES ?? SIZES).split(",").map(Number);
  const parts = partsOf(process.env);
  const figures = parts.delete("beside") ? await besideOthers(folder, { rounds, sizes }) : [];
  for (const size of parts.size > 0 ? sizes : []) {
    const corpus = await newsCorpus(folder, size);
    try {
      figures.push(...(await overHttp(corpus, parts)));
    } finally {
      await corpus.close();
    }
  }
  return figures;
}
