import { expect, test } from "bun:test";
import { isDateLine } from "./is-date-line.ts";

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
