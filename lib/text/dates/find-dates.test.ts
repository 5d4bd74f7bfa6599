import { expect, test } from "bun:test";
import { type DateOptions, findDates, findTimeAgo, isDateLine } from "./find-dates.ts";
import { isoLocalTime, isoTime } from "./machine-dates.ts";

const found = (text: string, options: DateOptions = {}) => findDates(text, options).map((date) => isoTime(date));

test("every date of a text is found, in its order, where it stands", () => {
  const text = "Posted on May 14, 2025 and changed 2025-06-02.";
  expect(found(text)).toEqual(["2025-05-14T00:00:00Z", "2025-06-02T00:00:00Z"]);
  const [first] = findDates(text);
  expect(text.slice(first?.index, (first?.index ?? 0) + (first?.length ?? 0))).toBe("May 14, 2025");
});

test.each([
  ["4 September 2025", "2025-09-04T00:00:00Z"],
  ["04-Sep-2025", "2025-09-04T00:00:00Z"],
  ["4. September 2025, 10:30 Uhr", "2025-09-04T10:30:00Z"],
  ["4 septembre 2025 à 10:30", "2025-09-04T10:30:00Z"],
  ["4 de septiembre de 2025", "2025-09-04T00:00:00Z"],
  ["4 Eylül 2025", "2025-09-04T00:00:00Z"],
  ["4 أيلول 2025", "2025-09-04T00:00:00Z"],
  ["4 شباط/فبراير 2025", "2025-02-04T00:00:00Z"],
  ["٤ أغسطس ٢٠٢٥ - ١٠:٣٠ ص", "2025-08-04T10:30:00Z"],
  ["10:30 م 4 تشرين الثاني 2025", "2025-11-04T22:30:00Z"],
  ["12:05 am, Sep 4, 2025", "2025-09-04T00:05:00Z"],
  ["4 غشت 2025", "2025-08-04T00:00:00Z"],
  ["2025/9/4 10:14 +0300", "2025-09-04T07:14:00Z"],
])("%s is %s", (text, expected) => {
  expect(found(text)).toEqual([expected]);
});

test.each(["12345", "31.02.2025", "version 2025.13.40", "Room 10:30", "May be 5", "1.2.3.2025", ""])(
  "%p holds no date",
  (text) => {
    expect(found(text)).toEqual([]);
  },
);

test("a guess about day and month says so, and what else it could be", () => {
  const [date] = findDates("03/04/2025");
  expect(date).toMatchObject({ sure: false, otherwiseMs: Date.UTC(2025, 3, 3) });
  expect(findDates("13/04/2025")[0]).toMatchObject({ sure: true, ms: Date.UTC(2025, 3, 13) });
  expect(findDates("13/04/2025")[0]).not.toHaveProperty("otherwiseMs");
});

test("a day that would be still to come is read the other way round where that is past", () => {
  const notAfter = Date.UTC(2026, 10, 23);
  const read = (text: string, dayFirst: boolean) => findDates(text, { dayFirst, notAfter })[0];
  expect(isoTime(read("12/11/2026", false) ?? null)).toBe("2026-11-12T00:00:00Z");
  expect(isoTime(read("11/12/2026", true) ?? null)).toBe("2026-11-12T00:00:00Z");
  expect(read("11/12/2026", true)).toMatchObject({ sure: true });
  expect(isoTime(read("10/11/2026", true) ?? null)).toBe("2026-11-10T00:00:00Z");
  expect(isoTime(read("12/12/2026", true) ?? null)).toBe("2026-12-12T00:00:00Z");
  expect(isoTime(read("01/02/2027", true) ?? null)).toBe("2027-02-01T00:00:00Z");
});

test("the clock that showed a time is kept", () => {
  expect(isoLocalTime(findDates("2025-09-04 01:00 +05:30")[0] ?? null)).toBe("2025-09-04T01:00:00+05:30");
  expect(isoLocalTime(findDates("2025-09-04 23:00", { zone: "America/New_York" })[0] ?? null)).toBe(
    "2025-09-04T23:00:00-04:00",
  );
  expect(isoLocalTime(findDates("2025-09-04")[0] ?? null)).toBe("2025-09-04T00:00:00Z");
  expect(isoLocalTime(null)).toBeNull();
});

test("text that nearly holds dates is read in passing", () => {
  for (const text of [
    "1 ".repeat(50_000),
    "2025-".repeat(20_000),
    "January ".repeat(20_000),
    "10:30 ".repeat(20_000),
  ]) {
    expect(found(text)).toEqual([]);
  }
});

test.each([
  "20 Nov",
  "20 Nov 2026",
  "November 20, 2026 10:00",
  "Fri, 20 November 2026 at 10:05 a.m. EST",
  "Published: 2026-11-20T10:00:00Z | Updated 3 hours ago",
  "Last updated on 20/11/2026",
  "3 hours ago",
  "2h ago",
  "Yesterday",
  "الجمعة 20 نوفمبر 2026",
  "الجمعة، 20 تشرين الثاني/نوفمبر 2026 - 10:30 صباحًا",
  "نُشر في: ٢٠ نوفمبر ٢٠٢٦",
  "آخر تحديث: 20/11/2026 10:00",
  "منذ ساعتين",
  "قبل 3 أيام",
  "12 رمضان 1445 هـ الموافق 22 مارس 2024 م",
])("%p says when", (line) => {
  expect(isDateLine(line)).toBe(true);
});

test.each([
  "",
  "12",
  "2026",
  "10:30",
  "May",
  "Friday",
  "By Sara Haddad, 20 Nov 2026",
  "Beirut, 20 November 2026",
  "In March the council votes.",
  "منذ الحرب",
  "قبل الانتخابات بيوم",
  "٢٠ قتيلا في انفجار",
])("%p says more or less than that", (line) => {
  expect(isDateLine(line)).toBe(false);
});

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
