import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordBuilds } from "./builds.ts";
import { siteProblems } from "./check-patterns.ts";

const root = `${mkdtempSync(join(tmpdir(), "isnad-builds-"))}/`;
afterAll(() => rmSync(root, { recursive: true }));

test("patterns are recorded as modules build them of parts, those of other modules among them", () => {
  writeFileSync(join(root, "parts.ts"), 'export const LETTER = "[a-z]";\nexport const END = RegExp(LETTER + "$");\n');
  writeFileSync(
    join(root, "built.ts"),
    'import { LETTER } from "./parts.ts";\n\nexport const WORD = new RegExp("^" + LETTER + "+", "i");\n' +
      "export const later = (word: string) => new RegExp(word);\n",
  );
  writeFileSync(join(root, "broken.ts"), 'throw new Error("no");\n');
  const { builds, problems } = recordBuilds(root, ["built.ts", "broken.ts"]);
  expect(builds).toEqual([
    { file: "parts.ts", line: 2, literal: "/[a-z]$/" },
    { file: "built.ts", line: 3, literal: "/^[a-z]+/i" },
  ]);
  expect(problems).toEqual([expect.stringContaining("broken.ts: could not be loaded")]);
});

const site = { file: "a.ts", line: 3, lastLine: 5, expression: "new RegExp(word)" };
const entry = { file: "a.ts", expression: "new RegExp(word)", bound: "A word of at most 60 letters." };

test("a site is a problem unless it built a pattern, or an entry says what bounds it", () => {
  expect(siteProblems([site], [{ file: "a.ts", line: 4, literal: "/x/" }], [])).toEqual([]);
  expect(siteProblems([site], [], [entry])).toEqual([]);
  expect(siteProblems([site], [{ file: "a.ts", line: 6, literal: "/x/" }], [])).toEqual([
    expect.stringMatching(/^a\.ts:3: new RegExp\(word\)/),
  ]);
  expect(siteProblems([site], [], [{ ...entry, file: "b.ts" }])).toHaveLength(2);
});

test("an entry is a problem when its site is gone, or is built while its module loads", () => {
  expect(siteProblems([], [], [entry])).toHaveLength(1);
  expect(siteProblems([site], [{ file: "a.ts", line: 4, literal: "/x/" }], [entry])).toHaveLength(1);
});
