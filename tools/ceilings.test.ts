import { expect, test } from "bun:test";
import { ceilingProblems, countBreaches, lowered } from "./ceilings.ts";

const NONE = countBreaches([]);

test("only services, the commands and the tests of the whole import services; others are counted by their file", () => {
  const text = 'import { b } from "../workers/worker.ts";\nimport { c } from "../lib/text/mod.ts";';
  const files = ["cli/a.ts", "e2e/a.ts", "bench/a.ts", "eval/a.ts", "bench/a.test.ts"].map((path) => ({ path, text }));
  expect(countBreaches(files)["imports of services"]).toEqual({ "bench/a.ts": 1, "eval/a.ts": 1 });
});

test("files in a circle count by room where an import of types closes it, and those that lead to it do not", () => {
  const files = [
    { path: "lib/text/a.ts", text: 'import { b } from "./b.ts";' },
    { path: "lib/text/b.ts", text: 'import type { A } from "./a.ts";' },
    { path: "lib/text/c.ts", text: 'import { a } from "./a.ts";' },
  ];
  expect(countBreaches(files)["files in circles by types"]).toEqual({ "lib/text": 2 });
});

test("constants by names that say neither what nor in which unit count, and comments that begin with a clause", () => {
  const text = [
    "const MOST = 3;",
    "export const LONGEST_MS = 5;",
    "const MOSTLY = 1;",
    "const MAX_HITS = 1;",
    "/** Whether it rains. */",
    "/** Tells whether it rains. */",
    "/**\n * How long it rains.\n */",
  ].join("\n");
  const counts = countBreaches([{ path: "api/a.ts", text }]);
  expect(counts["vague constants"]).toEqual({ api: 2 });
  expect(counts["comments that begin with a clause"]).toEqual({ api: 2 });
});

test("a count may fall and not rise; what has no ceiling may not come", () => {
  const ceilings = { ...NONE, "vague constants": { api: 2 } };
  const counted = (counts: Record<string, number>) => ({ ...NONE, "vague constants": counts });
  expect(ceilingProblems(counted({ api: 2 }), ceilings)).toEqual([]);
  expect(ceilingProblems(counted({ api: 1 }), ceilings)).toEqual([]);
  expect(ceilingProblems(counted({ api: 3, edge: 1 }), ceilings)).toEqual([
    "api: vague constants: 3, and no more than 2 are left to mend",
    "edge: vague constants: 1, and no more than 0 are left to mend",
  ]);
});

test("ceilings are lowered to what is counted, never raised", () => {
  const ceilings = { ...NONE, "vague constants": { api: 2, edge: 4 } };
  const counts = { ...NONE, "vague constants": { api: 3, edge: 1, cli: 1 } };
  expect(lowered(counts, ceilings)).toEqual({ ...NONE, "vague constants": { api: 2, edge: 1 } });
});
