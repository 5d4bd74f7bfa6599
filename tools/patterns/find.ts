import { relative } from "node:path";
import { isRegularExpressionLiteral } from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/async";

/** A regular expression literal of the sources. */
export type Pattern = { file: string; line: number; literal: string };

/** Tests, and what reads only what this project ships itself. */
const EXEMPT =
  /\.test\.ts$|(?:^|\/)testing|^(?:bench|eval|e2e|tools|nlp\/lexicon|nlp\/training|lib\/arabic\/training)\//;

/** Returns the literals of all sources of the project at `root` that read what comes from outside. */
export async function findPatterns(root: string): Promise<Pattern[]> {
  const api = new API({ cwd: root });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] });
    const patterns: Pattern[] = [];
    for (const { program } of snapshot.getProjects()) {
      for (const name of await program.getSourceFileNames()) {
        const file = relative(root, name);
        if (name.includes("/node_modules/") || file.startsWith("..") || EXEMPT.test(file)) continue;
        const source = await program.getSourceFile(name);
        if (source !== undefined) patterns.push(...literalsOf(source, file));
      }
    }
    return patterns;
  } finally {
    await api.close();
  }
}

type Source = Exclude<Awaited<ReturnType<Program["getSourceFile"]>>, undefined>;
type Program =
  Awaited<ReturnType<API["updateSnapshot"]>> extends { getProjects(): readonly (infer P)[] }
    ? P extends { program: infer T }
      ? T
      : never
    : never;
type Node = Parameters<Parameters<Source["forEachChild"]>[0]>[0];

function literalsOf(source: Source, file: string): Pattern[] {
  const patterns: Pattern[] = [];
  const visit = (node: Node): void => {
    if (isRegularExpressionLiteral(node)) {
      const line = source.text.slice(0, node.end).split("\n").length;
      patterns.push({ file, line, literal: node.text });
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return patterns;
}
