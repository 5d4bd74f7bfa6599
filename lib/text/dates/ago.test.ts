import { expect, test } from "bun:test";
import { findTimeAgo } from "./ago.ts";
import { isoTime } from "./machine-dates.ts";

const NOW = Date.UTC(2026, 10, 28, 17, 20, 30);

test.each([
  ["3 hours ago", "2026-11-28T14:00:00Z"],
  ["an hour ago", "2026-11-28T16:00:00Z"],
  ["Layla Haddad · 25 mins ago", "2026-11-28T16:55:00Z"],
  ["2h ago", "2026-11-28T15:00:00Z"],
  ["4 days ago", "2026-11-24T00:00:00Z"],
  ["منذ 3 ساعات", "2026-11-28T14:00:00Z"],
  ["مُنذُ ٣ ساعات", "2026-11-28T14:00:00Z"],
  ["نُشر منذ ساعتين", "2026-11-28T15:00:00Z"],
  ["قبل ساعة", "2026-11-28T16:00:00Z"],
  ["قبل نحو 20 دقيقة", "2026-11-28T17:00:00Z"],
  ["منذ يومين", "2026-11-26T00:00:00Z"],
  ["طارق نجار، منذ 3 ساعات", "2026-11-28T14:00:00Z"],
  ["طارق نجارمنذ 3 ساعات", "2026-11-28T14:00:00Z"],
])("%p is a time told from now", (line, time) => {
  expect(isoTime(findTimeAgo(line, NOW))).toBe(time);
});

test.each(["ago", "منذ الحرب", "2 months ago", "منذ أسبوع", "منذ 3 سنوات", "40 days ago", "3.5 hours ago", "قبل يومه"])(
  "%p names no moment",
  (line) => {
    expect(findTimeAgo(line, NOW)).toBeNull();
  },
);

test("a long text is no line", () => {
  expect(findTimeAgo(`3 hours ago ${"x".repeat(200)}`, NOW)).toBeNull();
});
