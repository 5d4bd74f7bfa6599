import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { openStore } from "@isnad/lib/store";
import { indexedArticles, testDatabase } from "@isnad/lib/store/testing";
import { searchReindex } from "./reindex.ts";

setDefaultTimeout(300_000);

test("the keyword index needs no embedding model to be made again, the vectors do; without a service it is made later", async () => {
  const database = await testDatabase();
  const store = openStore(database.url);
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-reindex-"));
  const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, EMBED_MODEL: "no-such-model" };
  try {
    await indexedArticles(store, 3);
    const { io, out } = captureIo(env);
    expect(await runCommand(searchReindex, ["--keyword", "--json"], io)).toBe(0);
    expect(JSON.parse(out())).toEqual({ articles: 3, keyword: { rebuilt: false } });
    const vectors = captureIo(env);
    expect(await runCommand(searchReindex, ["--vectors"], vectors.io)).toBe(1);
    expect(vectors.err()).toContain("no-such-model");
  } finally {
    await store.close();
    await database.drop();
    rmSync(dataDir, { recursive: true });
  }
});
