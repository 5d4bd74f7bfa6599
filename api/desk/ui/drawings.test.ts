import { describe, expect, test } from "bun:test";
import { parseHTML } from "linkedom";
import { STRINGS } from "../strings/mod.ts";
import { ChainDrawing } from "./chain-drawing.tsx";
import { Timeline } from "./timeline.tsx";

/** Makes a view that has what drawings need: a language, its words, and a zone. */
const viewOf = (lang: "ar" | "en") => ({ lang, t: STRINGS[lang], zone: "UTC" });
const parsed = (drawn: unknown) => parseHTML(`<main>${drawn ?? ""}</main>`).document;

describe("a timeline", () => {
  const day = (date: string, count: number) => ({ from: `${date}T00:00:00Z`, count });
  const DAYS = [day("2026-11-01", 1), day("2026-11-02", 10), day("2026-11-04", 5)];
  const drawn = (lang: "ar" | "en", days = DAYS) =>
    parsed(Timeline({ view: viewOf(lang), days, hrefOf: (from, to) => `/search?from=${from}&to=${to}` }));
  const barsOf = (lang: "ar" | "en", days = DAYS) =>
    [...drawn(lang, days).querySelectorAll("a")].map((link) => {
      const bar = link.querySelectorAll("rect")[1];
      const of = (name: string) => Number.parseFloat(bar?.getAttribute(name) ?? "");
      return {
        href: link.getAttribute("href"),
        x: of("x"),
        height: of("height"),
        y: of("y"),
        kind: bar?.getAttribute("class"),
      };
    });

  test("has a bar a day that leads to it, as high as its share of the most", () => {
    const bars = barsOf("en");
    expect(bars.map(({ href }) => href)).toEqual(
      [1, 2, 3, 4].map((n) => `/search?from=2026-11-0${n}&to=2026-11-0${n}`),
    );
    expect(bars.map(({ height }) => height)).toEqual([7, 68, 1, 34]);
    expect(bars.map(({ height, y }) => height + y)).toEqual([72, 72, 72, 72]);
    expect(bars.map(({ kind }) => kind)).toEqual(["bar", "bar", "bar empty", "bar"]);
  });

  test("runs as its language reads", () => {
    const [english, arabic] = [barsOf("en"), barsOf("ar")];
    expect(english.map(({ x }) => x)).toEqual(english.map(({ x }) => x).toSorted((a, b) => a - b));
    expect(arabic.map(({ x }) => x)).toEqual(english.map(({ x }) => x).toReversed());
    expect(drawn("ar").querySelector("svg")?.getAttribute("data-reversed")).toBe("");
    expect(drawn("en").querySelector("svg")?.getAttribute("data-reversed")).toBeNull();
  });

  test("says in words when it begins and ends and when most came", () => {
    const words = drawn("en").querySelector("figcaption")?.textContent ?? "";
    for (const part of ["1 Nov 2026", "4 Nov 2026", "2 Nov 2026", "10"]) expect(words).toContain(part);
    const titles = [...drawn("en").querySelectorAll("title")].map(({ textContent }) => textContent);
    expect(titles[1]).toContain("2 Nov 2026: 10");
  });

  test("a day with little beside one with much is still seen, and one with nothing is told from it", () => {
    const bars = barsOf("en", [day("2026-11-01", 1), day("2026-11-02", 0), day("2026-11-03", 100_000)]);
    expect(bars.map(({ height }) => height)).toEqual([3, 1, 68]);
  });

  test("of one day, of none and of days without any is none, or has no bar that divides by nothing", () => {
    expect(drawn("en", []).querySelector("svg")).toBeNull();
    expect(drawn("en", [day("2026-11-01", 5)]).querySelector("svg")).toBeNull();
    expect(drawn("en", [day("2026-11-01", 0), day("2026-11-02", 0)]).querySelector("svg")).toBeNull();
  });
});

describe("a drawing of a chain", () => {
  const text = (number: number, at: string | null, from: number | null = null) => ({
    number,
    at,
    from,
    isAsked: number === 2,
  });
  const drawn = (lang: "ar" | "en", ...texts: ReturnType<typeof text>[]) =>
    parsed(ChainDrawing({ view: viewOf(lang), texts }));
  const dotsOf = (document: ReturnType<typeof drawn>) =>
    [...document.querySelectorAll("circle")].map((dot) => Number.parseFloat(dot.getAttribute("cx") ?? ""));
  const CHAIN = [
    text(1, "2026-11-01T00:00:00Z"),
    text(2, "2026-11-01T06:00:00Z", 1),
    text(3, "2026-11-02T00:00:00Z", 1),
  ];

  test("puts texts by their order and their time, the first and the last at the ends", () => {
    const [first = 0, second = 0, last = 0] = dotsOf(drawn("en", ...CHAIN));
    expect([first, last]).toEqual([4, 96]);
    // .7 by order, the middle, and .3 by time, a quarter.
    expect(second).toBeCloseTo(4 + 92 * (0.7 * 0.5 + 0.3 * 0.25), 6);
    expect(dotsOf(drawn("ar", ...CHAIN))).toEqual([96, 100 - second, 4]);
  });

  test("an arc leads from each to what it was taken from, and none to what is not shown", () => {
    const document = drawn("en", ...CHAIN, text(4, "2026-11-03T00:00:00Z", 99));
    expect(document.querySelectorAll("path.arc")).toHaveLength(2);
    const kinds = [...document.querySelectorAll("g")].map((dot) => dot.getAttribute("class"));
    expect(kinds).toEqual(["dot origin", "dot asked", "dot", "dot"]);
  });

  test("texts of one minute, and those without a time, stand apart by their order", () => {
    const same = dotsOf(
      drawn("en", text(1, "2026-11-01T00:00:00Z"), text(2, "2026-11-01T00:00:00Z"), text(3, "2026-11-01T00:00:00Z")),
    );
    expect(new Set(same).size).toBe(3);
    const undated = drawn("en", text(1, null), text(2, null));
    expect(dotsOf(undated)).toEqual([4, 96]);
    expect(undated.querySelector(".ends")).toBeNull();
    expect(dotsOf(drawn("en", text(1, null), text(2, "2026-11-01T00:00:00Z"))).every(Number.isFinite)).toBe(true);
  });

  test("one text alone is not drawn", () => {
    expect(drawn("en", text(1, "2026-11-01T00:00:00Z")).querySelector("svg")).toBeNull();
  });
});
