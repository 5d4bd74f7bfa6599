import { describe, expect, test } from "bun:test";
import type { CopyLink, FamilyMember } from "../../store/mod.ts";
import { chainOf } from "./chain.ts";

const member = (articleId: number, fields: Partial<FamilyMember> = {}): FamilyMember => ({
  articleId,
  aliasOf: null,
  sourceId: `s${articleId}`,
  sourceName: null,
  title: `T${articleId}`,
  url: `https://s${articleId}.example/1`,
  publishedAt: `2024-05-0${articleId}T08:00:00.000Z`,
  cameAt: "2024-06-01T00:00:00.000Z",
  words: 100,
  credits: [],
  ...fields,
});

const link = (articleId: number, otherId: number, overlap: number, overlapOfOther = overlap): CopyLink => ({
  articleId,
  otherId,
  overlap,
  overlapOfOther,
  confidence: 0.9,
  carriers: 1,
});

const chain = (members: FamilyMember[], links: CopyLink[]) =>
  chainOf({ articleId: members[0]?.articleId ?? 0, members, links });

describe("chainOf", () => {
  test("orders by publication, whatever came first, and names the earlier one that most is shared with", () => {
    const links = chain([member(3), member(1), member(2)], [link(1, 2, 0.5), link(1, 3, 0.4), link(2, 3, 0.9, 0.95)]);
    expect(links.map(({ articleId, kind, from }) => [articleId, kind, from?.articleId])).toEqual([
      [1, "origin", undefined],
      [2, "partial", 1],
      [3, "copy", 2],
    ]);
    expect(links[2]).toMatchObject({ overlap: 0.95, overlapOfSource: 0.9 });
  });

  test("begins with what the article is from, not with what others added to a part of it", () => {
    const members = [member(1), member(2), member(3), member(4)];
    // The third took a part of the second and a paragraph of the first; the fourth is a copy of the second.
    const links = [link(2, 3, 0.4), link(1, 3, 0.3), link(2, 4, 1)];
    const idsOf = (articleId: number) => chainOf({ articleId, members, links }).map((each) => each.articleId);
    expect(idsOf(4)).toEqual([2, 3, 4]);
    expect(idsOf(2)).toEqual([2, 3, 4]);
    expect(idsOf(3)).toEqual([1, 2, 3, 4]);
  });

  test("of two that as much is shared with, the earliest is the source", () => {
    const links = chain([member(1), member(2), member(3)], [link(1, 2, 1), link(1, 3, 0.8), link(2, 3, 0.8)]);
    expect(links[2]?.from?.articleId).toBe(1);
  });

  test("a brief is a copy by its own share, and so is a text that was taken over whole into a longer one", () => {
    const brief = chain([member(1, { words: 300 }), member(2, { words: 40 })], [link(1, 2, 0.13, 0.97)]);
    expect(brief[1]).toMatchObject({ kind: "copy", overlap: 0.97, overlapOfSource: 0.13 });
    const longer = chain([member(1, { words: 40 }), member(2, { words: 300 })], [link(1, 2, 0.97, 0.13)]);
    expect(longer[1]).toMatchObject({ kind: "copy", overlap: 0.13, overlapOfSource: 0.97 });
  });

  test("a time that is missing, after its arrival, or the zero of a clock is none: such a text is last", () => {
    const early = member(1, { publishedAt: null });
    const late = member(2, { publishedAt: "2024-06-09T00:00:00.000Z" });
    const zero = member(3, { publishedAt: "1970-01-01T00:00:00.000Z" });
    const links = chain([early, late, zero, member(4)], [link(1, 4, 1), link(2, 4, 1), link(3, 4, 1)]);
    expect(links.map(({ articleId, publishedAt }) => [articleId, publishedAt])).toEqual([
      [4, "2024-05-04T08:00:00.000Z"],
      [1, null],
      [2, null],
      [3, null],
    ]);
  });

  test("what shares nothing with an earlier one is an origin, too, though a later one joins them", () => {
    const links = chain([member(1), member(2), member(3)], [link(1, 3, 0.9, 0.4), link(2, 3, 0.9, 0.3)]);
    expect(links.map(({ kind }) => kind)).toEqual(["origin", "origin", "partial"]);
  });

  test("a paper is not credited for its own text, by its name, its key or its address", () => {
    const credits = [{ name: "BBC", text: "بي بي سي", start: 0, end: 8 }];
    const first = member(1, { sourceName: "بي بي سي", credits });
    const second = member(2, { url: "https://www.bbc.co.uk/news/1", credits });
    const third = member(3, { credits });
    const links = chain([first, second, third], [link(1, 2, 1), link(2, 3, 1)]);
    expect(links.map((each) => each.credits.length)).toEqual([0, 0, 1]);
  });

  test.each([
    [0.8, 0.1, "copy"],
    [0.79, 0.1, "partial"],
    [0.1, 0.9, "partial"],
  ] as const)("of %d of the shorter text and %d of the longer one it is a %s", (ofShorter, ofLonger, kind) => {
    const links = chain([member(1, { words: 300 }), member(2, { words: 100 })], [link(1, 2, ofLonger, ofShorter)]);
    expect(links[1]?.kind).toBe(kind);
  });

  test("the same text elsewhere is exact, wherever it stands in the order, and from the one that it is of", () => {
    const again = member(1, { articleId: null, aliasOf: 2, sourceId: "s9", url: "https://s9.example/1" });
    const links = chain([member(2), again, member(3)], [link(2, 3, 0.9)]);
    expect(links.map(({ kind, from }) => [kind, from?.url])).toEqual([
      ["origin", undefined],
      ["exact", "https://s9.example/1"],
      ["copy", "https://s9.example/1"],
    ]);
    expect(links[1]).toMatchObject({ articleId: 2, overlap: 1, overlapOfSource: 1, confidence: 1 });
  });

  test.each([
    ["2024-06-01T00:59:00.000Z", "2024-06-01T00:59:00.000Z"],
    ["2024-06-01T01:01:00.000Z", null],
    ["1970-01-02T00:00:00.000Z", "1970-01-02T00:00:00.000Z"],
    ["1969-12-31T00:00:00.000Z", null],
    ["no time", null],
  ])("a time of %s of what came at midnight is given as %p", (publishedAt, given) => {
    expect(chain([member(1, { publishedAt })], [])[0]?.publishedAt).toBe(given);
  });

  test("of one time whoever came first is first, then by number", () => {
    const at = { publishedAt: "2024-05-01T08:00:00.000Z" };
    const members = [member(3, at), member(2, { ...at, cameAt: "2024-06-02T00:00:00.000Z" }), member(1, at)];
    expect(chain(members, [link(1, 2, 1), link(2, 3, 1)]).map(({ articleId }) => articleId)).toEqual([1, 3, 2]);
  });

  test.each(["https://bbc.com/1", "https://ar.bbc.com/1", "https://m.bbc.co.uk/1", "https://arabic.bbc.com/1"])(
    "the text at %s is of the paper itself",
    (url) => {
      const credits = [{ name: "BBC", text: "BBC", start: 0, end: 3 }];
      expect(chain([member(1, { url, credits })], [])[0]?.credits).toEqual([]);
      expect(chain([member(1, { url: "not an address", credits })], [])[0]?.credits).toHaveLength(1);
    },
  );
});
