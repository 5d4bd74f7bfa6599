import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { URL } from "node:url";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { type LogLine, spawnService } from "@isnad/lib/service/process/testing";
import { openKeywordIndex } from "@isnad/lib/search";
import { openStore } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem } from "@isnad/lib/store/testing";
import { embedMissing, followKeyword } from "@isnad/lib/search/sync";

/** A database and a data folder with articles in both indexes, as an environment for processes. */
type PreparedData = {
  env: { DATA_DIR: string; DATABASE_URL: string };
  dir: string;
  remove(): Promise<void>;
};

/** Makes them, with an article of each title. */
export async function prepareData(titles: readonly string[]): Promise<PreparedData> {
  const database = await testDatabase();
  const dir = mkdtempSync(join(tmpdir(), "isnad-retrieval-"));
  const store = openStore(database.url, { max: 2 });
  const [embedder, keyword] = await Promise.all([
    createEmbedder({ registry: openRegistry() }),
    openKeywordIndex({ dir: join(dir, "keyword") }),
  ]);
  const ids = await admitItems(
    store,
    titles.map((title) => testItem({ title })),
  );
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  await embedMissing({ store, embedder }, ids);
  const follower = followKeyword({ store, keyword, logger: { info() {}, warn() {} } });
  await follower.whenCaughtUp();
  await follower.close();
  await Promise.all([keyword.close(), embedder.close(), store.close()]);
  return {
    env: { DATA_DIR: dir, DATABASE_URL: database.url },
    dir,
    async remove() {
      rmSync(dir, { recursive: true, force: true });
      await database.drop();
    },
  };
}

/** A retrieval service as a process. */
type RetrievalProcess = {
  /** Log lines so far. */
  lines: LogLine[];
  /** Asks; a body is sent as JSON. */
  ask(path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Ends it; resolves to its exit code, null after SIGKILL. */
  end(signal?: "SIGTERM" | "SIGKILL"): Promise<number | null>;
  /** Resolves when the vectors are loaded. */
  loaded(): Promise<void>;
};

/**
 * Starts `main.ts` with this environment and nothing else, and waits until it listens. Rejects with what it said when
 * it ends.
 */
export async function startRetrieval(env: Record<string, string>): Promise<RetrievalProcess> {
  const service = spawnService(new URL("main.ts", import.meta.url), { RETRIEVAL_PORT: "0", ...env });
  const { url } = await service.said("the retrieval service is listening");
  const ask: RetrievalProcess["ask"] = async (path, body) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, body === undefined ? {} : init);
    return { status: response.status, body: Object(await response.json()) };
  };
  return {
    lines: service.lines,
    ask,
    async loaded() {
      while (Object((await ask("/health")).body.deps).vectors !== "ok") await Bun.sleep(10);
    },
    end: (signal) => service.end(signal),
  };
}
