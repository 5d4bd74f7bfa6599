import { isHeldOut, readJsonLines, readText } from "./data.ts";

/** Queries, documents, and for each query the indexes of the documents that answer it. */
export type RetrievalSet = {
  name: string;
  queries: string[];
  documents: string[];
  wanted: Set<number>[];
  skip?: (query: number) => number;
};

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const own = (n: number): Set<number>[] => Array.from({ length: n }, (_, i) => new Set([i]));

/** Titles of held-out news articles among their bodies, one set a language. */
export function heldOutNews(data: string): RetrievalSet[] {
  const bodies = { ar: new Map<string, string>(), en: new Map<string, string>() };
  for (const name of ["ant_v2_ar", "ant_v1_ar", "english"]) {
    for (const row of readJsonLines(`${data}/news/${name}.jsonl`)) {
      const [title, body] = [text(row.title), text(row.text)];
      if ([...body].length < 200 || [...title].length < 8 || !isHeldOut(body)) continue;
      bodies[row.lang === "ar" ? "ar" : "en"].set([...body].slice(0, 1500).join(""), title);
    }
  }
  return (["ar", "en"] as const).map((lang) => ({
    name: `news title-body ${lang}, held out`,
    queries: [...bodies[lang].values()],
    documents: [...bodies[lang].keys()],
    wanted: own(bodies[lang].size),
  }));
}

/** PUD: a sentence and its translation among 1,000, both ways, and among the 2,000 of both languages. */
export function parallelSentences(data: string): RetrievalSet[] {
  const rows = readText(`${data}/parallel/pud/en-ar.tsv`).split("\n").filter(Boolean);
  const en = rows.map((row) => row.split("\t")[0] ?? "");
  const ar = rows.map((row) => row.split("\t")[1] ?? "");
  const relevant = own(rows.length);
  return [
    { name: "PUD ar-en", queries: ar, documents: en, wanted: relevant },
    { name: "PUD en-ar", queries: en, documents: ar, wanted: relevant },
    {
      name: "PUD ar-both",
      queries: ar,
      documents: [...en, ...ar],
      wanted: relevant,
      skip: (query) => en.length + query,
    },
  ];
}

/** A folder with corpus, queries and qrels. */
export function questionSet(data: string, name: string, folder: string): RetrievalSet {
  const base = `${data}/retrieval/${folder}`;
  const corpus = readJsonLines(`${base}/corpus.jsonl`);
  const place = new Map(corpus.map((row, index) => [text(row._id), index]));
  const answers = new Map<string, Set<number>>();
  for (const row of readText(`${base}/qrels.tsv`).split("\n").slice(1)) {
    const [query = "", document = "", score = "0"] = row.split("\t");
    const index = place.get(document);
    if (index === undefined || Number(score) <= 0) continue;
    answers.set(query, (answers.get(query) ?? new Set()).add(index));
  }
  const asked = readJsonLines(`${base}/queries.jsonl`).filter((row) => answers.has(text(row._id)));
  return {
    name,
    queries: asked.map((row) => text(row.text)),
    documents: corpus.map((row) => `${text(row.title)}\n${text(row.text)}`),
    wanted: asked.map((row) => answers.get(text(row._id)) ?? new Set()),
  };
}

/** Hand-written pairs that share meaning and no words; every set is searched among the second halves of all three. */
export function handWritten(pairs: Record<string, readonly (readonly string[])[]>): RetrievalSet[] {
  const documents = Object.values(pairs).flatMap((rows) => rows.map((row) => row[1] ?? ""));
  let first = 0;
  return Object.entries(pairs).map(([name, rows]) => {
    const start = first;
    first += rows.length;
    const relevant = rows.map((_, i) => new Set([start + i]));
    return { name: `hand-written ${name}`, queries: rows.map((row) => row[0] ?? ""), documents, wanted: relevant };
  });
}
