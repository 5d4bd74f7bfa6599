import { BoundedMap } from "../std/mod.ts";

/** Lists the stretches of time that a histogram counts by; weeks begin on Monday. */
const HISTOGRAM_UNITS = ["hour", "day", "week", "month"] as const;
export type HistogramUnit = (typeof HISTOGRAM_UNITS)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Bounds a stretch whose changes of offset are found together, and how far apart the offset is read; in ms. */
const STRETCH_MS = 400 * DAY_MS;
const SAMPLE_MS = 8 * DAY_MS;

/** Holds the offsets of a stretch: each from an instant on, ascending. */
type Offsets = { from: readonly number[]; offsets: readonly number[] };

const MAX_ZONES = 64;
const MAX_STRETCHES = 512;
const zones = new BoundedMap<string, Zone>(MAX_ZONES);

/** Returns a time zone by its IANA name. @throws RangeError for one that is not known */
export function zoneOf(name: string): Zone {
  const cached = zones.get(name);
  if (cached !== undefined) return cached;
  const zone = new Zone(name);
  zones.set(name, zone);
  return zone;
}

/** A time zone. Instants and local times are milliseconds, local ones as if they were in UTC. */
class Zone {
  readonly #format: Intl.DateTimeFormat;
  readonly #stretches = new BoundedMap<number, Offsets>(MAX_STRETCHES);

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23", era: "short" },
      ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
    });
  }

  /** Returns how far local time is ahead of UTC at an instant. */
  offsetAt(ms: number): number {
    return this.offsetAround(ms).offset;
  }

  /** Returns the offset at an instant, and from when to before when it surely is the same. */
  offsetAround(ms: number): { offset: number; from: number; to: number } {
    const { from, offsets } = this.#around(ms);
    let last = from.length - 1;
    while (last > 0 && (from[last] ?? 0) > ms) last--;
    const to = from[last + 1] ?? (Math.floor(ms / STRETCH_MS) + 1) * STRETCH_MS;
    return { offset: offsets[last] ?? 0, from: from[last] ?? ms, to };
  }

  /** Returns the instant of a local time: the earlier of two; where the clock leaps over it, that of the leap. */
  instantOf(local: number): number {
    const [before, after] = [this.offsetAt(local - DAY_MS), this.offsetAt(local + DAY_MS)];
    const instants = [local - before, local - after].sort((a, b) => a - b);
    return instants.find((instant) => instant + this.offsetAt(instant) === local) ?? local - before;
  }

  /** Returns an instant in ISO 8601 with the zone's offset. */
  iso(ms: number): string {
    const minutes = Math.round(this.offsetAt(ms) / MINUTE_MS);
    const digits = (value: number) => String(value).padStart(2, "0");
    const offset = `${digits(Math.floor(Math.abs(minutes) / 60))}:${digits(Math.abs(minutes) % 60)}`;
    const local = new Date(ms + minutes * MINUTE_MS).toISOString().replace(/\.\d+Z$/, "");
    // In UTC: an offset that has seconds, as before zones were agreed on, and a year that is only here beyond 9999.
    if (minutes * MINUTE_MS !== this.offsetAt(ms) || !/^\d/.test(local))
      return new Date(ms).toISOString().replace(".000Z", "Z");
    return minutes === 0 ? `${local}Z` : `${local}${minutes < 0 ? "-" : "+"}${offset}`;
  }

  #around(ms: number): Offsets {
    const stretch = Math.floor(ms / STRETCH_MS);
    const cached = this.#stretches.get(stretch);
    if (cached !== undefined) return cached;
    const first = stretch * STRETCH_MS;
    const from = [first];
    const offsets = [this.#measure(first)];
    for (let at = first; at < first + STRETCH_MS; at += SAMPLE_MS) {
      const [before, after] = [offsets.at(-1) ?? 0, this.#measure(at + SAMPLE_MS)];
      if (before === after) continue;
      from.push(this.#change(at, at + SAMPLE_MS, before));
      offsets.push(after);
    }
    const measured = { from, offsets };
    this.#stretches.set(stretch, measured);
    return measured;
  }

  /** Returns the first instant after `low` whose offset is another one; that of `high` is. */
  #change(low: number, high: number, offset: number): number {
    let [same, other] = [low, high];
    while (other - same > 1000) {
      const middle = Math.floor((same + other) / 2000) * 1000;
      if (this.#measure(middle) === offset) same = middle;
      else other = middle;
    }
    return other;
  }

  #measure(ms: number): number {
    const part: Record<string, string> = {};
    for (const { type, value } of this.#format.formatToParts(ms)) part[type] = value;
    const number = (name: string) => Number(part[name]);
    const year = part.era === "BC" ? 1 - number("year") : number("year");
    const local = new Date(0);
    local.setUTCFullYear(year, number("month") - 1, number("day"));
    local.setUTCHours(number("hour"), number("minute"), number("second"));
    return local.getTime() - Math.floor(ms / 1000) * 1000;
  }
}

/** Counts instants by the stretches of a unit in a zone; those that come in the order of time are counted fastest. */
export class Histogram {
  readonly #zone: Zone;
  readonly #unit: HistogramUnit;
  /** The counts by the instant at which an hour begins, or the local time at which another stretch does. */
  readonly #counts = new Map<number, { count: number }>();
  /** The stretch that was met last, and instants that are surely in it: from one to before another. */
  #last = { stretch: { count: 0 }, from: 0, to: 0 };

  constructor(unit: HistogramUnit, zone: Zone) {
    this.#unit = unit;
    this.#zone = zone;
  }

  add(ms: number): void {
    if (ms < this.#last.from || ms >= this.#last.to) this.#last = this.#stretchAt(ms);
    this.#last.stretch.count++;
  }

  /** The stretches that hold any. */
  get size(): number {
    return this.#counts.size;
  }

  /** Returns the stretches that hold any, ascending, each from its first instant on. */
  buckets(): { from: number; count: number }[] {
    return Array.from(this.#counts, ([key, { count }]) => {
      return { from: this.#unit === "hour" ? key : this.#zone.instantOf(key), count };
    }).sort((a, b) => a.from - b.from);
  }

  #stretchAt(ms: number) {
    const { offset, from, to } = this.#zone.offsetAround(ms);
    const local = this.#around(ms + offset);
    const key = local.from - (this.#unit === "hour" ? offset : 0);
    const stretch = this.#counts.get(key) ?? { count: 0 };
    this.#counts.set(key, stretch);
    return { stretch, from: Math.max(from, local.from - offset), to: Math.min(to, local.to - offset) };
  }

  /** Returns the local times at which the stretch of a local time begins and ends. */
  #around(local: number): { from: number; to: number } {
    const day = Math.floor(local / DAY_MS);
    const since = (from: number, length: number) => ({ from, to: from + length });
    switch (this.#unit) {
      case "hour":
        return since(Math.floor(local / HOUR_MS) * HOUR_MS, HOUR_MS);
      case "day":
        return since(day * DAY_MS, DAY_MS);
      case "week":
        // The first day of 1970 was a Thursday.
        return since((day - ((((day + 3) % 7) + 7) % 7)) * DAY_MS, 7 * DAY_MS);
      case "month":
        return monthOf(local);
    }
  }
}

function monthOf(local: number): { from: number; to: number } {
  const date = new Date(local);
  const from = new Date(0);
  from.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { from: from.getTime(), to: to.getTime() };
}
