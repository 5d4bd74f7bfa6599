import { expect, test } from "bun:test";
import { ceilingProblems, codeProblems, countBreaches, lowered } from "./check-code.ts";
import { importsOf, type SourceFile } from "./sources.ts";

const DECLARED = new Set(["@isnad/lib", "zod"]);
const problemsOf = (path: string, text: string) =>
  codeProblems([{ path, text }] satisfies SourceFile[], () => DECLARED);

test("imports of one and of several lines, of types, for their effect, lazy and passed on are all seen", () => {
  const text = `import { a } from "./a.ts";
import type { B } from "@isnad/lib/text";
import {
  c,
  type D,
} from "../c.ts";
import "./effect.ts";
export * from "./all.ts";
export { e } from "./e.ts";
const lazy = await import("./lazy.ts");
const text = 'read from "somewhere"';`;
  expect(importsOf(text)).toEqual([
    "./a.ts",
    "@isnad/lib/text",
    "../c.ts",
    "./effect.ts",
    "./all.ts",
    "./e.ts",
    "./lazy.ts",
  ]);
});

test("a folder of lib imports only those below it", () => {
  expect(problemsOf("lib/search/a.ts", 'import { b } from "../store/mod.ts";')).toEqual([]);
  expect(problemsOf("lib/store/a.ts", 'import { b } from "../search/mod.ts";')).toEqual([
    "lib/store/a.ts: lib/store imports lib/search, which is not below it",
  ]);
  expect(problemsOf("lib/store/a.ts", 'import { b } from "../models/mod.ts";')).toHaveLength(1);
  expect(problemsOf("lib/text/a.ts", 'import { b } from "@isnad/lib/service/http";')).toHaveLength(1);
  expect(problemsOf("lib/text/a.ts", 'import { b } from "../../api/app.ts";')).toHaveLength(1);
  expect(problemsOf("lib/newroom/a.ts", "export const a = 1;")).toHaveLength(1);
});

test("files do not import each other in a circle, be it for types", () => {
  const circle = (back: string) =>
    codeProblems(
      [
        { path: "api/a.ts", text: 'import { b } from "./b.ts";' },
        { path: "api/b.ts", text: 'import {\n  type A,\n  c,\n} from "./c.ts";' },
        { path: "api/c.ts", text: back },
      ],
      () => DECLARED,
    );
  expect(circle('import { a } from "./a.ts";')).toEqual([
    "circle of imports: api/a.ts -> api/b.ts -> api/c.ts -> api/a.ts",
  ]);
  expect(circle('import { type A, a } from "./a.ts";')).toHaveLength(1);
  expect(circle('export * from "./c.ts";')).toEqual(["circle of imports: api/c.ts -> api/c.ts"]);
  expect(circle('import type { A } from "./a.ts";')).toHaveLength(1);
  expect(circle('import { type A, type B } from "./a.ts";')).toHaveLength(1);
  expect(circle("")).toEqual([]);
});

test("a service imports lib and itself; the programs around it may import services", () => {
  const text = 'import { b } from "../workers/worker.ts";';
  expect(problemsOf("api/a.ts", text)).toEqual([
    "api/a.ts: a service imports lib and itself, and not workers/worker.ts",
  ]);
  expect(problemsOf("cli/a.ts", text)).toEqual([]);
  expect(problemsOf("api/a.test.ts", text)).toEqual([]);
});

test("a package must be declared, and a built-in module has its prefix", () => {
  expect(problemsOf("api/a.ts", 'import { z } from "zod/v4";')).toEqual([]);
  expect(problemsOf("api/a.ts", 'import x from "left-pad";')).toHaveLength(1);
  expect(problemsOf("api/a.ts", 'import { join } from "path";')).toEqual(["api/a.ts: imports path: write node:path"]);
});

test("SQL, the environment and Bun's own functions have their places", () => {
  expect(problemsOf("api/a.ts", "await sql`select 1`;")).toHaveLength(1);
  expect(problemsOf("lib/store/a.ts", "await sql<Row[]>`select 1`;")).toEqual([]);
  expect(problemsOf("api/a.ts", "const port = process.env.PORT;")).toHaveLength(1);
  expect(problemsOf("api/main.ts", "const port = process.env.PORT; Bun.serve({});")).toEqual([]);
  expect(problemsOf("api/a.ts", "await Bun.sleep(1);")).toHaveLength(1);
  expect(problemsOf("api/a.ts", "// Bun.sleep would do\nconst a = 1;")).toEqual([]);
});

test("a comment keeps to its width; code is the formatter's", () => {
  expect(problemsOf("api/a.ts", `// ${"x".repeat(130)}`)).toEqual([
    "api/a.ts: line 1: a comment of more than 120 columns",
  ]);
  expect(problemsOf("api/a.ts", `const a = "${"x".repeat(130)}";`)).toEqual([]);
});

test("onnxruntime is loaded in one place, which turns its telemetry off", () => {
  const named = (text: string) => text.replace("IT", "onnxruntime-node");
  const problems = (path: string, text: string) =>
    codeProblems([{ path, text: named(text) }], () => new Set([named("IT")])).length;
  expect(problems("lib/models/a.ts", 'const { Tensor } = await import(\n"IT");')).toBe(1);
  expect(problems("bench/a.test.ts", 'import { Tensor } from "IT";')).toBe(1);
  expect(problems("bench/a.ts", 'import type { Tensor } from "IT";')).toBe(0);
  expect(problems("lib/models/runtime/onnxruntime.ts", 'return import(\n"IT");')).toBe(0);
});

const NONE = countBreaches([]);

test("only services, the commands and the tests of the whole import services; others are counted by their file", () => {
  const text = 'import { b } from "../workers/worker.ts";\nimport { c } from "../lib/text/mod.ts";';
  const files = ["cli/a.ts", "e2e/a.ts", "bench/a.ts", "eval/a.ts", "bench/a.test.ts"].map((path) => ({ path, text }));
  expect(countBreaches(files)["imports of services"]).toEqual({ "bench/a.ts": 1, "eval/a.ts": 1 });
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

test.each([
  ["lib/store/a.ts", "an upper layer", 'import { b } from "../ingest/mod.ts";', 1],
  ["lib/ingest/a.ts", "a lower layer", 'import { b } from "../store/mod.ts";', 0],
  ["lib/store/a.ts", "its own room", 'import { b } from "../store/mod.ts";\nimport { c } from "./c.ts";', 0],
  ["lib/store/a.test.ts", "an upper layer, in a test", 'import { b } from "../ingest/mod.ts";', 0],
  ["lib/store/a.ts", "lib's package.json", 'import pkg from "../package.json";', 0],
  ["lib/store/a.ts", "the tools", 'import { b } from "../../tools/house.ts";', 1],
  ["nlp/retrieval/a.ts", "the service beside it", 'import { b } from "../linguistic/app.ts";', 1],
  ["nlp/retrieval/a.ts", "itself", 'import { b } from "../retrieval/app.ts";', 0],
  ["edge/a.ts", "the commands", 'import { b } from "../cli/main.ts";', 1],
])("%s that imports %s breaks a rule or not (%#)", (path, _, text, count) => {
  expect(problemsOf(path, text)).toHaveLength(count);
});

test.each([
  ["api/a.ts", "sql`select 1`", true],
  ["api/a.ts", "const mysql = `x`", false],
  ["api/a.ts", "sql<{ a: string }[]>`select 1`", true],
  ["api/a.test.ts", "sql`select 1`", false],
  ["lib/work/a.ts", "sql`select 1`", false],
  ["bench/a.ts", "sql`select 1`", false],
  ["lib/workbench/a.ts", "sql`select 1`", true],
])("SQL in %s as %j is out of its place: %p", (path, text, isProblem) => {
  const problems = problemsOf(path, text).filter((problem) => problem.includes("SQL"));
  expect(problems).toHaveLength(isProblem ? 1 : 0);
});

test.each([
  ["api/a.ts", "process.env.PORT", true],
  ["api/main.ts", "process.env.PORT", false],
  ["api/domain.ts", "process.env.PORT", true],
  ["lib/service/config/read.ts", "process.env.PORT", false],
  ["lib/service/http/read.ts", "process.env.PORT", true],
  ["cli/demo/run.ts", "process.env.PORT", false],
  ["cli/keys/run.ts", "process.env.PORT", true],
  ["cli/build-page.ts", "process.env.PORT", false],
  ["api/a.ts", "`process.env.PORT`", false],
  ["api/a.ts", "/* process.env.PORT */ const a = 1;", false],
  ["api/a.ts", "const processor = my_process.environment;", false],
])("the environment in %s as %j is out of its place: %p", (path, text, isProblem) => {
  const problems = problemsOf(path, text).filter((problem) => problem.includes("environment is read"));
  expect(problems).toHaveLength(isProblem ? 1 : 0);
});

test("a package is declared by its name, whatever of it is imported", () => {
  const declared = (name: string) => problemsOf("api/a.ts", `import x from "${name}";`);
  for (const name of ["zod", "zod/v4/core", "@isnad/lib", "@isnad/lib/text", "node:fs", "bun:test", "bun", "./b.ts"]) {
    expect([name, declared(name)]).toEqual([name, []]);
  }
  expect(declared("@isnad/other/text")).toEqual([
    "api/a.ts: imports @isnad/other, which no package.json above it names",
  ]);
  expect(declared("fs/promises")).toEqual(["api/a.ts: imports fs/promises: write node:fs/promises"]);
});

test("a comment may be 120 columns wide, counted in characters", () => {
  const wide = (comment: string) => problemsOf("api/a.ts", comment).length;
  expect([wide(`//${"x".repeat(118)}`), wide(`//${"x".repeat(119)}`)]).toEqual([0, 1]);
  expect([wide(`//${"😀".repeat(118)}`), wide(`//${"😀".repeat(119)}`)]).toEqual([0, 1]);
  expect([wide(`  /**${"x".repeat(120)}`), wide(`   * ${"x".repeat(120)}`)]).toEqual([1, 1]);
});
