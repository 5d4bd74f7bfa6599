import { expect, test } from "bun:test";
import type { FoundDate } from "../../text/dates/mod.ts";
import { cutBlocks } from "../body/blocks.ts";
import { gatherFacts } from "../body/facts.ts";
import { parsePage } from "../page/dom.ts";
import { agreement, besideTitle, datesInText, likeliestOf, type ShownDate } from "./shown-dates.ts";
import type { DatePlace } from "./date-places.ts";

const DAY_MS = 86_400_000;
const date = (day: number, more: Partial<FoundDate> = {}): FoundDate => ({
  ...{ ms: day * DAY_MS, sure: true, index: 0, length: 10, precision: "day", offset: 0 },
  ...more,
});

/** A date beside the title in a short line of its own. */
const shown = (day: number, more: Partial<ShownDate> = {}): ShownDate => ({
  ...{ date: date(day), offset: 1, position: 0.1, chars: 20, linkShare: 0, context: "" },
  ...{ isFirst: false, place: "open", isTold: false, isBelow: false, isLast: false },
  ...more,
});
const dayOf = (found: FoundDate | null) => (found === null ? null : found.ms / DAY_MS);
const likeliest = (...dates: ShownDate[]) => dayOf(likeliestOf(dates));
const beside = (...dates: ShownDate[]) => besideTitle(dates)?.dates.map(dayOf) ?? null;

const PROSE = "<p>The water board said on Monday that the old reservoir would be emptied before the winter.</p>";
const inPage = (body: string, place: DatePlace = "open") => {
  const facts = gatherFacts(
    cutBlocks(parsePage(`<body><h1>Reservoir emptied</h1>${body}</body>`)),
    "Reservoir emptied",
  );
  return datesInText(facts, { inBlock: () => place, of: () => place }, {});
};

test("a date of two readings is read as the sure one of its page, its time kept", () => {
  const twofold = date(10, { sure: false, otherwiseMs: 40 * DAY_MS, ms: 10 * DAY_MS + 5000 });
  expect(agreement([twofold, date(40)])(twofold)).toMatchObject({ ms: 40 * DAY_MS + 5000, sure: true });
  expect(agreement([twofold])(twofold)).toBe(twofold);
  expect(agreement([twofold, date(10)])(twofold)).toBe(twofold);
  expect(agreement([date(40, { sure: false }), twofold])(twofold)).toBe(twofold);
});

test("the likeliest date stands near the title, in a short line, with a label, and in no link", () => {
  expect(likeliest(shown(1, { offset: 9 }), shown(2, { offset: 1 }))).toBe(2);
  expect(likeliest(shown(1, { offset: -3 }), shown(2, { offset: 3 }))).toBe(2);
  expect(likeliest(shown(1, { chars: 120 }), shown(2, { chars: 60 }), shown(3))).toBe(3);
  expect(likeliest(shown(1), shown(2, { context: "Published " }))).toBe(2);
  expect(likeliest(shown(1), shown(2, { isFirst: true }))).toBe(2);
  expect(likeliest(shown(1, { context: "Updated " }), shown(2, { context: "Written " }))).toBe(2);
  expect(likeliest(shown(1, { linkShare: 0.9 }), shown(2, { offset: 2 }))).toBe(2);
  expect(likeliest(shown(1, { context: "Published " }), shown(2, { context: "Published ", place: "own" }))).toBe(2);
});

test("of dates that are as likely the first counts, and one that is too unlikely is none", () => {
  expect(likeliest(shown(1), shown(2))).toBe(1);
  expect(likeliest(shown(1, { offset: 30, position: 0.5, chars: 200 }))).toBeNull();
  expect(likeliest(shown(1, { offset: 30, position: 0.1, chars: 20 }))).toBe(1);
});

test("a date of a sentence, of another thing, of a card or below the text is not the article's", () => {
  expect(likeliest(shown(1, { isTold: true }))).toBeNull();
  expect(likeliest(shown(1, { place: "other" }))).toBeNull();
  expect(likeliest(shown(1, { place: "card" }))).toBeNull();
  expect(likeliest(shown(1, { place: "card", context: "Updated " }))).toBe(1);
  expect(likeliest(shown(1, { isBelow: true }))).toBeNull();
  for (const more of [
    { context: "Posted " },
    { place: "own" },
    { isFirst: true },
    { context: "By A. Writer " },
  ] as const)
    expect(likeliest(shown(1, { isBelow: true, ...more }))).toBe(1);
});

test("the one day below all of the text is the article's where a page shows no other", () => {
  const last = { isBelow: true, isLast: true, offset: 40, position: 0.9 } as const;
  expect(likeliest(shown(5, last))).toBe(5);
  expect(likeliest(shown(5, last), shown(5, last))).toBe(5);
  expect(likeliest(shown(5, last), shown(6, last))).toBeNull();
  expect(likeliest(shown(5, { ...last, place: "card" }))).toBeNull();
  expect(likeliest(shown(5, { ...last, isTold: true }))).toBeNull();
});

test("dates beside the title are those that the page marks or calls those of publication", () => {
  expect(beside(shown(1))).toBeNull();
  expect(beside(shown(1, { place: "own" }))).toEqual([1]);
  expect(besideTitle([shown(1, { place: "own" })])?.isLabelled).toBe(false);
  expect(besideTitle([shown(1, { context: "Published: " })])).toMatchObject({ isLabelled: true });
  expect(beside(shown(1, { place: "own" }), shown(2, { context: "Published: " }))).toEqual([2]);
  expect(beside(shown(1, { place: "own", context: "Updated " }))).toBeNull();
});

test("what is far from the title, long, in links or not sure stands beside it no more", () => {
  for (const more of [
    { offset: 10 },
    { offset: -4 },
    { chars: 90 },
    { linkShare: 0.5 },
    { date: date(1, { sure: false }) },
  ])
    expect(beside(shown(1, { place: "own", ...more }))).toBeNull();
  for (const more of [{ offset: 9 }, { offset: -3 }, { chars: 89 }, { linkShare: 0.4 }])
    expect(beside(shown(1, { place: "own", ...more }))).toEqual([1]);
  expect(beside(shown(1, { place: "own", offset: 20, context: "Published " }))).toEqual([1]);
});

test("dates of a page have their words, their place after the title and whether they stand in a sentence", () => {
  const [first, second, ...more] = inPage(`<p>Published 3 May 2025, updated 4 May 2025</p>${PROSE}`);
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    offset: 1,
    isFirst: true,
    isTold: false,
    isBelow: false,
    context: "Published 3 May 2025",
  });
  expect(second).toMatchObject({ isFirst: false, context: ", updated 4 May 2025" });
  expect(inPage("<p>The contract was signed on 9 July 2018.</p>")[0]?.isTold).toBe(true);
  expect(inPage("<p>Archive photo, 9 July 2018</p>")[0]?.isTold).toBe(true);
  expect(inPage("<p>Beirut, 9 July 2018</p>")[0]?.isTold).toBe(false);
});

test("a date is below the text behind its second paragraph, and last where nothing but itself follows", () => {
  const body = (tail: string) => `${PROSE}${PROSE.replace("water", "city")}<p>A</p><p>B</p>${tail}`;
  expect(inPage(body("<p>9 July 2018</p>"))[0]).toMatchObject({ isBelow: true, isLast: true });
  expect(inPage(body("<p>Beirut, 9 July 2018</p>"))[0]).toMatchObject({ isBelow: true, isLast: false });
  expect(inPage(`<p>9 July 2018</p>${PROSE}`)[0]).toMatchObject({ isBelow: false, isLast: false });
});

test("a line that only says when is the article's own beside one that says by whom, and a long block has no date", () => {
  expect(inPage("<p>By Layla Haddad</p><p>9 July 2018</p>")[0]?.place).toBe("own");
  expect(inPage("<p>3 min read</p><p>9 July 2018</p>")[0]?.place).toBe("own");
  expect(inPage("<p>Home</p><p>9 July 2018</p>")[0]?.place).toBe("open");
  expect(inPage("<p>By Layla Haddad</p><p>9 July 2018</p>", "other")[0]?.place).toBe("other");
  expect(inPage(`<p>9 July 2018 ${"word ".repeat(70)}</p>`)).toEqual([]);
});

test.each<[string, Partial<ShownDate>, Partial<ShownDate>]>([
  ["nearer to the title", { offset: 2 }, { offset: 3 }],
  ["behind the title than as far before it", { offset: 2 }, { offset: -2 }],
  ["at the title than one at the end of its reach", { offset: 0 }, { offset: 12 }],
  ["in a line of 39 characters than of 40", { chars: 39 }, { chars: 40 }],
  ["in a line of 99 characters than of 100", { chars: 99 }, { chars: 100 }],
  ["with a label than without", { context: "Date: " }, {}],
  ["that a change is called by than one without a word", { context: "Updated " }, {}],
  ["half in links than more so", { linkShare: 0.5 }, { linkShare: 0.6 }],
  ["at the top of the page, far from its title", { offset: 40, position: 0.1 }, { offset: 40, position: 0.2 }],
])("a date %s is likelier", (_, likelier, other) => {
  expect(likeliest(shown(1, other), shown(2, likelier))).toBe(2);
  expect(likeliest(shown(2, likelier), shown(1, other))).toBe(2);
});

test.each([
  ["Floods. 9 July 2018.", false],
  ["Floods rose. 9 July 2018.", true],
  ["Layla Haddad. 9 July 2018", false],
  ["It was said on 9 July 2018", true],
  ["One two three four five six seven eight 9 July 2018", true],
  ["Cairo Amman Beirut Tunis Rabat Doha Sanaa Muscat 9 July 2018", false],
  ["Cairo Amman Beirut Tunis Rabat Doha Sanaa Muscat Manama 9 July 2018", true],
  ["@agency · 9 July 2018", true],
  ["Issue no. 1234, 9 July 2018", true],
  ["Copyright 9 July 2018", true],
  ["Published 9 July 2018, photo by A. Writer", false],
])("a line that tells something in which its date occurs: %s", (line, isTold) => {
  expect(inPage(`<p>${line}</p>${PROSE}`)[0]?.isTold).toBe(isTold);
});
