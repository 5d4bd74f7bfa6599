import { expect, test } from "bun:test";
import { hijriDay, hijriMonthOf } from "./calendar.ts";
import { findDates } from "./find-dates.ts";
import { isoTime, parseDate } from "./machine-dates.ts";

const day = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(0, 10));
const found = (text: string) => findDates(text).map((date) => isoTime(date));

// First days of months as the Umm al-Qura calendar has them.
test.each([
  [1442, 10, 1, "2021-05-13"],
  [1445, 1, 1, "2023-07-19"],
  [1445, 9, 1, "2024-03-11"],
  [1445, 9, 12, "2024-03-22"],
  [1446, 12, 10, "2025-06-06"],
  [1448, 6, 12, "2026-11-22"],
])("the day %d-%d-%d is %s", (y, m, d, expected) => {
  expect(day(hijriDay(y, m, d))).toBe(expected);
});

test("every day of a century converts, months have 29 or 30 of them, and none has more", () => {
  let last = hijriDay(1389, 12, 1) ?? 0;
  for (let year = 1390; year < 1490; year++) {
    for (let month = 1; month <= 12; month++) {
      const first = hijriDay(year, month, 1) ?? 0;
      expect([29, 30]).toContain((first - last) / 86_400_000);
      const has30 = hijriDay(year, month, 30) !== null;
      const next = month === 12 ? hijriDay(year + 1, 1, 1) : hijriDay(year, month + 1, 1);
      expect((next ?? 0) - first).toBe((has30 ? 30 : 29) * 86_400_000);
      last = first;
    }
  }
  expect([hijriDay(1445, 13, 1), hijriDay(1445, 1, 31), hijriDay(1445, 0, 1)]).toEqual([null, null, null]);
});

test.each([
  ["١٢ رمضان ١٤٤٥ هـ", "2024-03-22T00:00:00Z"],
  ["الجمعة 12 رمضان 1445هـ", "2024-03-22T00:00:00Z"],
  ["12 من شهر رمضان المبارك عام 1445", "2024-03-22T00:00:00Z"],
  ["5 جمادى الآخرة 1446 هـ - 10:30 ص", "2024-12-06T10:30:00Z"],
  ["5 جمادى الأولى 1446", "2024-11-07T00:00:00Z"],
  ["1 ربيع الأول 1446 هـ", "2024-09-04T00:00:00Z"],
  ["1 ربيع الآخر 1446 هـ", "2024-10-04T00:00:00Z"],
  ["10 ذو الحجة 1446هـ", "2025-06-06T00:00:00Z"],
  ["10 ذي الحجة 1446 هجرية", "2025-06-06T00:00:00Z"],
  ["12/09/1445 هـ", "2024-03-22T00:00:00Z"],
  ["12-9-1445هـ", "2024-03-22T00:00:00Z"],
  ["1445/09/12 هـ", "2024-03-22T00:00:00Z"],
  ["14 Ramadan 1445 AH", "2024-03-24T00:00:00Z"],
])("%s is %s", (text, expected) => {
  expect(found(text)).toEqual([expected]);
  expect(isoTime(parseDate(text))).toBe(expected);
});

test.each([
  ["الجمعة 12 رمضان 1445 هـ الموافق 22 مارس 2024 م", "2024-03-22T00:00:00Z"],
  ["22 مارس 2024 الموافق 12 رمضان 1445 هـ", "2024-03-22T00:00:00Z"],
  ["11 رمضان 1445 هـ | 22 مارس 2024 | 14:30", "2024-03-22T14:30:00Z"],
  ["12/09/1445 - 22/03/2024", "2024-03-22T00:00:00Z"],
])("beside the same day of the other calendar, that one counts: %s", (text, expected) => {
  expect(found(text)).toEqual([expected]);
});

test.each(["1445 شخصا", "12 رمضان", "30 شعبان 1445 هـ", "31/12/1445 هـ", "صفر 1445", "192.168.1445.3", "12.9.1445.7"])(
  "%s holds no date",
  (text) => {
    expect(found(text)).toEqual([]);
  },
);

test("months are known by the spellings of the press", () => {
  expect(["جمادي الاول", "جمادى الثانية", "ربيع الثاني", "ذوالحجة", "safar", "may"].map(hijriMonthOf)).toEqual([
    5,
    6,
    4,
    12,
    2,
    undefined,
  ]);
});
