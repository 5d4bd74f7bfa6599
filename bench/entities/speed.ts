/**
 * `bun bench/entities/speed.ts`: tokens a second of the tagger over the articles of the demo, sent as whole texts, on one thread: by the clock
 * and by the processor time that the process used.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { createTagger, openRegistry } from "@isnad/lib/inference";
import { tokenise } from "../../lib/inference/tasks/entities/tokenise.ts";

const ROUNDS = 30;
const folder = fileURLToPath(new URL("../../demo/articles/", import.meta.url));
const tagger = await createTagger({ registry: openRegistry() });
for (const lang of ["ar", "en"]) {
  const files = readdirSync(join(folder, lang));
  const texts = files.map((file) => readFileSync(join(folder, lang, file), "utf8"));
  const tokens = texts.reduce((sum, text) => sum + tokenise(text).length, 0) * ROUNDS;
  await tagger.tag(texts);
  const used = process.cpuUsage();
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS; round++) await tagger.tag(texts);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(used);
  const cpu = (user + system) / 1e6;
  process.stdout.write(
    `${lang}: ${tokens} tokens, ${Math.round(tokens / seconds)} a second, ${Math.round(tokens / cpu)} a second of processor time\n`,
  );
}
await tagger.close();
