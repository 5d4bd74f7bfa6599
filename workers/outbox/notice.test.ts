import { describe, expect, test } from "bun:test";
import type { EventArticle } from "@isnad/lib/contract";
import { noticeOf } from "./notice.ts";

const article: EventArticle = {
  article_id: 3,
  doc_id: "8f14e45f-ceea-467f-a1d4-b0c5e1f0a3d2",
  source_id: "alwatan",
  url: "https://news.example/3?a=1&b=2",
  title: "إضراب في مرفأ بيروت",
  lang: "ar",
  published_at: "2026-11-21T10:00:00.000Z",
  content_hash: "ab".repeat(32),
};
const head = { id: 7, occurred_at: "2026-11-21T10:00:05.000Z" };
const en = { lang: "en", baseUrl: "https://isnad.example/" } as const;
const ar = { ...en, lang: "ar" } as const;
const source = { key: "alwatan", name: "الوطن", last_day: 1, usual: 34.5 };

describe("a notice", () => {
  test("of a match has the search's name, the headline with its link, the source, the time and the way to the desk", () => {
    const event = { ...head, type: "search.matched", article, search_id: 1, name: "Ports" } as const;
    expect(noticeOf(event, en)).toEqual({
      title: "Ports",
      lines: [
        { text: "إضراب في مرفأ بيروت", url: article.url },
        { text: "\u2068alwatan\u2069 · 2026-11-21 10:00 UTC" },
        { text: "Open in Isnad", url: "https://isnad.example/articles/3" },
      ],
      link: "https://isnad.example/articles/3",
    });
  });

  test("of a digest has the first ten headlines, and how many more there are", () => {
    const matches = Array.from({ length: 12 }, (_, id) => ({ id, matched_at: head.occurred_at, article }));
    const event = { ...head, type: "search.digest", search_id: 1, name: "Ports", matches } as const;
    const notice = noticeOf(event, en);
    expect(notice?.title).toBe("\u2068Ports\u2069: 12 matches");
    expect(notice?.lines.map(({ text }) => text)).toEqual([
      ...Array(10).fill(article.title),
      ...["and 2 more", "Open in Isnad"],
    ]);
    expect(noticeOf({ ...event, matches: matches.slice(0, 1) }, en)?.title).toBe("\u2068Ports\u2069: 1 match");
  });

  test("of a source says what is usual, in the language of the setting, the name apart from the words around it", () => {
    const event = { ...head, type: "source.quiet", source } as const;
    expect(noticeOf(event, en)).toMatchObject({
      title: "\u2068الوطن\u2069 has gone quiet",
      lines: [{ text: "1 articles in 24 hours, usually 35" }, { url: "https://isnad.example/sources" }],
    });
    expect(noticeOf(event, ar)?.title).toBe("سكت المصدر \u2068الوطن\u2069");
    expect(noticeOf({ ...event, type: "source.doubled" }, en)?.title).toContain("twice as much");
    expect(noticeOf({ ...event, type: "source.usual" }, en)?.title).toContain("back to its usual");
  });

  test("of a story and of a claim says which, and what was found of it", () => {
    const story = { story_id: 9, title: null, size: 2, languages: ["ar"] };
    const told = noticeOf({ ...head, type: "story.created", story }, en);
    expect(told?.lines.map(({ text }) => text)).toEqual(["2 articles", "Open in Isnad"]);
    expect(told?.link).toBe("https://isnad.example/stories/9");
    const claim = {
      claim_id: 1,
      text: "The port was closed.",
      lang: "en",
      offsets: { start: 0, end: 20 },
      articles: 3,
    };
    const reviews = [
      { review_id: 1, rating: 1, publisher: "Checkers", url: "https://check.example/1" },
      { review_id: 2, rating: null, publisher: "Others", url: null },
    ];
    const repeated = noticeOf({ ...head, type: "claim.repeated", article, claim, reviews }, en);
    expect(repeated?.lines.slice(0, 1)).toEqual([{ text: "The port was closed." }]);
    expect(repeated?.lines.slice(3, 5)).toEqual([
      { text: "\u2068Checkers\u2069: 1 of 5 (1 is false)", url: "https://check.example/1" },
      { text: "\u2068Others\u2069" },
    ]);
    expect(noticeOf({ ...head, type: "story.merged", story_id: 1, merged_into: 2 }, en)).toBeUndefined();
  });

  test("keeps to one line and to its own direction whatever a headline holds, and is cut at 240 characters", () => {
    const text = (title: string) =>
      noticeOf({ ...head, type: "article.upserted", article: { ...article, title } }, en)?.lines[0]?.text ?? "";
    expect(text("a\r\n\u202eb\u2066c\u0000d\u2029")).toBe("a   b c d");
    expect(text("\u2069\u2069")).toBe("–");
    const long = text("😀".repeat(300));
    expect([[...long].length, long.isWellFormed(), long.endsWith("…")]).toEqual([240, true, true]);
    expect(text("ش".repeat(240))).toBe("ش".repeat(240));
  });
});
