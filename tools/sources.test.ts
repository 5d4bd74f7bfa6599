import { expect, test } from "bun:test";
import { countClauses, docComments, importsOf, isTest, roomOf } from "./sources.ts";

test.each([
  ["lib/text/url.test.ts", true],
  ["api/desk/pages/search.test.tsx", true],
  ["lib/store/testing.ts", true],
  ["lib/store/testing-faults.ts", true],
  ["workers/testing/sites.ts", true],
  ["lib/search/keyword/testing/random.ts", true],
  ["lib/text/url.ts", false],
  ["tools/test.ts", false],
  ["tools/test-folder.ts", false],
  ["lib/contesting.ts", false],
  ["eval/testings.md", false],
])("%s is of the tests: %p", (path, is) => {
  expect(isTest(path)).toBe(is);
});

test.each([
  ["lib/store/articles/read.ts", "lib/store"],
  ["lib/package.ts", "lib"],
  ["nlp/retrieval/routes/search.ts", "nlp/retrieval"],
  ["api/routes/search.ts", "api"],
  ["eval/tasks/wsd.ts", "eval"],
  ["biome.ts", "."],
])("%s is of the room %s", (path, room) => {
  expect(roomOf(path)).toBe(room);
});

test("every form of an import is named once, and a text that only looks like one is not", () => {
  const text = [
    'import "./effect.ts";',
    'import whole from "./whole.ts";',
    'import { a, type B } from "./few.ts";',
    'import {\n  c,\n  d,\n} from "./lines.ts";',
    'import type * as all from "./types.ts";',
    'export { e } from "./passed.ts";',
    'export * from "./everything.ts";',
    'const lazy = await import("./lazy.ts");',
    'const said = "from \\"./said.ts\\"";',
    '  import "./indented.ts";',
  ].join("\n");
  expect(importsOf(text)).toEqual([
    ...["./effect.ts", "./whole.ts", "./few.ts", "./lines.ts", "./types.ts"],
    ...["./passed.ts", "./everything.ts", "./lazy.ts"],
  ]);
});

test("the first words of a doc comment are read from its own line or from the next, of others nothing", () => {
  const text = "/** Returns a. */\n/**\n * Tells b,\n * and c.\n */\n/* Whether d. */\n// What e\n";
  expect(docComments(text)).toEqual(["Returns a.", "Tells b,"]);
});

test.each([
  ["/** What is read. */", 1],
  ["/**\n * Whether it is.\n */\n/** How many. */", 2],
  ["/** Whatever is read. */", 0],
  ["/** Says what is read. */", 0],
  ["// What is read", 0],
])("%j has %d comments that begin with a clause", (text, count) => {
  expect(countClauses(text)).toBe(count);
});
