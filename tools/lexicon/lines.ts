import { parseJsonObject } from "@isnad/lib/std";

/** What is wrong with a file of JSON lines, the number of its line before each problem; ids are `prefix-number`. */
export function linesProblems(prefix: string, text: string, lineProblems: (line: string) => string[]): string[] {
  const lines = text.split("\n");
  if (lines.pop() !== "") return [`${lines.length + 1}: the last line has no end`];
  let last = 0;
  return lines.flatMap((line, i) => {
    const problems = lineProblems(line);
    const id = /"id":\s*"([^"]*)-(\d+)"/.exec(line);
    if (id !== null) {
      if (id[1] !== prefix) problems.push("the id does not begin with the name of its file");
      if (Number(id[2]) <= last) problems.push("ids must ascend, none twice");
      last = Number(id[2]);
    }
    return problems.map((problem) => `${i + 1}: ${problem}`);
  });
}

/** Sentences twice among a kind, which could be held out and trained on at once, and senses alike in all. */
export function doubleProblems(kind: string, lines: readonly string[]): string[] {
  const ids = new Map<string, string>();
  return lines.flatMap((line) => {
    const { id, text, lemma, gloss, examples } = parseJsonObject(line) ?? {};
    if (id === undefined) return [];
    const keys = text === undefined ? [`${lemma}: ${gloss}`, ...(Array.isArray(examples) ? examples : [])] : [text];
    return keys.map(String).flatMap((key) => {
      const first = ids.get(key);
      if (first === undefined) ids.set(key, String(id));
      return first === undefined ? [] : [`${kind}: ${first} and ${id} have the same: ${key}`];
    });
  });
}
