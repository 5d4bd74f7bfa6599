import { z } from "zod";
import { modelCard } from "../card.ts";
import { InferenceError } from "../../runtime/errors.ts";
import known from "./catalogue.json" with { type: "json" };

const entry = modelCard
  .pick({
    name: true,
    task: true,
    languages: true,
    description: true,
    licence: true,
    architecture: true,
    dims: true,
    pooling: true,
    max_tokens: true,
    prefixes: true,
    translates: true,
  })
  .extend({
    /** `owner/name` on the hub. */
    repo: z.string().regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/),
    /** From the name of a file of the model to its path in the repository. */
    files: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/), z.string().min(1)),
  });

/** A model that can be pulled. */
export type CatalogueEntry = z.infer<typeof entry>;

/** The models that can be pulled by their names: known to be good, and of licences that allow free use. */
export const CATALOGUE: readonly CatalogueEntry[] = z.object({ models: z.array(entry) }).parse(known).models;

/** The entry of this name. @throws InferenceError `model-unknown`, which names those there are */
export function catalogueEntry(name: string): CatalogueEntry {
  const match = CATALOGUE.find((each) => each.name === name);
  if (match !== undefined) return match;
  const names = CATALOGUE.map((each) => each.name).join(", ");
  throw new InferenceError("model-unknown", `no model named ${name} can be pulled; there are ${names}`, {
    model: name,
  });
}
