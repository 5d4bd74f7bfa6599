import { DIRECTIONS } from "../strings/mod.ts";
import type { View } from "../view.ts";
import { formatTime, plain } from "./text.tsx";

/** An article as the timeline of its story draws it. */
type StoryDot = { at: string | null; lang: string | null };

const ROW = 28;
const DOT = 5;
const MARGIN = 2;

/** Draws the articles of a story over time, a row a language. */
export function StoryTimeline({ view, dots }: { view: View; dots: readonly StoryDot[] }) {
  const dated = dots.filter((dot): dot is { at: string; lang: string | null } => dot.at !== null);
  const times = dated.map(({ at }) => Date.parse(at));
  const start = Math.min(...times);
  const end = Math.max(...times);
  if (dated.length < 2 || start === end) return null;
  const languages = (["ar", "en"] as const).filter((lang) => dated.some((dot) => dot.lang === lang));
  const isReversed = DIRECTIONS[view.lang] === "rtl";
  const place = (time: number) => {
    const share = MARGIN + ((time - start) / (end - start)) * (100 - 2 * MARGIN);
    return isReversed ? 100 - share : share;
  };
  return (
    <figure class="story-timeline">
      {languages.map((lang) => (
        <div class="story-row">
          <span class="small muted">{view.t.common.languages[lang]}</span>
          <svg width="100%" height={ROW} aria-hidden="true">
            <line class="axis" x1="0" x2="100%" y1={ROW / 2} y2={ROW / 2} />
            {dated.map(
              (dot, i) =>
                dot.lang === lang && (
                  <circle
                    class={i === 0 ? "story-dot first" : "story-dot"}
                    cx={`${place(times[i] ?? start)}%`}
                    cy={ROW / 2}
                    r={i === 0 ? DOT + 2 : DOT}
                  />
                ),
            )}
          </svg>
        </div>
      ))}
      <figcaption class="muted small">
        <span class="ends">
          <span>{formatTime(view, new Date(start).toISOString(), "moment")}</span>
          <span>{formatTime(view, new Date(end).toISOString(), "moment")}</span>
        </span>
        {view.t.story.timelineLead}
      </figcaption>
    </figure>
  );
}

/** Says that a source took texts from another one: how many, and the largest share of its words. */
export type Taking = { from: string; taker: string; count: number; share: number };

const MAP_ROW = 40;
const MAP_WIDTH = 96;

/**
 * Draws who took from whom: a row a source, in the order of their first reports, and an arc from each to whoever took
 * from it, the wider the more texts.
 */
export function SourceMap({
  view,
  sources,
  takings,
}: {
  view: View;
  sources: readonly string[];
  takings: readonly Taking[];
}) {
  const { t } = view;
  const involved = sources.filter((name) => takings.some(({ from, taker }) => from === name || taker === name));
  if (involved.length < 2) return <p class="muted">{t.story.noMap}</p>;
  const most = Math.max(...takings.map(({ count }) => count));
  const height = involved.length * MAP_ROW;
  const y = (name: string) => involved.indexOf(name) * MAP_ROW + MAP_ROW / 2;
  return (
    <figure class="source-map">
      <div class="source-map-rows">
        <svg
          class="source-map-arcs"
          width={MAP_WIDTH}
          height={height}
          viewBox={`0 0 ${MAP_WIDTH} ${height}`}
          aria-hidden="true"
        >
          {takings.map(({ from, taker, count }) => {
            const [a, b] = [y(from), y(taker)];
            const reach = Math.min(MAP_WIDTH - 8, 20 + Math.abs(b - a) * 0.5);
            return (
              <>
                <path
                  class="arc"
                  d={`M4 ${a} C ${reach} ${a}, ${reach} ${b}, 12 ${b}`}
                  stroke-width={1 + (2 * count) / most}
                />
                <path class="arrow" d={`M4 ${b} l9 -5 v10 z`} />
              </>
            );
          })}
        </svg>
        <ol class="plain">
          {involved.map((name) => (
            <li class="source-map-row">
              <bdi dir="auto">{plain(name)}</bdi>
            </li>
          ))}
        </ol>
      </div>
      <figcaption class="small">
        <p class="muted">{t.story.mapLead}</p>
        <ul>
          {takings.map(({ from, taker, count, share }) => (
            <li>
              <bdi dir="auto">{plain(from)}</bdi>: {t.story.took(plain(taker), count, Math.round(share * 100))}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
