import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { createTagger, openRegistry } from "@isnad/lib/models";
import { tokenise } from "../lib/models/tasks/entities/tokens.ts";
import type { Figure } from "./rounds.ts";

const ROUNDS = 30;

/**
 * Tokens a second of the tagger over the articles of the demo, sent as whole texts, on one thread, by the processor
 * time that the process used.
 */
export async function entities(): Promise<Figure[]> {
  const folder = fileURLToPath(new URL("../cli/demo/articles/", import.meta.url));
  const tagger = await createTagger({ registry: openRegistry() });
  const figures: Figure[] = [];
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
    figures.push({
      name: `entities: tokens/s of processor time, ${lang}`,
      value: tokens / ((user + system) / 1e6),
      bound: { atLeast: 10_000 },
      detail: `${tokens} tokens, ${Math.round(tokens / seconds)} a second by the clock`,
    });
  }
  await tagger.close();
  return figures;
}
