import { describe, expect, test } from "bun:test";
import { readHookAddress } from "./notices.ts";
import { NewSearch, QueryVectorsRequest, SavedQuery, SearchChange } from "./saved-searches-v1.ts";

test.each([
  ["https://hooks.example/a?b=c", "json", "https://hooks.example/a?b=c"],
  ["slack+https://hooks.slack.com/services/T0/B0/x", "slack", "https://hooks.slack.com/services/T0/B0/x"],
  [
    "Telegram+https://api.telegram.org/bot7:x/sendMessage?chat_id=-10",
    "telegram",
    "https://api.telegram.org/bot7:x/sendMessage?chat_id=-10",
  ],
  ["matrix+https://:t@matrix.example/!room:matrix.example", "matrix", "https://:t@matrix.example/!room:matrix.example"],
  ["ntfy+http://127.0.0.1:8090/news_1", "ntfy", "http://127.0.0.1:8090/news_1"],
] as const)("%s has form %s", (address, form, url) => {
  expect(readHookAddress(address)).toEqual({ form, url: new URL(url) });
});

test("mailto: with one address is an e-mail, with several, with headers or without any it is nothing", () => {
  expect(readHookAddress("mailto:desk@news.example")).toEqual({ form: "email", to: "desk@news.example" });
  for (const address of [
    "mailto:",
    "mailto:desk",
    "mailto:a@b.example,c@d.example",
    "mailto:a@b.example?cc=c@d.example",
  ])
    expect(readHookAddress(address)).toBeString();
  expect(readHookAddress("mailto:a@b.example\r\nBcc: c@d.example")).toBeString();
});

test.each([
  ["slack+https://hooks.slack.com", "slack+"],
  ["telegram+https://api.telegram.org/bot7:x/sendMessage", "chat_id"],
  ["telegram+https://api.telegram.org/bot7:x?chat_id=1", "sendMessage"],
  ["matrix+https://matrix.example/!room:matrix.example", "access token"],
  ["matrix+https://:t@matrix.example/room", "room's id"],
  ["ntfy+https://ntfy.sh/", "topic"],
  ["discord+https://discord.example/x", "slack+, telegram+, matrix+ or ntfy+"],
  ["email+https://mail.example/x", "mailto:"],
  ["slack+ftp://hooks.slack.com/x", "http or https"],
  ["file:///etc/passwd", "http or https"],
  ["", "http or https"],
])("%j is refused with the rule", (address, rule) => {
  expect(readHookAddress(address)).toContain(rule);
});

describe("the query of a saved search", () => {
  test("shows its defaults, and may be of everything", () => {
    const defaults = { mode: "hybrid", match: "all", typos: "off", prefix: false };
    expect(SavedQuery.parse({})).toEqual(SavedQuery.parse(defaults));
    expect(SavedQuery.parse({})).toMatchObject(defaults);
  });

  test.each([
    [{ typos: "auto" }, "typos"],
    [{ prefix: true }, "prefix"],
    [{ mode: "vector" }, "q"],
    [{ mode: "vector", q: "!?" }, "q"],
    [{ q: "" }, "q"],
    [{ q: "x".repeat(513) }, "q"],
    [{ claims: "true" }, "claims"],
    [{ match: "some" }, "match"],
    [{ from: "2026-01-02", to: "2026-01-01" }, "from"],
    [{ entity: "" }, "entity"],
  ])("is refused: %j", (wrong, field) => {
    const { error } = SavedQuery.safeParse(wrong);
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });

  test("by meaning needs a word, in any writing", () => {
    for (const q of ["مرفأ", "7", "a"]) expect(SavedQuery.safeParse({ mode: "vector", q }).success).toBe(true);
  });
});

describe("a search to keep", () => {
  const search = { name: "Ports", query: {} };

  test("is active unless it says otherwise, and a change leaves what it does not name", () => {
    expect(NewSearch.parse(search)).toMatchObject({ name: "Ports", active: true });
    expect(SearchChange.parse({})).toEqual({});
    expect(SearchChange.parse({ active: false, notify: null })).toEqual({ active: false, notify: null });
  });

  test.each([
    [{ name: "n".repeat(200) }, { name: "n".repeat(201) }, "name"],
    [{ name: " a " }, { name: " \u200b\u202e " }, "name"],
    [{ name: "!" }, { name: "a\ud83d" }, "name"],
    [{ min_similarity: 0 }, { min_similarity: -0.1 }, "min_similarity"],
    [{ min_similarity: 1 }, { min_similarity: 1.1 }, "min_similarity"],
    [{ min_similarity: null }, { min_similarity: "0.5" }, "min_similarity"],
    [{ notify: { digest: "daily" } }, { notify: { digest: "weekly" } }, "notify"],
    [{ notify: { webhook: null } }, { notify: { webhook: "ntfy+https://ntfy.example/" } }, "notify"],
    [
      { notify: { webhook: "https://a.example/" } },
      { notify: { webhook: `https://a.example/${"x".repeat(2_048)}` } },
      "notify",
    ],
  ])("has rules: %#", (good, bad, field) => {
    expect(NewSearch.safeParse({ ...search, ...good }).success).toBe(true);
    const { error } = NewSearch.safeParse({ ...search, ...bad });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});

test("vectors are asked for of 1 to 64 queries at a time", () => {
  const isTaken = (queries: string[]) => QueryVectorsRequest.safeParse({ queries }).success;
  expect([isTaken([]), isTaken(["a"]), isTaken(Array(64).fill("a")), isTaken(Array(65).fill("a"))]).toEqual([
    ...[false, true, true, false],
  ]);
  expect(isTaken([""])).toBe(false);
});
