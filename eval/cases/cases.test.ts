import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cases } from "../tasks/cases.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-cases-"));
afterAll(() => rmSync(dir, { recursive: true }));

const page = (date: string) =>
  `<html><head><meta property="article:published_time" content="${date}"></head><body><h1>Pier opens</h1><p>It opens.</p></body></html>`;

test("cases are measured by kind and together; a folder without them has no set", async () => {
  expect(cases.sets(join(dir, "data"), { full: false })).toEqual([]);
  mkdirSync(join(dir, "cases"));
  writeFileSync(join(dir, "cases/a.html"), page("2026-10-24"));
  writeFileSync(join(dir, "cases/b.html"), page("2019-03-05"));
  const one = (file: string, kind: string) => ({
    file,
    kind,
    url: "https://n.example/1",
    expect: { date: "2026-10-24" },
  });
  writeFileSync(join(dir, "cases/cases.json"), JSON.stringify([one("a.html", "first"), one("b.html", "second")]));
  const { measure } = await cases.load({ full: false });
  const measured = await Promise.all(cases.sets(join(dir, "data"), { full: false }).map(measure));
  expect(measured.map(({ figures, size }) => [figures.right, size])).toEqual([
    [1, 1],
    [0, 1],
    [0.5, 2],
  ]);
  expect(measured.at(-1)?.predictions).toEqual(['second\tb.html\tdate\t"2026-10-24"\t"2019-03-05T00:00:00Z"']);
  expect(new Set(measured.map(({ corpus }) => corpus)).size).toBe(3);
});

test("an expectation that nothing judges is refused", () => {
  const expectation = { file: "a.html", kind: "x", url: "https://n.example/1", expect: { colour: "red" } };
  writeFileSync(join(dir, "cases/cases.json"), JSON.stringify([expectation]));
  expect(() => cases.sets(join(dir, "data"), { full: false })).toThrow("nothing judges an expectation of colour");
});
