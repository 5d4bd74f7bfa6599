import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "@isnad/lib/http";
import { openRegistry } from "@isnad/lib/inference";
import { createReModel, type ReModel } from "./model.ts";

/** The model that ships. */
export const RE_MODEL = "relations-ar";

/** What a weight of each table stands for, and what is added to the chances of events and arguments. */
export const ReSettings = z.strictObject({
  scales: z.strictObject({ triggers: z.number(), arguments: z.number() }),
  bias: z.strictObject({ triggers: z.number(), arguments: z.number() }),
});

/** Opens it, its checksums verified. Rejects when a file is missing or damaged, with an InferenceError. */
export async function openRelations(registry = openRegistry()): Promise<ReModel> {
  await registry.verify(RE_MODEL);
  const dir = registry.dir(RE_MODEL);
  const { scales, bias } = ReSettings.parse(JSON.parse(readFileSync(join(dir, "settings.json"), "utf8")));
  const table = (name: string): Int16Array => {
    const bytes = readFileSync(join(dir, name));
    return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  };
  return createReModel({ triggers: table("triggers.bin"), arguments: table("arguments.bin") }, { scales, bias });
}
