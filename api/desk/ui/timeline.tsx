import { DIRECTIONS } from "../strings/mod.ts";
import type { View } from "../view.ts";
import { formatTime } from "./text.tsx";

/** A stretch of time and how much falls into it. */
type Bucket = { from: string; count: number };

const DAY_MS = 86_400_000;

/** Bars of a timeline at most. */
const MAX_BARS = 60;

/** Days that a bar may stand for, the shortest first. */
const STEPS = [1, 2, 7, 14, 30, 91, 182, 365, 1_826];

/** A bar: from a day to a day, both within it. */
type Bar = { from: number; to: number; count: number };

/** Returns bars of equal length for counts of days, as many as fit; days without any are among them. */
export function barsOf(days: readonly Bucket[]): Bar[] {
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return [];
  const start = Date.parse(first.from);
  const span = Math.round((Date.parse(last.from) - start) / DAY_MS) + 1;
  const step = STEPS.find((each) => span / each <= MAX_BARS) ?? span;
  const bars: Bar[] = Array.from({ length: Math.ceil(span / step) }, (_, i) => {
    const from = start + i * step * DAY_MS;
    return { from, to: from + (step - 1) * DAY_MS, count: 0 };
  });
  for (const { from, count } of days) {
    const bar = bars[Math.floor(Math.round((Date.parse(from) - start) / DAY_MS) / step)];
    if (bar !== undefined) bar.count += count;
  }
  return bars;
}

const HEIGHT = 72;

/** Width of the gap between bars, as a share of a bar. */
const GAP = 0.15;

/**
 * Draws how much falls on each day; a bar leads to its stretch of time. Time runs as the page's language reads. What
 * the drawing shows stands in words beside it, and its dates can be set in fields.
 */
export function Timeline({
  view,
  days,
  hrefOf,
}: {
  view: Pick<View, "lang" | "t" | "zone">;
  days: readonly Bucket[];
  hrefOf: (from: string, to: string) => string;
}) {
  const bars = barsOf(days);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const { t, lang } = view;
  const name = (at: number) => formatTime({ lang, zone: "UTC" }, new Date(at).toISOString(), "date");
  const highest = bars.find(({ count }) => count === most);
  const first = bars[0];
  const last = bars.at(-1);
  if (first === undefined || last === undefined || highest === undefined || bars.length < 2) return null;
  const isReversed = DIRECTIONS[lang] === "rtl";
  const width = 100 / bars.length;
  return (
    <figure class="timeline">
      <svg
        aria-hidden="true"
        width="100%"
        height={HEIGHT}
        data-island="brush"
        data-reversed={isReversed ? "" : undefined}
        data-days={bars.map(({ from, to }) => `${dayOf(from)}/${dayOf(to)}`).join(" ")}
      >
        {bars.map(({ from, to, count }, i) => {
          const place = isReversed ? bars.length - 1 - i : i;
          const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * (HEIGHT - 4)));
          return (
            <a href={hrefOf(dayOf(from), dayOf(to))} tabindex={-1}>
              <title>{t.search.barLabel(from === to ? name(from) : `${name(from)} – ${name(to)}`, count)}</title>
              <rect class="bar-hit" x={`${place * width}%`} y="0" width={`${width}%`} height={HEIGHT} />
              <rect
                class={count === 0 ? "bar empty" : "bar"}
                x={`${(place + GAP / 2) * width}%`}
                y={HEIGHT - height}
                width={`${(1 - GAP) * width}%`}
                height={height}
              />
            </a>
          );
        })}
        <rect class="brush" x="0" y="0" width="0" height={HEIGHT} />
      </svg>
      <figcaption class="muted small">
        {t.search.timelineSpan(name(first.from), name(last.to), name(highest.from), most)}
      </figcaption>
    </figure>
  );
}

/** Returns the day of a time, as filters take days: in UTC. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
