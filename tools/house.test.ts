import { expect, test } from "bun:test";
import { measureHouse, reach } from "./house.ts";
import { roomOf } from "./sources.ts";

const SOURCES = [
  { path: "lib/std/a.ts", text: "/** Returns one. */\nexport const one = 1;\n" },
  { path: "lib/std/mod.ts", text: 'export { one } from "./a.ts";\n' },
  {
    path: "api/x.ts",
    text: 'import { one } from "@isnad/lib/std";\n/** What two is. */\nexport const two = one + one;\n',
  },
  { path: "api/y.ts", text: 'import { two } from "./x.ts";\nimport { one } from "../lib/std/a.ts";\ntwo + one;\n' },
  { path: "api/x.test.ts", text: 'import { two } from "./x.ts";\ntwo;\ntwo;\ntwo;\n' },
];
const EXPORTS = { "./std": "./std/mod.ts" };

test("an export's users are counted once each, through re-exports, and tests are none", () => {
  const house = measureHouse(SOURCES, EXPORTS);
  expect(house).toMatchObject({ files: 4, exports: 2, exportsWithOneUser: 1 });
});

test("sizes leave tests out, which are told by room", () => {
  const house = measureHouse(SOURCES, EXPORTS);
  expect(house).toMatchObject({ lines: 9, median: 3, p90: 3 });
  expect(house.rooms).toEqual([
    { room: "api", files: 2, lines: 6, testLines: 4 },
    { room: "lib/std", files: 2, lines: 3, testLines: 0 },
  ]);
});

test("what a program generates is not measured", () => {
  const generated = {
    path: "clients/typescript/src/generated/schema.ts",
    text: "/** What it is. */\nexport const x = 1;\n",
  };
  expect(measureHouse([...SOURCES, generated], EXPORTS)).toEqual(measureHouse(SOURCES, EXPORTS));
});

test("a doc comment that begins with a clause is told from one that begins with a verb", () => {
  expect(measureHouse(SOURCES, EXPORTS)).toMatchObject({ docComments: 2, clauseComments: 1 });
});

test("a file reaches what it imports, by package name and by path, and itself", () => {
  expect(reach("api/y.ts", SOURCES, EXPORTS)).toBe(4);
  expect(reach("lib/std/a.ts", SOURCES, EXPORTS)).toBe(1);
});

test("a room is a folder of lib, a service, or a folder at the top", () => {
  expect(["lib/std/a/b.ts", "nlp/retrieval/a.ts", "cli/up/main.ts", "a.ts"].map(roomOf)).toEqual([
    "lib/std",
    "nlp/retrieval",
    "cli",
    ".",
  ]);
});
