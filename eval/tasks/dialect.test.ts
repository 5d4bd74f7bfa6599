import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dialect } from "../../lib/arabic/dialect/identify.ts";
import { dialect, evalDialect } from "./dialect.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-dialect-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** Says of each sentence what stands behind its bar. */
const identify = (text: string) => {
  const said = text.split("|")[1];
  const found = (["msa", "levantine", "egyptian", "gulf", "maghrebi", "iraqi"] as const).find((each) => each === said);
  return {
    dialect: found ?? ("msa" as const),
    scores: { msa: 0, levantine: 0, egyptian: 0, gulf: 0, maghrebi: 0, iraqi: 0 },
  };
};
const sentences = (...pairs: [gold: Dialect, said: Dialect][]) =>
  pairs.map(([gold, said], i) => ({ dialect: gold, text: `${i}|${said}` }));

test("F1 of each dialect is counted by hand, and the macro mean weighs small dialects as large ones", () => {
  const { f1, macroF1, accuracy, size } = evalDialect(
    sentences(
      ["msa", "msa"],
      ["msa", "msa"],
      ["msa", "msa"],
      ["msa", "gulf"],
      ["gulf", "gulf"],
      ["gulf", "msa"],
      ["iraqi", "gulf"],
    ),
    identify,
  );
  // msa: 3 right, 4 gold, 4 said; gulf: 1 right, 2 gold, 3 said; iraqi: none right.
  expect(f1).toEqual({ msa: (2 * 3) / (4 + 4), gulf: (2 * 1) / (2 + 3), iraqi: 0 });
  expect(macroF1).toBeCloseTo((0.75 + 0.4 + 0) / 3, 12);
  expect([size, accuracy]).toEqual([7, 4 / 7]);
});

test("a dialect that no sentence is in does not enter the mean, though it was said", () => {
  const { f1, macroF1 } = evalDialect(sentences(["gulf", "gulf"], ["gulf", "maghrebi"]), identify);
  expect(Object.keys(f1)).toEqual(["gulf"]);
  expect(macroF1).toBe((2 * 1) / (2 + 1));
});

test("all right is 1 and all wrong is 0, and predictions are gold, said and text, in the order of the set", () => {
  expect(evalDialect(sentences(["msa", "msa"], ["iraqi", "iraqi"]), identify)).toMatchObject({
    ...{ macroF1: 1, accuracy: 1 },
    predictions: ["msa\tmsa\t0|msa", "iraqi\tiraqi\t1|iraqi"],
  });
  expect(evalDialect(sentences(["msa", "iraqi"], ["iraqi", "msa"]), identify)).toMatchObject({
    ...{ macroF1: 0, accuracy: 0, f1: { msa: 0, iraqi: 0 } },
  });
});

test("no sentence cannot be measured", () => {
  expect(() => evalDialect([], identify)).toThrow("no sentence to measure");
});

test("a set of one's own is the held-out file of a folder; another dialect is refused", async () => {
  const { measure, close } = await dialect.load({ full: false });
  writeFileSync(join(dir, "held-out.tsv"), "egyptian\tمش عارف هنعمل إيه دلوقتي\n\negyptian\tإزيك عامل إيه يا باشا\n");
  writeFileSync(join(dir, "train.tsv"), "msa\tلا يقرأ أحد هذا\n");
  const { figures, size, predictions, corpus } = await measure({ set: "own", path: dir });
  expect([size, figures.egyptian, figures["macro-F1"]]).toEqual([2, 1, 1]);
  expect(predictions[0]).toBe("egyptian\tegyptian\tمش عارف هنعمل إيه دلوقتي");
  writeFileSync(join(dir, "held-out.tsv"), "egyptian\tمش عارف هنعمل إيه دلوقتي\n");
  expect((await measure({ set: "own", path: dir })).corpus).not.toBe(corpus ?? "");
  writeFileSync(join(dir, "held-out.tsv"), "martian\tمش عارف\n");
  await expect(Promise.resolve().then(() => measure({ set: "own", path: dir }))).rejects.toThrow();
  await close();
});

test("the public corpora are a set of their own where the data folder has them", () => {
  const data = join(dir, "data");
  expect(dialect.sets(data, { full: false })).toHaveLength(1);
  mkdirSync(join(data, "linguistic"), { recursive: true });
  expect(dialect.sets(data, { full: false }).map(({ path }) => path)).toContain(join(data, "linguistic"));
});
