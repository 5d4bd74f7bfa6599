/** Run as a process: embeds, and prints by how many megabytes it has grown over the last 10,000 calls. */
import process from "node:process";
import { openRegistry } from "../../cards/registry.ts";
import { createEmbedder } from "./embedder.ts";

const megabytes = (): number => {
  Bun.gc(true);
  return process.memoryUsage().rss / 1e6;
};

const embedder = await createEmbedder({ registry: openRegistry() });
const call = async (i: number): Promise<void> => {
  await embedder.embed([`${i} barrels of oil were sold; بيع ${i} برميل `.repeat(1 + (i % 20))], "passage");
};
for (let i = 0; i < 4000; i++) await call(i);
const before = megabytes();
for (let i = 4000; i < 14_000; i++) await call(i);
process.stdout.write(String(megabytes() - before));
await embedder.close();
