import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPrecompiled } from "./precompiled.ts";

type Fixture = { charsmap: string; cases: [string, string][] };
const path = join(import.meta.dirname, "../fixtures/precompiled.json");
const { charsmap, cases }: Fixture = JSON.parse(readFileSync(path, "utf8"));
const normalise = createPrecompiled(charsmap);

for (const [text, expected] of cases) {
  test(`${JSON.stringify(text)} is normalised as by the reference, the second time too`, () => {
    expect(normalise(text)).toBe(expected);
    expect(normalise(text)).toBe(expected);
  });
}

test("a long text and lone surrogates are normalised to their end", () => {
  const [, , [piece, expected] = ["", ""]] = cases;
  expect(normalise(piece.repeat(2000))).toBe(expected.repeat(2000));
  expect(normalise("\ud800 ﬁ\udfff")).toBe("\ud800 fi\udfff");
});

test("an empty map changes nothing, a damaged one is refused", () => {
  expect(createPrecompiled("")("ﬁ\u0007")).toBe("ﬁ\u0007");
  const bytes = Buffer.from(charsmap, "base64");
  expect(() => createPrecompiled(bytes.subarray(0, 100).toString("base64"))).toThrow("damaged");
  bytes.writeUInt32LE(7);
  expect(() => createPrecompiled(bytes.toString("base64"))).toThrow("damaged");
});
