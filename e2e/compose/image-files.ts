import { readFileSync } from "node:fs";
import { dirname, join, matchesGlob, normalize } from "node:path";
import { importsOf } from "../../tools/sources.ts";

/** Whether a path of the repository, relative to its root, goes into the image, by the text of a `.dockerignore`. */
export function imageFilter(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ keeps: line.startsWith("!"), glob: line.replace(/^!/, "") }));
  return (path) => {
    const parts = path.split("/");
    const prefixes = parts.map((_, i) => parts.slice(0, i + 1).join("/"));
    // As Docker reads it: the last line that names the file or a folder that it is in decides.
    return rules.findLast(({ glob }) => prefixes.some((prefix) => matchesGlob(prefix, glob)))?.keeps ?? true;
  };
}

/** The files that these start with and all that they import, threads included, relative to `root`. */
export function filesOf(root: string, entries: readonly string[]): string[] {
  const { exports }: { exports: Record<string, string> } = JSON.parse(
    readFileSync(join(root, "lib/package.json"), "utf8"),
  );
  const seen = new Set(entries);
  for (const path of seen) {
    const text = readFileSync(join(root, path), "utf8");
    const threads = Array.from(text.matchAll(/new URL\("(\.[^"]+\.ts)"/g), ([, name = ""]) => name);
    for (const name of [...importsOf(text), ...threads]) {
      const exported = name.startsWith("@isnad/lib/") ? exports[name.replace("@isnad/lib", ".")] : undefined;
      if (exported !== undefined) seen.add(normalize(join("lib", exported)));
      else if (/^\..*\.ts$/.test(name)) seen.add(normalize(join(dirname(path), name)));
    }
  }
  return [...seen];
}
