import { importsOf, isTest, countClauses, roomOf, serviceOf, type SourceFile, target } from "./sources.ts";

/** Programs that are made of the services. */
const SERVICE_USERS = /^(cli|e2e)\//;

/** Names that say neither what is bounded nor in which unit (rules 5 and 8 of the style). */
const VAGUE_CONSTANT =
  /^(?:export )?const ((?:MOST|LONGEST|SHORTEST|FEWEST|SURE|KEPT|KNOWN|OWN|FOUND|MADE|ASKED)(?:_[A-Z0-9]+)*)\b/gm;

/** What is left to mend, by rule and by room or file: a count that may only fall. */
export type Ceilings = Record<Rule, Readonly<Record<string, number>>>;

/** The rules that older code breaks in places. */
type Rule =
  | "imports of services"
  | "files in circles by types"
  | "vague constants"
  | "comments that begin with a clause";

/** Counts how often each room or file breaks the rules that have ceilings. */
export function countBreaches(files: readonly SourceFile[]): Ceilings {
  const sources = files.filter(({ path }) => !isTest(path));
  const inCircles = circularFiles(sources);
  return {
    "imports of services": countBy(sources, ({ path }) => path, importsOfServices),
    "files in circles by types": countBy(
      sources,
      ({ path }) => roomOf(path),
      ({ path }) => (inCircles.has(path) ? 1 : 0),
    ),
    "vague constants": countBy(
      sources,
      ({ path }) => roomOf(path),
      ({ text }) => text.match(VAGUE_CONSTANT)?.length ?? 0,
    ),
    "comments that begin with a clause": countBy(
      sources,
      ({ path }) => roomOf(path),
      ({ text }) => countClauses(text),
    ),
  };
}

/** Returns where counts are above their ceilings, which are 0 where none is written down. */
export function ceilingProblems(counts: Ceilings, ceilings: Ceilings): string[] {
  return RULES.flatMap((rule) =>
    Object.entries(counts[rule]).flatMap(([place, count]) => {
      const ceiling = ceilings[rule][place] ?? 0;
      return count > ceiling ? [`${place}: ${rule}: ${count}, and no more than ${ceiling} are left to mend`] : [];
    }),
  );
}

const RULES = [
  "imports of services",
  "files in circles by types",
  "vague constants",
  "comments that begin with a clause",
] as const satisfies readonly Rule[];

function countBy(
  files: readonly SourceFile[],
  placeOf: (file: SourceFile) => string,
  countOf: (file: SourceFile) => number,
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(placeOf(file), (counts.get(placeOf(file)) ?? 0) + countOf(file));
  return Object.fromEntries([...counts].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function importsOfServices({ path, text }: SourceFile): number {
  if (serviceOf(path) !== undefined || SERVICE_USERS.test(path)) return 0;
  return importsOf(text).filter((name) => serviceOf(target(path, name) ?? "") !== undefined).length;
}

/** Returns the files that reach themselves by their imports, those of types among them. */
function circularFiles(files: readonly SourceFile[]): Set<string> {
  const imports = new Map(
    files.map(({ path, text }) => [path, importsOf(text).map((name) => target(path, name) ?? "")]),
  );
  const reachesItself = (path: string): boolean => {
    const reached = new Set<string>();
    const open = [...(imports.get(path) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === path) return true;
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(...(imports.get(next) ?? []));
    }
    return false;
  };
  return new Set(files.map(({ path }) => path).filter(reachesItself));
}

/** Returns counts, none above what was written down. */
export function lowered(counts: Ceilings, ceilings: Ceilings): Ceilings {
  const lower = (rule: Rule) =>
    Object.fromEntries(
      Object.entries(counts[rule])
        .map(([place, count]) => [place, Math.min(count, ceilings[rule][place] ?? 0)] as const)
        .filter(([, count]) => count > 0),
    );
  return {
    "imports of services": lower("imports of services"),
    "files in circles by types": lower("files in circles by types"),
    "vague constants": lower("vague constants"),
    "comments that begin with a clause": lower("comments that begin with a clause"),
  };
}
