import { describe, expect, test } from "bun:test";
import { seeded } from "../std/random.ts";
import { Histogram, type HistogramUnit, zoneOf } from "./calendar.ts";

const buckets = (unit: HistogramUnit, zone: string, ...times: string[]) => {
  const histogram = new Histogram(unit, zoneOf(zone));
  for (const time of times) histogram.add(Date.parse(time));
  return histogram.buckets().map(({ from, count }) => `${zoneOf(zone).iso(from)} ${count}`);
};

test("a year of five digits, where it is one in the zone alone, is written in UTC", () => {
  expect(buckets("day", "Asia/Beirut", "9999-12-31T23:59:59Z")).toEqual(["9999-12-31T22:00:00Z 1"]);
  expect(buckets("day", "Asia/Beirut", "9999-12-31T12:00:00Z")).toEqual(["9999-12-31T00:00:00+02:00 1"]);
});

describe("stretches of time begin where the clocks of the zone say", () => {
  test("days, over a change to summer time at midnight", () => {
    // In Beirut midnight of 31 March 2024 was leapt over.
    const times = ["2024-03-30T21:59:59Z", "2024-03-30T22:00:00Z", "2024-03-31T20:59:59Z", "2024-03-31T21:00:00Z"];
    expect(buckets("day", "Asia/Beirut", ...times)).toEqual([
      "2024-03-30T00:00:00+02:00 1",
      "2024-03-31T01:00:00+03:00 2",
      "2024-04-01T00:00:00+03:00 1",
    ]);
  });

  test("hours, of which one came twice", () => {
    const times = ["2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z", "2024-10-27T02:30:00Z"];
    expect(buckets("hour", "Europe/Berlin", ...times)).toEqual([
      "2024-10-27T02:00:00+02:00 1",
      "2024-10-27T02:00:00+01:00 1",
      "2024-10-27T03:00:00+01:00 1",
    ]);
    expect(buckets("hour", "Asia/Kolkata", "2024-01-01T00:29:00Z", "2024-01-01T00:31:00Z")).toEqual([
      "2024-01-01T05:00:00+05:30 1",
      "2024-01-01T06:00:00+05:30 1",
    ]);
  });

  test("weeks on Monday and months on the first, also before 1970", () => {
    expect(buckets("week", "UTC", "2024-01-07T23:59:59Z", "2024-01-08T00:00:00Z", "1969-12-28T12:00:00Z")).toEqual([
      "1969-12-22T00:00:00Z 1",
      "2024-01-01T00:00:00Z 1",
      "2024-01-08T00:00:00Z 1",
    ]);
    expect(
      buckets("month", "Africa/Cairo", "2024-02-29T21:59:59Z", "2024-02-29T22:00:00Z", "2024-04-30T20:59:59Z"),
    ).toEqual(["2024-02-01T00:00:00+02:00 1", "2024-03-01T00:00:00+02:00 1", "2024-04-01T00:00:00+02:00 1"]);
  });
});

test("offsets are those of the zone, over a century, in its month of two changes too", () => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: "Africa/Casablanca", timeZoneName: "longOffset" });
  const zone = zoneOf("Africa/Casablanca");
  for (let ms = Date.UTC(1990, 0, 1); ms < Date.UTC(2040, 0, 1); ms += 37 * 3_600_000) {
    const [, sign, hours = "0"] = /GMT(?:([+-])(\d\d))?/.exec(format.format(ms)) ?? [];
    expect(zone.offsetAt(ms)).toBe((sign === "-" ? -1 : 1) * Number(hours) * 3_600_000);
  }
});

test("a zone that is not known is refused", () => {
  expect(() => zoneOf("Mars/Phobos")).toThrow(RangeError);
});

test.each([
  ["UTC", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"],
  ["Asia/Kathmandu", "2024-01-01T00:00:00Z", "2024-01-01T05:45:00+05:45"],
  ["America/St_Johns", "2024-07-01T00:00:00Z", "2024-06-30T21:30:00-02:30"],
  ["Africa/Monrovia", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"],
  // Its offset had seconds until 1972, which ISO 8601 cannot write.
  ["Africa/Monrovia", "1960-01-01T00:00:00Z", "1960-01-01T00:00:00Z"],
  ["Asia/Beirut", "1969-12-31T22:00:00Z", "1970-01-01T00:00:00+02:00"],
])("an instant in %s is written with its offset (%#)", (zone, instant, written) => {
  expect(zoneOf(zone).iso(Date.parse(instant))).toBe(written);
});

describe("the instant of a local time", () => {
  const instantOf = (zone: string, local: string) =>
    new Date(zoneOf(zone).instantOf(Date.parse(`${local}Z`))).toISOString().replace(".000Z", "Z");

  test.each([
    ["UTC", "2024-03-31T00:30:00", "2024-03-31T00:30:00Z"],
    ["Asia/Beirut", "2024-03-30T23:59:59", "2024-03-30T21:59:59Z"],
    // Midnight to one was leapt over.
    ["Asia/Beirut", "2024-03-31T00:00:00", "2024-03-30T22:00:00Z"],
    ["Asia/Beirut", "2024-03-31T01:00:00", "2024-03-30T22:00:00Z"],
    // Two to three came twice: the first one is meant.
    ["Europe/Berlin", "2024-10-27T02:30:00", "2024-10-27T00:30:00Z"],
    ["Europe/Berlin", "2024-10-27T03:00:00", "2024-10-27T02:00:00Z"],
    ["America/New_York", "2024-03-10T02:30:00", "2024-03-10T07:30:00Z"],
    ["Pacific/Apia", "2011-12-31T00:00:00", "2011-12-30T10:00:00Z"],
  ])("%s %s is %s", (zone, local, instant) => {
    expect(instantOf(zone, local)).toBe(instant);
  });
});

test("a histogram counts every instant once, in the stretch that a plain look puts it into", () => {
  const zone = zoneOf("Asia/Beirut");
  const random = seeded(3);
  const from = Date.UTC(2023, 11, 20);
  const times = Array.from({ length: 600 }, () => from + Math.floor(random() * 200 * 86_400_000));
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Beirut", dateStyle: "short" });
  const days = Map.groupBy(times, (ms) => format.format(ms));
  const months = Map.groupBy(times, (ms) => format.format(ms).slice(0, 7));
  for (const [unit, expected, length] of [
    ["day", days, 10],
    ["month", months, 7],
  ] as const) {
    for (const order of [times, times.toSorted((a, b) => a - b)]) {
      const histogram = new Histogram(unit, zone);
      for (const ms of order) histogram.add(ms);
      const counted = histogram.buckets().map(({ from, count }) => [zone.iso(from).slice(0, length), count]);
      expect(counted).toEqual(
        [...expected].map(([name, all]) => [name, all.length]).sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
      );
      expect(histogram.size).toBe(expected.size);
    }
  }
});

test("nothing has no stretches, and the last millisecond of one is in it", () => {
  expect(buckets("week", "UTC")).toEqual([]);
  expect(buckets("month", "UTC", "2024-01-31T23:59:59.999Z", "2024-02-01T00:00:00Z")).toEqual([
    ...["2024-01-01T00:00:00Z 1", "2024-02-01T00:00:00Z 1"],
  ]);
});
