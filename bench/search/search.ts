import { dataFolder, readJsonLines } from "../../eval/retrieval-sets.ts";
import type { Figure } from "../rounds.ts";
import { besideOthers } from "./beside.ts";
import { HTTP_PARTS, overHttp } from "./http.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { createVectorIndex, openKeywordIndex } from "@isnad/lib/search";
import { embedMissing, followKeyword } from "@isnad/lib/search/sync";
import type { AdmissionItem } from "@isnad/lib/store";
import { openStore } from "@isnad/lib/store";
import { testDatabase, testItem } from "@isnad/lib/store/testing";
import type { NewsCorpus } from "./vectors.ts";

const BATCH = 100;

/** With fewer chunks than this the graph is not asked, and none of them need be linked. */
const GRAPH_CHUNKS = 51_200;

/** Queries one after another are of articles so far from each other. */
const QUERY_STEP = 31;

/** Brings up to `limit` articles of the Arabic and English news in `folder` in. */
async function newsCorpus(folder: string, limit: number): Promise<NewsCorpus> {
  const database = await testDatabase();
  const dir = await mkdtemp(join(tmpdir(), "isnad-bench-"));
  const store = openStore(database.url, { max: 4 });
  const embedder = await createEmbedder({ registry: openRegistry() });
  const keyword = await openKeywordIndex({ dir: join(dir, "keyword") });
  const items = newsItems(folder, limit);
  for (let at = 0; at < items.length; at += BATCH) {
    const batch = items.slice(at, at + BATCH);
    const outcome = await store.admission.admit(batch, { requireKnownSource: false });
    if (outcome.kind !== "decided") throw new Error(`unexpected outcome ${outcome.kind}`);
    const ids = outcome.results.flatMap((r) => (r.status === "accepted" && r.articleId ? [r.articleId] : []));
    const rows = await store.articles.byIds(ids, ["articleId", "lang"]);
    await store.articles.markNormalized(rows.map(({ articleId, lang }) => ({ articleId, lang })));
    await embedMissing({ store, embedder }, ids);
  }
  const follower = followKeyword({ store, keyword, logger: { info() {}, warn() {} } });
  await follower.whenCaughtUp();
  // A service begins with the snapshot.
  await keyword.save();
  const vectors = await createVectorIndex({
    store,
    dir: join(dir, "vectors"),
    modelId: embedder.modelId,
    dims: embedder.dims,
  });
  await vectors.whenReady();
  // Measured as it is served when nothing comes in: everything linked, the graph's depth chosen.
  for (let waited = 0; waited < 120; waited++) {
    const { linked, chunks, recall } = await vectors.status();
    if (chunks < GRAPH_CHUNKS || (linked === chunks && recall !== null)) break;
    await sleep(1000);
  }
  // A service begins with the graph as it is here: it would still link for minutes while it is measured.
  await vectors.save();
  const titles = new Set(items.map(({ title }) => title.split(" ").slice(0, 5).join(" ")));
  const queries = Array.from({ length: QUERY_STEP }, (_, first) =>
    [...titles].filter((_, i) => i % QUERY_STEP === first),
  ).flat();
  return {
    store,
    keyword,
    vectors,
    embedder,
    articles: await keyword.count(),
    queries,
    env: { DATA_DIR: dir, DATABASE_URL: database.url },
    async close() {
      await follower.close();
      await vectors.close();
      await keyword.close();
      await embedder.close();
      await store.close();
      await database.drop();
      await rm(dir, { recursive: true });
    },
  };
}

function newsItems(folder: string, limit: number): AdmissionItem[] {
  const items = new Map<string, AdmissionItem>();
  for (const { name, lang } of [
    { name: "ant_v2_ar", lang: "ar" },
    { name: "english", lang: "en" },
  ]) {
    for (const [i, row] of readJsonLines(`${folder}/news/${name}.jsonl`).entries()) {
      const title = String(row.title ?? "").slice(0, 500);
      const content = String(row.text ?? "")
        .replace(/\s+/g, " ")
        .trim();
      if (content.length < 200 || title === "") continue;
      const url = `https://${name.replaceAll("_", "-")}.example/${i}`;
      const fields = { sourceId: name, externalId: String(i), url, domain: new URL(url).hostname, title, content };
      const item = testItem({ ...fields, lang, publishedAt: null });
      items.set(item.contentHash, item);
    }
  }
  const all = [...items.values()];
  const step = Math.max(1, all.length / limit);
  return Array.from({ length: Math.min(limit, all.length) }, (_, i) => all[Math.floor(i * step)]).filter(
    (item) => item !== undefined,
  );
}

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
