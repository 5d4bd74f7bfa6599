import process from "node:process";
import { join } from "node:path";
import { openStore } from "../../store/mod.ts";
import { openKeywordIndex } from "../keyword/open.ts";
import { createVectorIndex } from "../vector/vector-index.ts";
import { followKeyword } from "./sync.ts";

/** Follows a database into the embedded indexes of a folder until it is killed, and writes snapshots all the time. */
const [url = "", dir = "", modelId = "", dims = "0"] = process.argv.slice(2);
const store = openStore(url, { max: 4 });
const logger = { info() {}, warn() {}, error() {} };
const keyword = await openKeywordIndex({ dir: join(dir, "keyword"), logger });
followKeyword({ store, keyword, logger, pollMs: 20, saveMs: 0 });
const vectors = await createVectorIndex({
  ...{ store, dir: join(dir, "vectors"), modelId, dims: Number(dims), pollMs: 20, saveMs: 0 },
});
await vectors.whenReady();
process.stdout.write("ready\n");
