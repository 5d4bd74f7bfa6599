import { expect, test } from "bun:test";
import type { RelationsPackage } from "@isnad/lib/contract";
import { processorMs } from "@isnad/lib/std/testing";
import { relationsReport } from "./relations-report.ts";

const packageOf = (args: Record<string, string>[]): RelationsPackage => ({
  doc_id: "1",
  enrichment_status: "ok",
  relations: args.map((each) => ({ type: "meets", args: each, confidence: 0.5, offsets: { start: 0, end: 1 } })),
});

test("arguments that name something become entities; clauses and signs do not", async () => {
  const [relation] = (
    await relationsReport(
      packageOf([{ who: "السيد محمد", where: "—", what: "كلمة ".repeat(50), long: "x".repeat(2000) }]),
      "r",
    )
  ).relations;
  expect(relation?.entities).toEqual({ who: { name: "السيد محمد", key: "سيد محمد" } });
});

const PIECES = ["?", "؟", "_", "a_", "'", "\u064b", "😀", " ", ".", "#", "\ud83d"];

test.each(PIECES)("arguments of %j, as long as they may be, take time with their length", async (piece) => {
  const of = (length: number) => `x${piece.repeat(Math.ceil(length / piece.length))}x`;
  const body = packageOf([...Array.from({ length: 100 }, (_, i) => ({ who: of(990) + i })), { who: of(9_990) }]);
  expect(await processorMs(() => relationsReport(body, "r"))).toBeLessThan(50);
});
