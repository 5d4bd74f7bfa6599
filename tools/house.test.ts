import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

describe("an export", () => {
  const users = (...files: [path: string, text: string][]) => {
    const sources = [...files, ["lib/std/a.ts", "export const one = 1;\n"]].map(([path = "", text = ""]) => ({
      path,
      text,
    }));
    const { exports, exportsWithOneUser } = measureHouse(sources, EXPORTS);
    return [exports, exportsWithOneUser];
  };
  const from = (path: string) => `import { one } from "${path}";\n`;

  test.each<[string, [path: string, text: string][], number]>([
    ["that nobody imports has no user", [], 0],
    ["that one file imports has one", [["lib/std/b.ts", from("./a.ts")]], 1],
    ["that a file imports twice has one", [["lib/std/b.ts", from("./a.ts") + from("../std/a.ts")]], 1],
    [
      "that two files import has two",
      [
        ["lib/std/b.ts", from("./a.ts")],
        ["api/c.ts", from("../lib/std/a.ts")],
      ],
      0,
    ],
    [
      "that a test imports too has one",
      [
        ["lib/std/b.ts", from("./a.ts")],
        ["api/c.test.ts", from("../lib/std/a.ts")],
      ],
      1,
    ],
    ["under another name is the same", [["lib/std/b.ts", 'import { one as two } from "./a.ts";']], 1],
    ["for its type alone counts", [["lib/std/b.ts", 'import { type one } from "./a.ts";']], 1],
    ["in a list of several lines counts", [["lib/std/b.ts", 'import {\n  other,\n  one,\n} from "./a.ts";']], 1],
    ["beside a default counts", [["lib/std/b.ts", 'import a, { one } from "./a.ts";']], 1],
    ["of a package is none of the tree's", [["lib/std/b.ts", from("one")]], 0],
    [
      "that is passed on twice, by another name, is the first file's",
      [
        ["lib/std/mod.ts", 'export { one as first } from "./a.ts";'],
        ["lib/all.ts", 'export { first } from "./std/mod.ts";'],
        ["api/c.ts", 'import { first } from "../lib/all.ts";'],
      ],
      1,
    ],
    [
      "that is passed on in a circle is nobody's",
      [
        ["lib/b.ts", 'export { x } from "./c.ts";'],
        ["lib/c.ts", 'export { x } from "./b.ts";'],
        ["api/c.ts", 'import { x } from "../lib/b.ts";'],
      ],
      0,
    ],
  ])("%s", (_, files, one) => {
    expect(users(...files)).toEqual([1, one]);
  });

  test("is counted in each of its forms", () => {
    const text = [
      ...["export const a = 1;", "export let b = 1;", "export function c() {}", "export async function d() {}"],
      ...[
        "export function* e() {}",
        "export class F {}",
        "export type G = 1;",
        "export interface H {}",
        "export enum I {}",
      ],
      ...["const j = 1;", "export default a;", "  export const k = 1;"],
    ].join("\n");
    expect(measureHouse([{ path: "api/a.ts", text }], {}).exports).toBe(9);
  });
});

test("sizes are those of the middle and of nine in ten, of lines whether the last one ends or not", () => {
  const files = Array.from({ length: 10 }, (_, i) => ({ path: `api/${i}.ts`, text: "x\n".repeat(i + 1) }));
  expect(measureHouse(files, {})).toMatchObject({ files: 10, lines: 55, median: 6, p90: 10 });
  expect(measureHouse([{ path: "api/a.ts", text: "x\ny" }], {}).lines).toBe(2);
  expect(measureHouse([], {})).toMatchObject({ files: 0, lines: 0, median: 0, p90: 0, rooms: [] });
});

test("a room that has tests alone is not told", () => {
  expect(measureHouse([{ path: "e2e/a.test.ts", text: "x\n" }], {}).rooms).toEqual([]);
});

test("files that import each other are reached once each, and what is not there is not", () => {
  const sources = [
    { path: "api/a.ts", text: 'import "./b.ts";\nimport "./gone.ts";\nimport "zod";\n' },
    { path: "api/b.ts", text: 'import "./a.ts";\nconst c = await import("./c.ts");\n' },
    { path: "api/c.ts", text: "" },
    { path: "api/d.ts", text: "" },
  ];
  expect(["api/a.ts", "api/b.ts", "api/c.ts"].map((entry) => reach(entry, sources, {}))).toEqual([3, 3, 1]);
});

test("the command tells of a tree what git has or would have, without what was removed", () => {
  const root = mkdtempSync(join(tmpdir(), "isnad-house-"));
  const files: Record<string, string> = {
    "lib/package.json": JSON.stringify({ exports: EXPORTS }),
    ".gitignore": "ignored.ts\n",
    "api/ignored.ts": "export const x = 1;\n",
    "api/gone.ts": "export const gone = 1;\n",
    ...Object.fromEntries(SOURCES.map(({ path, text }) => [path, text])),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  try {
    spawnSync("git", ["init", "-q"], { cwd: root });
    spawnSync("git", ["add", "api", "lib"], { cwd: root });
    rmSync(join(root, "api/gone.ts"));
    const args = [join(import.meta.dirname, "house.ts"), "--root", root, "--reach", "api/y.ts"];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect([status, stdout.split("\n")]).toEqual([
      0,
      [
        "source files 4, lines 9, median 3, p90 3",
        "exports 2, used by one other file 50.0 %",
        "doc comments 2, that begin with a clause 50.0 %",
        "files reached from api/y.ts: 4",
        "",
        "room                    files  lines  test : source",
        "api                         2      6   0.67",
        "lib/std                     2      3   0.00",
        "",
      ],
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
