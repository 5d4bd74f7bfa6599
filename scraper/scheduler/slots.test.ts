import { describe, expect, test } from "bun:test";
import { lastSlot, nextSlot } from "./slots.ts";

const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

/** The slots within two times, found forwards and backwards. */
function slots(schedule: string, timezone: string, from: string, to: string) {
  const due = { schedule, timezone };
  const forwards: (string | undefined)[] = [];
  for (let at = nextSlot(due, Date.parse(from) - 1); at !== undefined && at <= Date.parse(to); at = nextSlot(due, at)) {
    forwards.push(iso(at));
  }
  const backwards: (string | undefined)[] = [];
  for (let at = lastSlot(due, Date.parse(to)); at !== undefined && at >= Date.parse(from); at = lastSlot(due, at - 1)) {
    backwards.unshift(iso(at));
  }
  expect(backwards).toEqual(forwards);
  return forwards;
}

describe("the slots of a schedule", () => {
  test("are those of the zone's clock", () => {
    expect(slots("30 6 * * *", "Asia/Amman", "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z")).toEqual([
      "2026-01-01T03:30:00.000Z",
      "2026-01-02T03:30:00.000Z",
    ]);
  });

  test("a fixed time that clocks skip in spring comes right after the gap", () => {
    expect(slots("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", "2026-03-30T12:00:00Z")).toEqual([
      "2026-03-28T01:30:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  test("a fixed time that clocks repeat in autumn comes once", () => {
    expect(slots("30 2 * * *", "Europe/Berlin", "2026-10-24T00:00:00Z", "2026-10-26T12:00:00Z")).toEqual([
      "2026-10-24T00:30:00.000Z",
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
  });

  test("an interval goes on evenly through both changes", () => {
    for (const day of ["2026-03-29", "2026-10-25"]) {
      const found = slots("*/30 * * * *", "Europe/Berlin", `${day}T00:00:00Z`, `${day}T03:00:00Z`);
      expect(found.map((slot) => slot?.slice(11, 16))).toEqual([
        "00:00",
        "00:30",
        "01:00",
        "01:30",
        "02:00",
        "02:30",
        "03:00",
      ]);
    }
  });

  test("a slot is past from its very moment on", () => {
    const due = { schedule: "*/5 * * * *", timezone: "UTC" };
    expect(iso(lastSlot(due, Date.parse("2026-01-01T00:05:00.000Z")))).toBe("2026-01-01T00:05:00.000Z");
    expect(iso(lastSlot(due, Date.parse("2026-01-01T00:04:59.999Z")))).toBe("2026-01-01T00:00:00.000Z");
    expect(iso(nextSlot(due, Date.parse("2026-01-01T00:05:00.000Z")))).toBe("2026-01-01T00:10:00.000Z");
  });
});
