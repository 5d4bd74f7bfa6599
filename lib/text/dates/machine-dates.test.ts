import { describe, expect, test } from "bun:test";
import { parseDate, parseIsoTime } from "./machine-dates.ts";

describe("parse iso time", () => {
  const iso = (text: string): string | undefined => {
    const time = parseIsoTime(text);
    return time === undefined ? undefined : new Date(time).toISOString();
  };

  describe("parseIsoTime()", () => {
    test("reads timestamps with Z, an offset, or none", () => {
      expect(iso("2024-05-06T07:08:09Z")).toBe("2024-05-06T07:08:09.000Z");
      expect(iso("2024-05-06T07:08:09+03:00")).toBe("2024-05-06T04:08:09.000Z");
      expect(iso("2024-05-06T07:08:09-0330")).toBe("2024-05-06T10:38:09.000Z");
      expect(iso("2024-05-06T07:08:09+03")).toBe("2024-05-06T04:08:09.000Z");
      expect(iso("2024-05-06T07:08:09")).toBe("2024-05-06T07:08:09.000Z");
      expect(iso("2024-05-06 07:08")).toBe("2024-05-06T07:08:00.000Z");
      expect(iso("2024-05-06T07:08:09.123456789z")).toBe("2024-05-06T07:08:09.123Z");
      expect(iso("2024-05-06T07:08:09,5Z")).toBe("2024-05-06T07:08:09.500Z");
    });

    test("reads a date alone as its first moment, or its last", () => {
      expect(iso("2024-02-29")).toBe("2024-02-29T00:00:00.000Z");
      expect(parseIsoTime("2024-02-29", { endOfDay: true })).toBe(Date.parse("2024-02-29T23:59:59.999Z"));
      expect(parseIsoTime("2024-02-29T10:00:00Z", { endOfDay: true })).toBe(Date.parse("2024-02-29T10:00:00Z"));
    });

    test("knows the calendar", () => {
      for (const wrong of [
        "2023-02-29",
        "1900-02-29",
        "2024-02-30",
        "2024-13-01",
        "2024-00-10",
        "2024-04-31",
        "2024-01-00",
      ]) {
        expect(iso(wrong)).toBeUndefined();
      }
      expect(iso("2000-02-29")).toBe("2000-02-29T00:00:00.000Z");
    });

    test("refuses times and offsets that do not exist", () => {
      for (const wrong of ["24:00:00Z", "12:60:00Z", "12:00:60Z", "12:00:00+24:00", "12:00:00+03:60", "12:00:00 Z"]) {
        expect(iso(`2024-01-01T${wrong}`)).toBeUndefined();
      }
    });

    test("takes a leap second at the end of a month in UTC, and nowhere else, as the second after it", () => {
      expect(iso("2016-12-31T23:59:60Z")).toBe("2017-01-01T00:00:00.000Z");
      expect(iso("2016-12-31T23:59:60.500Z")).toBe("2017-01-01T00:00:00.500Z");
      expect(iso("2017-01-01T02:59:60+03:00")).toBe("2017-01-01T00:00:00.000Z");
      for (const wrong of ["2016-12-30T23:59:60Z", "2016-12-31T22:59:60Z", "2016-12-31T23:59:60+03:00"])
        expect(iso(wrong)).toBeUndefined();
      for (const wrong of ["2016-12-31T23:59:61Z", "9999-12-31T23:59:60Z", "2016-12-31T23:58:60Z"])
        expect(iso(wrong)).toBeUndefined();
    });

    test("refuses everything that is no ISO 8601 time", () => {
      const wrong = [
        "",
        "yesterday",
        "1715000000",
        "06/05/2024",
        "Mon, 06 May 2024",
        "2024-5-6",
        "2024",
        "٢٠٢٤-٠٥-٠٦",
        " 2024-01-01",
      ];
      for (const text of wrong) expect(iso(text)).toBeUndefined();
    });

    test("is as strict with the plain form as with any other", () => {
      const wrong = ["2023-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "2024-04-31T00:00:00Z", "2024-13-01T00:00:00Z"];
      const times = ["2024-01-01T24:00:00Z", "2024-01-01T12:60:00Z", "2024-01-01T12:00:60Z", "2024-01-00T00:00:00Z"];
      for (const text of [...wrong, ...times, "0000-01-01T00:00:00Z", "2024-00-01T00:00:00.000Z"])
        expect(iso(text)).toBeUndefined();
      for (const text of ["2024-02-29T23:59:59.999Z", "2024-12-31T00:00:00.000Z", "0001-01-01T00:00:00.000Z"]) {
        expect(iso(text)).toBe(text);
      }
    });

    test("keeps to the years 0001 to 9999, also after the offset", () => {
      expect(iso("0001-01-01T00:00:00Z")).toBe("0001-01-01T00:00:00.000Z");
      expect(iso("9999-12-31T23:59:59.999Z")).toBe("9999-12-31T23:59:59.999Z");
      for (const wrong of ["0000-01-01", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"]) {
        expect(iso(wrong)).toBeUndefined();
      }
    });
  });
});

describe("parse date", () => {
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
});
