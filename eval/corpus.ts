import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** SHA-256 over the names and contents of the files at `path`, a file or a folder with all below it. */
export function corpusHash(path: string): string {
  const hash = createHash("sha256");
  for (const file of filesOf(path)) {
    const bytes = readFileSync(join(path, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/** SHA-256 over sentences or other entries, for a set that is a part of what its files hold. */
export function entriesHash(entries: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(entries)).digest("hex");
}

/** The paths of the files below `path`, sorted; the empty path for a file. */
function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [""];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(path, name)).isFile())
    .sort();
}
