import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../lib/std/random.ts";
import { findMutations, mutate } from "./mutate.ts";

test("a mutation changes what it names and nothing else", () => {
  expect(mutate("a < b && c", { start: 2, end: 3, from: "<", to: "<=" })).toBe("a <= b && c");
  expect(mutate("!x", { start: 0, end: 2, from: "!x", to: "x" })).toBe("x");
});

test("the same seed gives the same numbers, all from 0 up to 1", () => {
  const draw = (seed: number) => Array.from({ length: 1000 }, seeded(seed));
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(7).every((number) => number >= 0 && number < 1)).toBe(true);
  const mean = draw(7).reduce((sum, number) => sum + number, 0) / 1000;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
});

test("every operator, number, boolean, negation and branch of the sources that git has can be changed, tests aside", async () => {
  const root = mkdtempSync(join(tmpdir(), "isnad-mutate-"));
  const lines = [
    ["const a = b < 1_000 ? b : 2;", "b <= 1_000", "b < 1001", "b < 1_000 ? 2 : b", "b < 1_000 ? b : 3"],
    ["const c = f(x) ? x : y;", "f(x) ? y : x"],
    ["const d = !(e && true) || e !== null;", "(e || true)", "= (e &&", "&& false", "&& e", "e === null"],
    ["const g = -h - 1 + i * j / 2;", "-h + 1", "-h - 2", "- 1 - i", "i / j", "* j * 2", "/ 3"],
    ["const k = ~l + m % 3;", "~l - m", "% 4"],
    ["const n = o === q;", "!== q"],
  ];
  mkdirSync(join(root, "lib/generated"), { recursive: true });
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ include: ["lib"] }));
  const text = lines.map(([line]) => `${line}\n`).join("");
  for (const name of ["a.ts", "a.test.ts", "testing.ts", "generated/b.ts"])
    writeFileSync(join(root, "lib", name), text);
  spawnSync("git", ["init", "-q"], { cwd: root });
  spawnSync("git", ["add", "."], { cwd: root });
  writeFileSync(join(root, "lib/untracked.ts"), text);
  try {
    const mutations = await findMutations(root, "lib");
    expect(new Set(mutations.map(({ file }) => file))).toEqual(new Set(["lib/a.ts"]));
    const mutants = mutations.map(({ mutation }) => mutate(text, mutation).split("\n"));
    // Each changes one line; of a line there are as many as parts that can be changed.
    for (const [i, [line, ...parts]] of lines.entries()) {
      const changed = mutants.map((mutant) => mutant[i] ?? "").filter((mutant) => mutant !== line);
      expect(changed).toHaveLength(parts.length);
      for (const part of parts)
        expect([part, changed.filter((each) => each.includes(part)).length]).not.toEqual([part, 0]);
    }
    expect(mutants).toHaveLength(lines.reduce((sum, { length }) => sum + length - 1, 0));
  } finally {
    rmSync(root, { recursive: true });
  }
}, 300_000);
