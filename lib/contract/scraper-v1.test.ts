import { expect, test } from "bun:test";
import "../service/http/mod.ts";
import {
  DetailedRunView,
  ListedProfiles,
  ProfileDraft,
  RUN_STATUSES,
  RUN_TRIGGERS,
  RunView,
  ScrapeFile,
  ScrapeResults,
} from "./scraper-v1.ts";
import { looseFields } from "./testing-fields.ts";

const AT = "2026-01-05T08:00:00.000Z";
const COUNTS = {
  ...{ discovered: 9, fetched: 8, extracted: 7, sent: 6, duplicate: 1, conflict: 1, failed: 1, skipped: 0 },
};
const RUN = {
  ...{ run_id: "0b51a9a4-52d5-4b0c-9a3d-9f2f6d9a4c11", profile_id: "wire", provider: "wire", status: "partial" },
  ...{ trigger: "schedule", attempts: 1, limit: 10, created_at: AT, started_at: AT, finished_at: AT, counts: COUNTS },
  ...{ selectors: { title: { matched: 1, unmatched: 0 } }, error: "why" },
};
const feed = { url: "https://a.test/rss", kind: "feed", status: 200, entries: 9, too_old: 1, error: "why" };
const DETAILED = {
  ...RUN,
  errors: [{ url: "https://a.test/1", reason: "http-500", at: AT, retried: true }],
  ...{ feeds: [feed], too_old: { listing: 1 } },
};
const metadata = {
  ...{ total_articles: 1, sources_processed: ["wire"], processing_time_ms: 5, errors: { wire: "why" } },
  delivery: { accepted: 1, duplicate: 0, conflict: 0, failed: 0, pending: 0 },
};
const errors = [{ profile: "wire", url: "https://a.test/1", reason: "http-404", at: AT }];
const ITEM = {
  ...{ id: "1", title: "T", content: "C", url: "https://a.test/1", published_at: AT, source: "wire", category: "" },
  ...{ language: "ar", canonical_url: "https://a.test/1", authors: ["A"], images: ["i"], provider: "wire" },
};
const DRAFT = {
  ...{ profile: {}, url: "https://a.test/", name: "Wire", language: "ar", timezone: "Asia/Beirut" },
  feeds: [{ url: "https://a.test/rss", title: "Wire", entries: 9 }],
  articles: [{ url: "https://a.test/1", title: "T", words: 90, published_at: AT, read_well: true, why: "why" }],
  ...{ notes: ["look"], requests: 4 },
};
const PROFILE = {
  ...{ name: "wire", enabled: true, language: "ar" },
  source: { id: "wire", name: "Wire", tier: 1, homepage: "https://a.test/" },
};

const OF_RUN = ["limit", "started_at", "finished_at"];

test.each([
  ["a run", RunView, RUN, ["selectors.title"], [...OF_RUN, "error"]],
  [
    "a run in detail",
    DetailedRunView,
    DETAILED,
    ["selectors.title", "too_old.listing"],
    [...OF_RUN, "error", "feeds[].status", "feeds[].entries", "feeds[].error"],
  ],
  [
    "what was scraped",
    ScrapeResults,
    { results: [ITEM], metadata, errors },
    ["metadata.errors", "metadata.errors.wire", "metadata.delivery"],
    ["results[].published_at"],
  ],
  [
    "where it was written",
    ScrapeFile,
    { file: "a.jsonl", lines: 1, metadata, errors },
    ["metadata.errors", "metadata.errors.wire", "metadata.delivery"],
    [],
  ],
  ["a draft", ProfileDraft, DRAFT, [], ["articles[].published_at", "articles[].why"]],
  ["a profile", ListedProfiles, [PROFILE], [], []],
])("%s lacks nothing and has null nowhere but where callers are told so", (_, schema, example, optional, nullable) => {
  expect(looseFields(schema, example)).toEqual({ optional, nullable, any: [] });
});

test("a run is in one of five states, for one of three reasons, and counts nothing below zero", () => {
  for (const status of RUN_STATUSES) expect(RunView.parse({ ...RUN, status }).status).toBe(status);
  for (const trigger of RUN_TRIGGERS) expect(RunView.parse({ ...RUN, trigger }).trigger).toBe(trigger);
  const wrong = [
    ...[{ status: "done" }, { trigger: "cron" }, { attempts: 1.5 }],
    ...Object.keys(COUNTS).map((name) => ({ counts: { ...COUNTS, [name]: -1 } })),
    ...[
      { selectors: { title: { matched: -1, unmatched: 0 } } },
      { selectors: { title: { matched: 0, unmatched: -1 } } },
    ],
  ];
  for (const over of wrong) expect([over, RunView.safeParse({ ...RUN, ...over }).success]).toEqual([over, false]);
  expect(DetailedRunView.safeParse({ ...DETAILED, feeds: [{ ...feed, kind: "page" }] }).success).toBe(false);
  expect(DetailedRunView.safeParse({ ...DETAILED, too_old: { listing: -1 } }).success).toBe(false);
});

test("a draft is of a site in Arabic or English", () => {
  expect(["ar", "en", "fr", ""].map((language) => ProfileDraft.safeParse({ ...DRAFT, language }).success)).toEqual([
    ...[true, true, false, false],
  ]);
});
