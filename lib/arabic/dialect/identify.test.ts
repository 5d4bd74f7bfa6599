import { expect, test } from "bun:test";
import { processorMs } from "../../std/testing-processor.ts";
import {
  createDialectIdentifier,
  DIALECTS,
  dialectChances,
  dialectFeatures,
  openDialectIdentifier,
} from "./identify.ts";

const identify = await openDialectIdentifier();

test("letters that are written in two ways, vowels and drawn-out letters are the same to it", () => {
  expect(dialectFeatures("إنتَ كتيييير حلوة")).toEqual(dialectFeatures("انت كتير حلوه"));
  expect(dialectFeatures("گلت")).not.toEqual(dialectFeatures("كلت"));
});

test("what is no Arabic says nothing: all are as likely", () => {
  for (const text of ["", "OK 2026 😀"]) {
    const { scores } = identify(text);
    for (const dialect of DIALECTS) expect(scores[dialect]).toBeCloseTo(1 / DIALECTS.length, 3);
  }
});

test("the weights of a feature are those of its row, and more features make each count less", () => {
  const weights = new Int8Array(DIALECTS.length * 4);
  weights[2 * DIALECTS.length + DIALECTS.indexOf("gulf")] = 10;
  const [one, four] = [[2], [2, 4, 8, 12]].map((features) => dialectChances(Uint32Array.from(features), weights, 0.1));
  const gulf = DIALECTS.indexOf("gulf");
  expect(one?.[gulf]).toBeCloseTo(Math.E / (Math.E + 5), 6);
  expect(four?.[gulf]).toBeCloseTo(Math.exp(0.5) / (Math.exp(0.5) + 5), 6);
  expect(createDialectIdentifier(weights, { scale: 1 })("").dialect).toBe("msa");
});

test("takes time with the length of a text, whatever stands in it", async () => {
  const texts = ["ا".repeat(20_000), "\u064e".repeat(20_000), "كا".repeat(10_000), "ب ".repeat(10_000)];
  for (const text of texts) expect(await processorMs(() => identify(text))).toBeLessThan(1_000);
});
