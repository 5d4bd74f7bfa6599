import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { heldOutClaims, heldOutDebates } from "./held-out.ts";

test("only debates that no training has seen are read", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-debates-"));
  for (const name of ["20181010_medicare.tsv", "20160926_1pres.tsv"]) {
    writeFileSync(join(dir, name), "1\tHOLT\tTaxes fell by 4 percent.\t1\n");
  }
  expect([...heldOutDebates(dir).keys()]).toEqual(["20181010_medicare.tsv"]);
  rmSync(dir, { recursive: true });
});

test("only our own sentences of topics that are held out are read, in one language", () => {
  const folder = fileURLToPath(new URL("../../nlp/lexicon/claims", import.meta.url));
  const sentences = heldOutClaims(folder, "ar");
  expect(new Set(sentences.map(({ id }) => id.replace(/-\d+$/, "")))).toEqual(
    new Set(["migration-ar", "sport-ar", "foreign-aid-ar", "transport-ar"]),
  );
  expect(new Set(sentences.map(({ label }) => label))).toEqual(new Set([true, false]));
});
