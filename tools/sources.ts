/** A source file of the repository. */
export type SourceFile = { path: string; text: string };

/** Tells whether a file is of the tests. */
export const isTest = (path: string): boolean => /\.test\.tsx?$|(^|\/)testing([\w-]*\.tsx?$|\/)/.test(path);

const IMPORT = /^(?:import|export)\s(?:[\w\s{},*]*?\sfrom\s)?"([^"\n]+)"|\bimport\(\s*"([^"\n]+)"\s*\)/gm;

/** The module names that a file imports, statically or not. */
export function importsOf(text: string): string[] {
  return Array.from(text.matchAll(IMPORT), ([, name = "", lazy = ""]) => name || lazy);
}

/** Returns the room of a file: one of lib, a service, or a folder at the top. */
export function roomOf(path: string): string {
  const parts = path.split("/");
  return parts.slice(0, Math.min(parts.length - 1, parts[0] === "lib" || parts[0] === "nlp" ? 2 : 1)).join("/") || ".";
}

const CLAUSE = /^(What|Whether|How|Which|Where|When|Who|Whose|That)\b/;

/** Counts the doc comments of a source that begin with a clause in place of a verb. */
export function countClauses(text: string): number {
  return docComments(text).filter((first) => CLAUSE.test(first)).length;
}

/** Returns the first words of each doc comment of a source. */
export function docComments(text: string): string[] {
  return Array.from(text.matchAll(/\/\*\*\s*\n?\s*\*?\s*([^\n*]*)/g), ([, first = ""]) => first.trim());
}
