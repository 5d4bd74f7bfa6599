import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openTestService, type TestService } from "./testing.ts";

setDefaultTimeout(300_000);

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

type Parameters = Record<string, string | number | boolean>;

/** The routes that analyse a text, each with what makes it say most. */
const ROUTES: readonly (readonly [path: string, parameters: Parameters])[] = [
  ["/morph", { flag: "*", include_lemma: true }],
  ["/ner", { include_offsets: true }],
  ["/ner", { include_offsets: true, mode: "flat" }],
  ["/wsd", { include_gloss: true }],
  ["/re", {}],
  ["/analyse", { min_confidence: 0 }],
  ["/dialect/identify", {}],
  ["/dialect/nabra/glossary", { include_offsets: true }],
];

/** Characters that a text may have at most, and those that one in a URL may have. */
const LONGEST = 20_000;
const LONGEST_IN_URL = 2_000;

const news = "قال وزير الصحة أحمد سعيد في بيروت يوم الأحد 😀 إنَّ 12.5٪ من المدارس أُغلقت! ";

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ["one letter", "ك"],
  ["one sign", "؟"],
  ["one character outside of the basic plane", "𝒳"],
  ["marks alone", "\u064e\u0651 \u0670"],
  ["emoji alone", "😀😀 👨‍👩‍👧 🇱🇧"],
  ["scripts side by side", "شركة OpenAI وBBC и Москва 東京 في a\u0301b"],
  ["digits of both kinds", "سعر 12.5٪ و١٢٫٥ و3-5 دولارات سنة ٢٠١٧م، ۱۲"],
  ["tatweel", "العـــربية ـ ــ الجميلــــة"],
  ["spelling of the Quran", "ٱلْحَمْدُ لِلَّهِ رَبِّ ٱلْعَٰلَمِينَ ۝ ذَٰلِكَ ٱلْكِتَٰبُ لَا رَيْبَ ۛ فِيهِ"],
  [
    "a byte order mark, and characters that are not seen",
    "\ufeffكتب\u200f الوزير\u200d \u2067في\u2069 \ufeffدمشق\u0000 أمس",
  ],
  ["ligatures and presentation forms", "ﷺ ﻻ ﷲ ﺍﻟﻌﺮﺑﻴﺔ"],
  ["as long as one in a URL may be, of letters of four bytes", "𐎀".repeat(LONGEST_IN_URL)],
  ["half of a surrogate pair", "كتب \ud83d الوزير"],
  ["lines and tabs", "\n\n كتب\tالوزير\r\n\u2028في دمشق \n"],
  [
    "as long as may be, words stretched",
    `${news.repeat(20)}${"كتـــــابـــــنا ".repeat(LONGEST)}`.slice(0, LONGEST - 100),
  ],
  ["one word as long as a text may be", "كتاب".repeat(LONGEST / 4)],
];

const post = (path: string, body: Parameters): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const get = (path: string, query: Parameters): Promise<Response> => {
  const written = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
  return fetch(`${service.url}${path}?${new URLSearchParams(Object.fromEntries(written))}`);
};

type Span = { start: number; end: number };

/** The pieces of an answer with the places that they have in the text, by what they claim to be. */
function spansOf(answer: Record<string, unknown>): [piece: string, place: Span][] {
  const entries = (key: string): Record<string, unknown>[] => Object(answer)[key] ?? [];
  const tokens = entries("tokens").filter(({ start }) => start !== undefined);
  return [
    ...tokens.map((token): [string, Span] => [String(token.token), Object(token)]),
    ...entries("entities").map((entity): [string, Span] => [String(entity.text), Object(entity)]),
    ...entries("relations").flatMap(({ subject, object, offsets }): [string, Span][] => [
      [String(subject), Object(offsets).subject],
      [String(object), Object(offsets).object],
    ]),
  ];
}

test.each(TEXTS)("%s: every route gives places in code points, and the same bytes by GET and POST", async (_, text) => {
  const points = [...text];
  for (const [path, parameters] of ROUTES) {
    const answered = await post(path, { text, ...parameters });
    const posted = await answered.text();
    expect([path, answered.status]).toEqual([path, 200]);
    for (const [piece, { start, end }] of spansOf(JSON.parse(posted))) {
      expect([path, points.slice(start, end).join("")]).toEqual([path, piece]);
    }
    if (points.length > LONGEST_IN_URL || !text.isWellFormed()) continue;
    expect(await (await get(path, { text, ...parameters })).text()).toBe(posted);
  }
});

test("a text that is too long for a URL is 414, however long it is", async () => {
  for (const [path, parameters] of ROUTES) {
    for (const text of ["ك".repeat(LONGEST_IN_URL + 1), "ك".repeat(LONGEST), "😀".repeat(LONGEST)]) {
      const response = await get(path, { text, ...parameters });
      expect([path, response.status, Object(await response.json()).type]).toEqual([path, 414, "/errors/uri-too-long"]);
    }
  }
});
