import { expect, test } from "bun:test";
import { join } from "node:path";
import { checkReadme, readmeProblems } from "./readme-check.ts";

const manifests = [
  { name: "root", scripts: { up: "bun up.ts", demo: "bun demo.ts" }, devDependencies: { tool: "1.0.0" } },
  { name: "part", dependencies: { "@me/lib": "workspace:*", wire: "2.0.0" } },
];
const README = `
| Command | |
|---|---|
| \`up\` | starts |
| \`demo\` | shows |

| Package | Why | Licence |
|---|---|---|
| \`tool\`, \`wire\` | for both | MIT |
`;

test("a README with a row for every script and every dependency has no problems", () => {
  expect(readmeProblems(README, manifests)).toEqual([]);
});

test("a script without a row, or with an empty one, is named", () => {
  expect(readmeProblems(README.replace("| `up` | starts |", ""), manifests)).toEqual([
    "script up has no row with a line",
  ]);
  expect(readmeProblems(README.replace("starts", ""), manifests)).toEqual(["script up has no row with a line"]);
});

test("a dependency without reason or licence is named; a workspace is none", () => {
  for (const gap of ["for both", "MIT"]) {
    expect(readmeProblems(README.replace(gap, " "), manifests).sort()).toEqual([
      "dependency tool has no row with a reason and a licence",
      "dependency wire has no row with a reason and a licence",
    ]);
  }
});

test("a dependency that is no longer one is named", () => {
  expect(readmeProblems(`${README}| \`gone\` | was useful | MIT |\n`, manifests)).toEqual([
    "gone is told of but is no dependency",
  ]);
});

test("this repository's README tells of every script and every dependency", () => {
  expect(checkReadme(join(import.meta.dirname, ".."))).toEqual([]);
});
