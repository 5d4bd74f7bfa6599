import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { openRegistry } from "@isnad/lib/models";
import { type Branches, searchBranches } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import newcomer from "../floor/articles.json" with { type: "json" };
import questions from "../floor/questions.json" with { type: "json" };
import { indexCollection, type Indexed } from "../indexed.ts";
import { type Collection, dataFolder, readCollection } from "../retrieval-sets.ts";
import type { EvalSet, EvalTask } from "../task.ts";
import { AS_SEARCH } from "./retrieval.ts";
import { documentVectors, openRankingModels } from "./rerank.ts";
import { readArticles, targetsOf } from "./known-item.ts";

/** Headlines, or questions, of each archive that it can answer. */
const ANSWERABLE = 150;
/** Places of the nearest that recall looks at. */
const DEPTH = 10;
/** Words of a headline that are asked with. */
const HEADLINE_WORDS = 5;

const NEWS = ["ant_v2_ar", "english"];
/** Archives of news, by how many of their articles they hold; constants were chosen on those of `ant_v1_ar`. */
const SIZES = [50, 500, 5_000];

/** Articles of the news of each language that stand beside those of a newcomer. */
const BESIDE = 20;

/** A question that an archive answers, and the article that does, from 1. */
type Answerable = { text: string; articleId: number };

/** Returns the nearest articles of a question in mode `vector`, with and without the floor. */
async function neighboursOf({ branches }: Pick<Indexed, "branches">, text: string) {
  const asked = { ...AS_SEARCH, text, kKeyword: 0 };
  const [floored, all] = await Promise.all([true, false].map((floor) => searchBranches(branches, { ...asked, floor })));
  const ids = (result: typeof floored) => (result?.vector ?? []).slice(0, DEPTH).map(({ articleId }) => articleId);
  return { floored: ids(floored), all: ids(all) };
}

/**
 * Measures how rarely a question that means nothing, or that the archive cannot answer, has hits by meaning, and how
 * many answers that are found without the floor are found with it.
 */
export async function evalFloor(
  indexed: Pick<Indexed, "branches">,
  { unanswerable, answerable }: { unanswerable: Record<string, readonly string[]>; answerable: readonly Answerable[] },
) {
  const figures: Record<string, number> = {};
  const predictions: string[] = [];
  for (const [kind, texts] of Object.entries(unanswerable)) {
    let silent = 0;
    for (const text of texts) {
      const { floored } = await neighboursOf(indexed, text);
      if (floored.length === 0) silent++;
      predictions.push([kind, floored.length, text].join("\t"));
    }
    figures[`silent, ${kind}`] = silent / Math.max(1, texts.length);
  }
  const found = { floored: 0, all: 0 };
  for (const { text, articleId } of answerable) {
    const { floored, all } = await neighboursOf(indexed, text);
    if (!all.includes(articleId)) continue;
    found.all++;
    if (floored.includes(articleId)) found.floored++;
    else predictions.push(["lost", articleId, text].join("\t"));
  }
  figures["recall kept"] = found.floored / Math.max(1, found.all);
  return { figures, predictions };
}

/** Nothing of news is said in a question of these: so no archive of news answers it. */
const { nonsense, off } = questions.test;

/** The first articles of a newcomer, and what is asked of each in other words and in the other language. */
const ARTICLES = fileURLToPath(new URL("../floor/articles.json", import.meta.url));
const FIRST_ARTICLES = "first articles";

/** A floor for meaning: nothing near where nothing answers, in archives of several sizes. */
export const floor: EvalTask = {
  name: "floor",
  formats: "JSON lines of articles with title and text, or a BEIR folder",
  sets: (data) => [
    ...["each alone", "together", "beside news"].map((where): EvalSet => {
      return { set: `${FIRST_ARTICLES}, ${where}`, path: ARTICLES };
    }),
    ...NEWS.flatMap((name) =>
      SIZES.map((size): EvalSet => ({ set: `${name}, ${size} articles`, path: join(data, `news/${name}.jsonl.gz`) })),
    ),
    { set: "ARCD train", path: join(data, "retrieval/arcd-train") },
    { set: "Cranfield", path: join(data, "retrieval/cranfield") },
  ],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const { embedder, reranker, reader, close } = await openRankingModels(registry);
    const open = async ({ documents }: Pick<Archive, "documents">) => {
      const indexed = await indexCollection({ documents }, embedder);
      const vectorsOf = reader && documentVectors(reader, documents);
      const likeness: Branches["likeness"] = async function* ({ text }, hits) {
        const vectors = vectorsOf && (await Promise.all(hits.map(({ articleId }) => vectorsOf(articleId - 1))));
        const passages = vectors?.map((each) => ({ title: "", text: "", vectors: each })) ?? [];
        yield* (await reranker.likeness?.(text, passages)) ?? [];
      };
      return { ...indexed, branches: { ...indexed.branches, likeness } };
    };
    return {
      async measure({ set, path }) {
        const unanswerable = { nonsense, "off-archive": off };
        const archives = path === ARTICLES ? firstArticles(set) : [archiveOf(set, path)];
        const measured: Awaited<ReturnType<typeof evalFloor>>[] = [];
        for (const archive of archives) {
          await using indexed = await open(archive);
          measured.push(await evalFloor(indexed, { ...archive, unanswerable }));
        }
        const figures: Record<string, number> = {};
        for (const each of measured) {
          for (const [name, value] of Object.entries(each.figures)) {
            figures[name] = (figures[name] ?? 0) + value / measured.length;
          }
        }
        const predictions = measured.flatMap((each) => each.predictions);
        return { figures, size: archives.reduce((sum, { answerable }) => sum + answerable.length, 0), predictions };
      },
      close,
    };
  },
};

type Archive = { documents: Collection["documents"]; answerable: Answerable[] };

export function archiveOf(set: string, path: string): Archive {
  return path.endsWith(".gz")
    ? newsOf(path, Number(/(\d+) articles$/.exec(set)?.[1] ?? SIZES.at(-1)))
    : questionsOf(readCollection(path));
}

/** Returns the newcomer's archives: each article alone, all of them, or all beside some news. */
export function firstArticles(set: string): Archive[] {
  const own = newcomer.test.map(({ title, content }, i) => ({ id: String(i + 1), title, text: content }));
  const asked = newcomer.test.map((article, i) => article.asked.map((text) => ({ text, articleId: i + 1 })));
  if (set.endsWith("each alone")) {
    return own.map((document, i) => {
      return { documents: [document], answerable: at(asked, i).map(({ text }) => ({ text, articleId: 1 })) };
    });
  }
  const data = set.endsWith("beside news") ? dataFolder(process.env) : undefined;
  const news =
    data === undefined ? [] : NEWS.flatMap((name) => newsOf(join(data, `news/${name}.jsonl.gz`), BESIDE).documents);
  return [{ documents: [...own, ...news], answerable: asked.flat() }];
}

/** Returns so many articles spread over a file, and the first words of headlines of some of them. */
function newsOf(path: string, size: number): Archive {
  const all = readArticles(path);
  const articles = Array.from({ length: Math.min(size, all.length) }, (_, i) => {
    return at(all, Math.floor((i * all.length) / Math.min(size, all.length)));
  });
  const answerable = targetsOf(articles, ANSWERABLE).map((target) => {
    const { title } = at(articles, target);
    return { text: title.split(/\s+/, HEADLINE_WORDS).join(" "), articleId: target + 1 };
  });
  return { documents: articles.map(({ title, text }, i) => ({ id: String(i + 1), title, text })), answerable };
}

/** Returns a collection with some of its questions, each with one article that answers it. */
function questionsOf({ documents, queries, grades }: Collection): Archive {
  const places = new Map(documents.map(({ id }, i) => [id, i + 1]));
  const step = Math.max(1, Math.floor(queries.length / ANSWERABLE));
  const answerable = queries
    .filter((_, i) => i % step === 0)
    .flatMap(({ id, text }): Answerable[] => {
      const best = [...(grades.get(id) ?? [])].filter(([, grade]) => grade > 0).map(([document]) => document);
      const articleId = places.get(best[0] ?? "");
      return articleId === undefined ? [] : [{ text, articleId }];
    });
  return { documents, answerable };
}
