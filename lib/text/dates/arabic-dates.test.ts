import { expect, test } from "bun:test";
import { findDates, isDateLine } from "./find-dates.ts";
import { isoLocalTime, isoTime, parseDate } from "./machine-dates.ts";

const found = (text: string) => findDates(text, { dayFirst: true }).map((date) => isoTime(date));

// Every month by each of the traditions: Egypt and the Gulf, the Levant and Iraq, the Maghreb.
test.each(
  [
    ["يناير", "كانون الثاني", "كانون ثاني", "ك2", "جانفي"],
    ["فبراير", "شباط", "فيفري"],
    ["مارس", "آذار"],
    ["أبريل", "إبريل", "ابريل", "نيسان", "أفريل"],
    ["مايو", "أيار", "ايار", "مايس", "ماي"],
    ["يونيو", "يونيه", "يونية", "حزيران", "جوان"],
    ["يوليو", "يوليه", "يولية", "تموز", "جويلية", "يوليوز"],
    ["أغسطس", "اغسطس", "آب", "أوت", "غشت"],
    ["سبتمبر", "سيبتمبر", "أيلول", "شتنبر"],
    ["أكتوبر", "اكتوبر", "تشرين الأول", "تشرين أول", "ت1", "ت١"],
    ["نوفمبر", "تشرين الثاني", "تشرين ثاني", "ت2", "نونبر"],
    ["ديسمبر", "كانون الأول", "كانون أول", "ك1", "دجنبر"],
  ].map((names, at) => [at + 1, names] as const),
)("month %d is known by its names: %p", (month, names) => {
  const expected = `2026-${String(month).padStart(2, "0")}-04T00:00:00Z`;
  for (const name of names) expect([name, ...found(`الأحد 4 ${name} 2026`)]).toEqual([name, expected]);
});

test.each([
  "4 أغسطس آب 2026",
  "4 آب أغسطس 2026",
  "4 آب/أغسطس 2026",
  "4 آب / أغسطس 2026",
  "4 آب (أغسطس) 2026",
  "4 آب- أغسطس 2026",
  "4 من أغسطس 2026",
  "4 من شهر أغسطس عام 2026",
  "4 أغسطس من عام 2026",
  "4 أغسطس سنة 2026",
  "أغسطس 4، 2026",
  "2026 أغسطس 4",
  "٤ أغسطس ٢٠٢٦",
  "۴ أغسطس ۲۰۲۶",
  "4 أغسـطس 2026",
  "4 أغـــسطس 2026",
  "4 أُغُسْطُس 2026",
  "\u200f4\u200f \u200fأغسطس\u200f 2026\u200f",
  "\u200f04\u200f/08\u200f/2026",
  "\u202b4/8/2026\u202c",
  "٤/٨/٢٠٢٦",
  "٤؍٨؍٢٠٢٦",
  "04 / 08 / 2026",
  "4 - 8 - 2026",
  "2026 / 08 / 04",
  "04\\08\\2026",
  "القاهرة-4/8/2026",
  "4 أغسطس 2026م",
])("%j is 4 August 2026", (text) => {
  expect(found(text)).toEqual(["2026-08-04T00:00:00Z"]);
});

test.each([
  ["10:30 ص", "10:30"],
  ["10:30 م", "22:30"],
  ["10:30 صباحًا", "10:30"],
  ["10:30 صباحاً", "10:30"],
  ["10:30 مساءً", "22:30"],
  ["10:30 مساء", "22:30"],
  ["12:15 ظهرا", "12:15"],
  ["1:15 ظهرًا", "13:15"],
  ["3:15 عصرا", "15:15"],
  ["3:15 بعد الظهر", "15:15"],
  ["11:15 ليلا", "23:15"],
  ["1:15 ليلا", "01:15"],
  ["12:15 ص", "00:15"],
  ["12:15 م", "12:15"],
  ["9:5 ص", "09:05"],
  ["9:05:7", "09:05:07"],
  ["الساعة 10:30", "10:30"],
  ["على الساعة ١٠:٣٠", "10:30"],
  ["الساعة 10 صباحا", "10:00"],
  ["في تمام الساعة 10 مساء", "22:00"],
  ["١٠:٣٠ م", "22:30"],
  ["10:30\u200f م", "22:30"],
])("the time of day «%s» is %s", (time, expected) => {
  const iso = `2026-08-04T${expected.padEnd(8, ":00")}Z`;
  for (const joint of [" - ", " ", "، ", " | ", "م "])
    expect([joint, ...found(`4 أغسطس 2026${joint}${time}`)]).toEqual([joint, iso]);
});

// In August, when some have their summer time.
test.each([
  ["غرينتش", 12],
  ["بتوقيت غرينتش", 12],
  ["بتوقيت غرينيتش", 12],
  ["بتوقيت جرينتش", 12],
  ["توقيت غرينتش", 12],
  ["(بتوقيت غرينتش)", 12],
  ["ت.غ", 12],
  ["ت غ", 12],
  ["GMT", 12],
  ["بتوقيت غرينتش +3", 9],
  ["بتوقيت مكة المكرمة", 9],
  ["بتوقيت مكّة", 9],
  ["بتوقيت السعودية", 9],
  ["بالتوقيت القاهرة", 9],
  ["بتوقيت القاهرة", 9],
  ["حسب توقيت بيروت", 9],
  ["بتوقيت القدس", 9],
  ["بتوقيت القدس المحتلة", 9],
  ["بتوقيت أبوظبي", 8],
  ["بتوقيت أبو ظبي", 8],
  ["بتوقيت الإمارات", 8],
  ["بتوقيت دبي", 8],
  ["بتوقيت مسقط", 8],
  ["بتوقيت بغداد", 9],
  ["بتوقيت تونس", 11],
  ["بتوقيت إسطنبول", 9],
  ["Cairo time", 9],
  ["Mecca Time", 9],
  ["Africa/Cairo", 9],
  ["[Asia/Riyadh]", 9],
  ["GST", 8],
  ["PKT", 7],
  ["KSA", 9],
  ["UTC\u22125", 17],
  ["\u22120500", 17],
  ["+03:00[Asia/Riyadh]", 9],
])("at noon «%s» it is %d o'clock in UTC", (zone, hour) => {
  expect(found(`4 أغسطس 2026 - 12:00 ${zone}`)).toEqual([`2026-08-04T${String(hour).padStart(2, "0")}:00:00Z`]);
  expect(found(`12:00 ${zone} 4 أغسطس 2026`)).toEqual([`2026-08-04T${String(hour).padStart(2, "0")}:00:00Z`]);
});

test("a place has its winter time in winter, and its clock is kept", () => {
  const [date] = findDates("4 يناير 2026 - 12:00 بتوقيت القاهرة");
  expect(isoLocalTime(date ?? null)).toBe("2026-01-04T12:00:00+02:00");
});

test("a zone of no place is none", () => {
  expect(found("4 أغسطس 2026 12:00 Europe/Nowhere")).toEqual(["2026-08-04T12:00:00Z"]);
});

test.each([
  ["2026-10-24T10:00:00+03:00[Asia/Riyadh]", "2026-10-24T07:00:00Z"],
  ["2026-10-24T10:00:00[Asia/Riyadh]", "2026-10-24T07:00:00Z"],
  ["2026-10-24T10:00[Africa/Cairo]", "2026-10-24T07:00:00Z"],
  ["2026-10-24 10:00:00 Africa/Cairo", "2026-10-24T07:00:00Z"],
  ["2026-10-24T10:00:00\u221205:00", "2026-10-24T15:00:00Z"],
  ["2026-10-24T9:5:00+03:00", "2026-10-24T06:05:00Z"],
  ["2026-10-24T9:05:00Z", "2026-10-24T09:05:00Z"],
  ["Sat Oct 24 10:00:00 GST 2026", "2026-10-24T06:00:00Z"],
  ["Sat, 24 Oct 2026 10:00:00 GST", "2026-10-24T06:00:00Z"],
])("%s as a machine writes it is %s", (text, expected) => {
  expect(isoTime(parseDate(text))).toBe(expected);
});

test("a date is found where it stands, whatever is unseen around it", () => {
  const text = "نُشِرَ: \u200f24\u200f/10\u200f/2026\u200f اليوم";
  const [date] = findDates(text, { dayFirst: true });
  expect(text.slice(date?.index, (date?.index ?? 0) + (date?.length ?? 0))).toBe("24\u200f/10\u200f/2026");
});

test.each([
  "نُشِر: ‏24‏/10‏/2026 - 12:30 بتوقيت غرينتش",
  "24 تشرين ثاني 2026، الساعة 10 صباحًا بتوقيت مكة المكرمة",
  "24 يوليه 2026",
])("%j says when, and nothing else", (line) => {
  expect(isDateLine(line)).toBe(true);
});

test("text that nearly holds zones, times and months in words is read in passing", () => {
  const before = process.cpuUsage();
  for (const part of ["كانون ", "4 أغسطس ", "10:30 بتوقيت ", "\u200f4\u200f/", "4 / 8 / ", "4 آب/أغسطس "]) {
    expect(found(part.repeat(20_000)).length).toBeLessThan(20_001);
  }
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});

test.each([
  ["الأول من تشرين الأول 2026", "2026-10-01"],
  ["الثاني من تشرين الثاني 2026", "2026-11-02"],
  ["الثالث عشر من مايو 2026", "2026-05-13"],
  ["العشرين من مارس 2026", "2026-03-20"],
  ["الحادي والعشرين من آذار/مارس 2026", "2026-03-21"],
  ["يوم السبت الرابع والعشرون من شهر أكتوبر عام 2026", "2026-10-24"],
  ["الثلاثون من أبريل 2026", "2026-04-30"],
  ["الحادي والثلاثين من ديسمبر 2026", "2026-12-31"],
])("a day in words is read: %s", (text, day) => {
  expect(found(text)).toEqual([`${day}T00:00:00Z`]);
});

test("ordinals of something else, and days that a month does not have, are no dates", () => {
  for (const text of ["الدور الثاني من 2026", "الربع الثالث من عام 2026", "الحادي والثلاثين من أبريل 2026"]) {
    expect([text, ...found(text)]).toEqual([text]);
  }
});

test("Libya's months are read between a day and a year, and are words elsewhere", () => {
  const names = "أي النار,النوار,الربيع,الطير,الماء,الصيف,ناصر,هانيبال,الفاتح,التمور,الحرث,الكانون".split(",");
  for (const [at, name] of names.entries()) {
    const expected = `2008-${String(at + 1).padStart(2, "0")}-04T00:00:00Z`;
    expect([name, ...found(`4 ${name} 2008 م`)]).toEqual([name, expected]);
  }
  expect(found("4 الفاتح/سبتمبر 2008")).toEqual(["2008-09-04T00:00:00Z"]);
  expect(found("4 سبتمبر (الفاتح) 2008")).toEqual(["2008-09-04T00:00:00Z"]);
  for (const text of ["في الربيع 2019", "جمال عبد ناصر 2020", "3 الماء"])
    expect([text, ...found(text)]).toEqual([text]);
});
