import { expect, test } from "bun:test";
import { join } from "node:path";
import { checkReadme, referenceProblems, rowProblems } from "./readme-check.ts";

const COMMANDS = {
  path: "docs/commands.md",
  text: `
| Command | |
|---|---|
| \`up\` | starts |
| \`demo\` | shows |
`,
};
const DEPENDENCIES = {
  path: "docs/dependencies.md",
  text: `
| Package | Why | Licence |
|---|---|---|
| \`tool\`, \`wire\` | for both | MIT |
`,
};
const scripts = new Set(["up", "demo"]);
const packages = new Set(["tool", "wire"]);
const without = (page: typeof COMMANDS, part: string) => ({ ...page, text: page.text.replace(part, "") });

test("a page with a row for every name, and no other, has no problems", () => {
  expect(rowProblems(COMMANDS, scripts, "script", ["a line"])).toEqual([]);
  expect(rowProblems(DEPENDENCIES, packages, "dependency", ["a reason", "a licence"])).toEqual([]);
});

test("a script without a row, or with an empty one, is named", () => {
  for (const gap of ["| `up` | starts |", "starts"])
    expect(rowProblems(without(COMMANDS, gap), scripts, "script", ["a line"])).toEqual([
      "docs/commands.md: script up has no row with a line",
    ]);
});

test("a dependency without reason or licence is named", () => {
  for (const gap of ["for both", "MIT", "| MIT "]) {
    const problems = rowProblems(without(DEPENDENCIES, gap), packages, "dependency", ["a reason", "a licence"]);
    expect(problems).toEqual([
      "docs/dependencies.md: dependency tool has no row with a reason and a licence",
      "docs/dependencies.md: dependency wire has no row with a reason and a licence",
    ]);
  }
});

test("a row for what is gone is named", () => {
  expect(rowProblems(COMMANDS, new Set(["up"]), "script", ["a line"])).toEqual(["docs/commands.md: demo is no script"]);
});

test("a link, a path or a script that is not there is named; addresses, anchors and code of others are not", () => {
  const files = new Set(["docs", "docs/keys.md", "lib", "lib/a.ts"]);
  const problems = (text: string) =>
    referenceProblems({ path: "docs/page.md", text }, { exists: (path) => files.has(path), scripts });
  expect(problems("[keys](keys.md#who) [x](https://x.example/y.md) `lib/a.ts` `other/b.ts` `bun run up`")).toEqual([]);
  expect(problems("[gone](gone.md) `lib/b.ts` `npx bun@1.4.4 run down`")).toEqual([
    "docs/page.md: docs/gone.md does not exist",
    "docs/page.md: lib/b.ts does not exist",
    "docs/page.md: there is no script down",
  ]);
});

test("a path in a drawing that is not there is named; a route is no path", () => {
  const text = "```mermaid\nflowchart LR\n  a[api: /v1/lib] --> b[lib/a.ts, lib/gone]\n```\n";
  const exists = (path: string) => ["lib", "lib/a.ts"].includes(path);
  expect(referenceProblems({ path: "docs/page.md", text }, { exists, scripts })).toEqual([
    "docs/page.md: lib/gone does not exist",
  ]);
});

test("a source file that the README of a folder names is one beside it", () => {
  const problems = (path: string) =>
    referenceProblems({ path, text: "`a.ts` `b.ts`" }, { exists: (file) => file === "lib/a.ts", scripts });
  expect(problems("lib/README.md")).toEqual(["lib/README.md: lib/b.ts does not exist"]);
  expect(problems("docs/page.md")).toEqual([]);
});

test("this repository's pages tell of every script and dependency, and name only what exists", () => {
  expect(checkReadme(join(import.meta.dirname, ".."))).toEqual([]);
});
