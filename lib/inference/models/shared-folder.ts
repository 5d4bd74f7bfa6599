import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { SHIPPED_MODELS } from "./registry.ts";

/** The folder of a model that the model in `dir` shares: beside `dir`, else among the shipped ones. */
export function sharedFolder(dir: string, name: string): string {
  const beside = join(dirname(dir), name);
  return existsSync(join(beside, "model.json")) ? beside : join(SHIPPED_MODELS, name);
}
