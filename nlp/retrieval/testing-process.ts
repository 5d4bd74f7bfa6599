import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmbedder, openRegistry } from "@isnad/lib/inference";
import { openKeywordIndex } from "@isnad/lib/search";
import { openStore } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem } from "@isnad/lib/store/testing";
import { embedMissing, indexMissing } from "@isnad/lib/sync";

/** A database and a data folder with articles in both indexes, as an environment for processes. */
export type PreparedData = {
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
    openKeywordIndex({ dir: join(dir, "keyword"), mode: "write" }),
  ]);
  const ids = await admitItems(
    store,
    titles.map((title) => testItem({ title })),
  );
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  await embedMissing({ store, embedder }, ids);
  await indexMissing({ store, keyword }, ids);
  await keyword.markComplete();
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
export type RetrievalProcess = {
  /** Log lines so far. */
  lines: Record<string, unknown>[];
  /** Asks; a body is sent as JSON. */
  ask(path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  end(): Promise<number>;
  /** Resolves when the vectors are loaded. */
  loaded(): Promise<void>;
};

/** Starts `main.ts` with this environment and nothing else, and waits until it listens. Rejects with what it said when it ends. */
export async function startRetrieval(env: Record<string, string>): Promise<RetrievalProcess> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "main.ts")], {
    env: { PATH: process.env.PATH, RETRIEVAL_PORT: "0", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines: Record<string, unknown>[] = [];
  const listening = Promise.withResolvers<string>();
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = "";
    // To its end: a process whose output nobody takes cannot go on.
    for await (const chunk of child.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) {
        const entry: Record<string, unknown> = JSON.parse(line);
        lines.push(entry);
        if (entry.msg === "the retrieval service is listening") listening.resolve(String(entry.url));
      }
    }
    listening.reject(new Error(`the service ended: ${await new Response(child.stderr).text()}`));
  };
  read().catch(listening.reject);
  const url = await listening.promise;
  const ask: RetrievalProcess["ask"] = async (path, body) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, body === undefined ? {} : init);
    return { status: response.status, body: Object(await response.json()) };
  };
  return {
    lines,
    ask,
    async loaded() {
      while (Object((await ask("/health")).body.deps).vectors !== "ok") await Bun.sleep(10);
    },
    async end() {
      child.kill("SIGTERM");
      return await child.exited;
    },
  };
}
