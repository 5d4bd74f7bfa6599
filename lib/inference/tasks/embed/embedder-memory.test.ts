import { expect, test } from "bun:test";
import { createEmbedder } from "./embedder.ts";
import { openRegistry } from "../../models/registry.ts";

const megabytes = (): number => {
  Bun.gc(true);
  return process.memoryUsage().rss / 1e6;
};

test("memory stays flat over 10,000 calls", async () => {
  const embedder = await createEmbedder({ registry: openRegistry() });
  const call = async (i: number): Promise<void> => {
    await embedder.embed([`${i} barrels of oil were sold; بيع ${i} برميل `.repeat(1 + (i % 20))], "passage");
  };
  for (let i = 0; i < 4000; i++) await call(i);
  const before = megabytes();
  for (let i = 4000; i < 14_000; i++) await call(i);
  expect(megabytes() - before).toBeLessThan(40);
  await embedder.close();
});
