import { z } from "zod";
import { openRegistry, textOf } from "../../models/cards/mod.ts";
import { createReModel, type ReModel } from "./model.ts";

/** The model that ships. */
export const RE_MODEL = "relations-ar";

/** What a weight of each table stands for, and the least probability of an argument that is told. */
const ReSettings = z.strictObject({
  scales: z.strictObject({ triggers: z.number(), arguments: z.number() }),
  least: z.number(),
});

/** Opens it, its checksums verified. Rejects when a file is missing or damaged, with an InferenceError. */
export async function openRelations(registry = openRegistry()): Promise<ReModel> {
  const read = (file: string) => registry.read(RE_MODEL, file);
  const files = [read("settings.json"), read("triggers.bin"), read("arguments.bin")] as const;
  const [settings, triggers, ofArguments] = await Promise.all(files);
  const { scales, least } = ReSettings.parse(JSON.parse(textOf(settings)));
  return createReModel({ triggers: signed(triggers), arguments: signed(ofArguments) }, { scales, least });
}

const signed = ({ buffer, byteOffset, length }: Uint8Array): Int8Array => new Int8Array(buffer, byteOffset, length);
