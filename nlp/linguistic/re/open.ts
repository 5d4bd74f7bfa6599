import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "@isnad/lib/http";
import { openRegistry } from "@isnad/lib/inference";
import { createReModel, type ReModel } from "./model.ts";

/** The model that ships. */
export const RE_MODEL = "relations-ar";

/** What a weight of each table stands for, and the least probability of an argument that is told. */
export const ReSettings = z.strictObject({
  scales: z.strictObject({ triggers: z.number(), arguments: z.number() }),
  least: z.number(),
});

/** Opens it, its checksums verified. Rejects when a file is missing or damaged, with an InferenceError. */
export async function openRelations(registry = openRegistry()): Promise<ReModel> {
  await registry.verify(RE_MODEL);
  const dir = registry.dir(RE_MODEL);
  const { scales, least } = ReSettings.parse(JSON.parse(readFileSync(join(dir, "settings.json"), "utf8")));
  const table = (name: string): Int8Array => new Int8Array(readFileSync(join(dir, name)));
  return createReModel({ triggers: table("triggers.bin"), arguments: table("arguments.bin") }, { scales, least });
}
