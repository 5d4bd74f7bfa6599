import { DIRECTIONS } from "../strings/mod.ts";
import type { View } from "../view.ts";
import { formatTime } from "./text.tsx";

/** A text of a chain, as it is drawn: its time, its number in the list, and the number that it is from. */
type DrawnText = { at: string | null; number: number; from: number | null; isAsked: boolean };

const HEIGHT = 110;
const BASE = 80;
const RADIUS = 11;

/** Part of the width that stays free on each side, in percent. */
const MARGIN = 4;

/** Holds how much of a place is by time; the rest is by order, so that texts of one minute stand apart. */
const BY_TIME = 0.3;

/**
 * Draws who took from whom over time: a numbered dot a text, an arc from a text to each that was taken from it. Time
 * runs as the page's language reads; the list beside it says the same in words.
 */
export function ChainDrawing({
  view,
  texts,
}: {
  view: Pick<View, "lang" | "t" | "zone">;
  texts: readonly DrawnText[];
}) {
  const drawn = texts;
  if (drawn.length < 2) return null;
  const isReversed = DIRECTIONS[view.lang] === "rtl";
  const places = placesOf(drawn).map((place) => (isReversed ? 100 - place : place));
  const first = drawn.find(({ at }) => at !== null)?.at;
  const last = drawn.findLast(({ at }) => at !== null)?.at;
  return (
    <figure class="chain-drawing">
      <svg width="100%" height={HEIGHT} aria-hidden="true">
        <line class="axis" x1="0" x2="100%" y1={BASE} y2={BASE} />
        {drawn.map(({ from }, i) => {
          const [a, b] = [places[drawn.findIndex(({ number }) => number === from)], places[i]];
          if (a === undefined || b === undefined) return null;
          const height = Math.min(BASE - RADIUS, 18 + Math.abs(b - a) * 0.9);
          return (
            <svg
              aria-hidden="true"
              x={`${Math.min(a, b)}%`}
              y={BASE - RADIUS - height}
              width={`${Math.abs(b - a)}%`}
              height={height}
              viewBox="0 0 100 100"
              preserveAspectRatio="none"
            >
              <path class="arc" d="M0 100 C 0 -30, 100 -30, 100 100" />
            </svg>
          );
        })}
        {drawn.map(({ isAsked, number }, i) => (
          <g class={isAsked ? "dot asked" : i === 0 ? "dot origin" : "dot"}>
            <circle cx={`${places[i]}%`} cy={BASE} r={RADIUS} />
            <text x={`${places[i]}%`} y={BASE + 4.5} text-anchor="middle">
              {number}
            </text>
          </g>
        ))}
      </svg>
      <figcaption class="muted small">
        {first != null && last != null && (
          <span class="ends">
            <span>{formatTime(view, first, "moment")}</span>
            <span>{formatTime(view, last, "moment")}</span>
          </span>
        )}
        {view.t.article.drawing}
      </figcaption>
    </figure>
  );
}

/** Returns where texts stand, in percent of the width, in the direction of reading. */
function placesOf(texts: readonly DrawnText[]): number[] {
  const times = texts.map(({ at }) => (at === null ? undefined : Date.parse(at)));
  const dated = times.filter((time) => time !== undefined);
  const start = Math.min(...dated);
  const span = Math.max(1, Math.max(...dated) - start);
  return texts.map((_, i) => {
    const order = i / (texts.length - 1);
    const time = times[i];
    const place = time === undefined ? order : BY_TIME * ((time - start) / span) + (1 - BY_TIME) * order;
    return MARGIN + place * (100 - 2 * MARGIN);
  });
}
