import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelCard } from "./registry.ts";

/** What a card says of these files of a folder as they are. */
export function filesOfCard(dir: string, names: readonly string[]): ModelCard["files"] {
  return Object.fromEntries(
    names.map((name) => {
      const bytes = readFileSync(join(dir, name));
      return [name, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }];
    }),
  );
}
