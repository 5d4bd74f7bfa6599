import { expect, test } from "bun:test";
import { readDate } from "./dates.ts";

test.each([
  ["Sun, 18 Feb 2018 21:35:43 +0400", "2018-02-18T17:35:43.000Z"],
  ["Sun, 18 Feb 2018 17:21:49 GMT", "2018-02-18T17:21:49.000Z"],
  ["18 February 2018 17:21 EST", "2018-02-18T22:21:00.000Z"],
  ["26-FEB-1987 15:01:01.79", "1987-02-26T15:01:01.000Z"],
  ["3-MAR-1987  09:15:05.40", "1987-03-03T09:15:05.000Z"],
  ["27-MAR-1987 02:17:09.88&#5;&#5;&#5;T C", "1987-03-27T02:17:09.000Z"],
  ["9-APR-1987 00:00:00.00    # date added by guesswork", "1987-04-09T00:00:00.000Z"],
  ["2017-01-20T21:43:00+01:00", "2017-01-20T20:43:00.000Z"],
  ["2017-01-22T185600", "2017-01-22T18:56:00.000Z"],
  ["2012-11-29 17:11:56", "2012-11-29T17:11:56.000Z"],
  ["2012-11-29T17:11:56.123Z", "2012-11-29T17:11:56.000Z"],
  ["2012-11-29", "2012-11-29T00:00:00.000Z"],
  ["17/05/2015", "2015-05-17T00:00:00.000Z"],
  ["17.05.2015 21:35", "2015-05-17T21:35:00.000Z"],
  [" 2018-02-18T00:30:00+0400 ", "2018-02-17T20:30:00.000Z"],
])("%s is read as %s", (text, iso) => {
  expect(readDate(text)).toBe(iso);
});

test("Unix seconds and milliseconds are read alike, as numbers or as digits", () => {
  for (const value of [1_518_975_343, 1_518_975_343_000, "1518975343", "1518975343000"]) {
    expect(readDate(value)).toBe("2018-02-18T17:35:43.000Z");
  }
});

test("a date whose time of day cannot be is read as its midnight", () => {
  expect(readDate("31-MAR-1987 605:12:19.12")).toBe("1987-03-31T00:00:00.000Z");
  expect(readDate("2012-11-29 29:11:56")).toBe("2012-11-29T00:00:00.000Z");
});

test.each(["", "yesterday", "31/02/2015", "2015-13-01", "12-ABC-1987 10:00:00", null, undefined, {}, Number.NaN])(
  "%p is no date",
  (value) => {
    expect(readDate(value)).toBeNull();
  },
);
