import { expect, test } from "bun:test";
import { type DateOptions, findDates } from "./find-dates.ts";
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
