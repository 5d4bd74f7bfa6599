import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cases, judgePage } from "./cases.ts";

describe("cases", () => {
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
});

describe("judge", () => {
  const page = {
    title: "Pier opens",
    content: "The pier\n\nopens today. The pier closes at night.",
    authors: ["Layla Haddad", "Omar Said"],
    image: "https://a.example/pier.jpg",
    publishedLocal: "2026-10-24T01:00:00+03:00",
  };
  const missesOf = (...args: Parameters<typeof judgePage>) => judgePage(...args).map(({ key }) => key);

  test("a reading that has all that is expected misses nothing", () => {
    const expected = {
      date: "2026-10-24",
      date_not: "2019",
      authors: ["Omar Said", "Layla Haddad"],
      authors_has: "Omar Said",
      content_has: ["pier opens  today"],
      content_not: ["Share"],
      content_once: ["opens today"],
      title_not: ["Exclusive"],
      image: true,
    };
    expect(judgePage(page, expected)).toEqual([]);
    expect(judgePage({ ...page, publishedLocal: null }, { date_not: "2019" })).toEqual([]);
  });

  test.each([
    ["date", { date: "2026-10-23" }],
    ["date_not", { date_not: "2026-10" }],
    ["authors", { authors: ["Omar Said"] }],
    ["authors_has", { authors_has: "Omar" }],
    ["content_has", { content_has: ["opens today", "tomorrow"] }],
    ["content_not", { content_not: ["closes at night"] }],
    ["content_once", { content_once: ["The pier"] }],
    ["title_not", { title_not: ["Pier opens"] }],
  ] as const)("what is wrong is named by its key: %s", (key, expected) => {
    expect(missesOf(page, JSON.parse(JSON.stringify(expected)))).toEqual([key]);
  });

  test("no date, no image and a placeholder are not what was expected", () => {
    expect(missesOf({ ...page, publishedLocal: null }, { date: "2026" })).toEqual(["date"]);
    for (const image of [null, "data:image/gif;base64,R0", "https://a.example/placeholder.png"]) {
      expect(missesOf({ ...page, image }, { image: true })).toEqual(["image"]);
    }
  });
});
