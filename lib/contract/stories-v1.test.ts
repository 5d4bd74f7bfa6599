import { describe, expect, test } from "bun:test";
import { StoriesQuery, StoryParams, storyCursor, storyWindow } from "./stories-v1.ts";

const place = { sort: "newest", value: 1_767_225_600_000, storyId: 17, from: 1_000, to: 2_000 } as const;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("the cursor of a list of stories", () => {
  test("says the place, the order and the time of the list, and is read as it was written", () => {
    const query = StoriesQuery.parse({ sort: "newest", cursor: storyCursor(place) });
    expect(query.cursor).toEqual(place);
    expect(storyWindow(query)).toEqual({ from: 1_000, to: 2_000 });
  });

  test.each([
    ["no base64 of JSON", "###"],
    ["an object", encoded({ sort: "newest" })],
    ["an order that there is not", encoded(["best", 1, 1, 1, 1])],
    ["no story", encoded(["newest", 1, 0, 1, 1])],
    ["a part of a story", encoded(["newest", 1, 1.5, 1, 1])],
    ["too little", encoded(["newest", 1, 1, 1])],
    ["too much", encoded(["newest", 1, 1, 1, 1, 1])],
    ["a time that is text", encoded(["newest", 1, 1, "1", 1])],
    ["an end before its beginning", encoded(["newest", 1, 1, 2, 1])],
    ["a time before all years", encoded(["newest", 1, 1, -9e15, 1])],
    ["a time after all years", encoded(["newest", 1, 1, 1, 253_402_300_800_000])],
  ])("that holds %s is refused", (_, cursor) => {
    const { error } = StoriesQuery.safeParse({ sort: "newest", cursor });
    expect(error?.issues).toMatchObject([
      { path: ["cursor"], message: "must be a cursor that this list has given out" },
    ]);
  });

  test("of a list in another order is refused", () => {
    const { error } = StoriesQuery.safeParse({ sort: "size", cursor: storyCursor(place) });
    expect(error?.issues).toMatchObject([{ path: ["cursor"], message: "belongs to a list that is sorted otherwise" }]);
  });
});

test("a list from a time that is to come is of that time alone", () => {
  const from = Date.parse("9999-12-31T00:00:00Z");
  expect(storyWindow({ from })).toEqual({ from, to: from });
  const before = Date.now();
  const { from: begin, to } = storyWindow({ from: 5 });
  expect(begin).toBe(5);
  expect(to).toBeGreaterThanOrEqual(before);
});

test("the earliest time that a list can be of is that of a cursor, too", () => {
  const window = storyWindow({ to: Date.parse("0001-01-01T00:00:00Z") });
  const { cursor } = StoriesQuery.parse({ cursor: storyCursor({ ...place, sort: "size", ...window }) });
  expect(cursor).toMatchObject(window);
});

describe("the parameters of a list of stories", () => {
  test("have defaults", () => {
    expect(StoriesQuery.parse({})).toEqual({ min_size: 2, sort: "size", limit: 20 });
  });

  test.each([
    [{ min_size: "0" }, "min_size"],
    [{ min_size: "1001" }, "min_size"],
    [{ limit: "0" }, "limit"],
    [{ limit: "101" }, "limit"],
    [{ sort: "best" }, "sort"],
    [{ q: "" }, "q"],
    [{ q: "x".repeat(513) }, "q"],
    [{ entity: "\0" }, "entity"],
    [{ cursor: "c".repeat(401) }, "cursor"],
    [{ from: "2026-01-02", to: "2026-01-01" }, ""],
  ])("refuse %j", (wrong, field) => {
    const { error } = StoriesQuery.safeParse(wrong);
    expect(error?.issues[0]?.path.join(".")).toBe(field);
  });

  test("take the largest that they may be", () => {
    const query = StoriesQuery.parse({ min_size: "1000", limit: "100", q: "x".repeat(512) });
    expect([query.min_size, query.limit]).toEqual([1_000, 100]);
  });
});

describe("the time that a list is of", () => {
  const WEEK_MS = 7 * 86_400_000;

  test("is the seven days before its end, which is now unless it is said", () => {
    expect(storyWindow({ cursor: undefined, from: undefined, to: WEEK_MS + 5 })).toEqual({ from: 5, to: WEEK_MS + 5 });
    expect(storyWindow({ cursor: undefined, from: 3, to: 9 })).toEqual({ from: 3, to: 9 });
    const before = Date.now();
    const { from, to } = storyWindow({ cursor: undefined, from: undefined, to: undefined });
    expect([to - from, to >= before, to <= Date.now()]).toEqual([WEEK_MS, true, true]);
  });

  test("is that of its first page, whatever is asked for later", () => {
    expect(storyWindow({ cursor: place, from: 7, to: 8 })).toEqual({ from: 1_000, to: 2_000 });
  });
});

test("a story is named by a whole number", () => {
  expect(StoryParams.path.parse({ story_id: "17" })).toEqual({ story_id: 17 });
  for (const wrong of ["0", "-1", "1.5", "01", "", "a", "1".repeat(16)])
    expect(StoryParams.path.safeParse({ story_id: wrong }).success).toBe(false);
});
