import { describe, expect, test } from "bun:test";
import { parseIsoTime } from "./parse-iso-time.ts";

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
