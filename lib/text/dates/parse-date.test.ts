import { expect, test } from "bun:test";
import { parseDate } from "./parse-date.ts";

const iso = (text: string, options = {}) => {
  const date = parseDate(text, options);
  return date === null ? null : new Date(date.ms).toISOString();
};

test.each([
  ["2025-09-04T10:14:55+03:00", "2025-09-04T07:14:55.000Z"],
  ["Thu, 1 Jan 04 19:48:21 EST", "2004-01-02T00:48:21.000Z"],
  ["January 5, 2025 at 3:04 pm", "2025-01-05T15:04:00.000Z"],
  ["14 أيار/مايو 2025 - 10:30 م", "2025-05-14T22:30:00.000Z"],
  ["الأربعاء ١٤ مايو ٢٠٢٥، الساعة 22:30 GMT+3", "2025-05-14T19:30:00.000Z"],
  ["14 كانون الأول 2025", "2025-12-14T00:00:00.000Z"],
  ["2003-335", "2003-12-01T00:00:00.000Z"],
  ["20250904T101455Z", "2025-09-04T10:14:55.000Z"],
  ["1757000000", "2025-09-04T15:33:20.000Z"],
  ["1757000000000", "2025-09-04T15:33:20.000Z"],
  ["9999-01-01", null],
  ["soon", null],
  ["2025-02-31", null],
])("%s is %p", (text, expected) => {
  expect(iso(text)).toBe(expected);
});

test("a time without a zone is that of the source", () => {
  expect(iso("2025-07-01 12:00", { zone: "Asia/Riyadh" })).toBe("2025-07-01T09:00:00.000Z");
});

test("03/04/2025 is read as the reader of the source reads it", () => {
  expect(iso("03/04/2025")).toBe("2025-03-04T00:00:00.000Z");
  expect(iso("03/04/2025", { dayFirst: true })).toBe("2025-04-03T00:00:00.000Z");
});
