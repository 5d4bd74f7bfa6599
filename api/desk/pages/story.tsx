import { ChainView, WholeStoryView } from "@isnad/lib/contract";
import type { z } from "@isnad/lib/service/http";
import type { Child } from "hono/jsx";
import type { Desk } from "../desk.tsx";
import { DIRECTIONS } from "../strings/mod.ts";
import { Later } from "../ui/later.tsx";
import { Bdi, directionOf, Dotted, formatTime, plain, Time } from "../ui/text.tsx";
import { attempt, type PageBody, type View, withQuery } from "../view.ts";

/** An article as the timeline of its story draws it. */
type StoryDot = { at: string | null; lang: string | null };

const ROW = 28;
const DOT = 5;
/** Room left free at both ends, in percent: no dot is cut off on a phone. */
const MARGIN = 4;

/** Draws the articles of a story over time, a row a language. */
function StoryTimeline({ view, dots }: { view: View; dots: readonly StoryDot[] }) {
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
type Taking = { from: string; taker: string; count: number; share: number };

const MAP_ROW = 40;
const MAP_WIDTH = 96;

/**
 * Draws who took from whom: a row a source, in the order of their first reports, and an arc from each to whoever took
 * from it, the wider the more texts.
 */
function SourceMap({ view, sources, takings }: { view: View; sources: readonly string[]; takings: readonly Taking[] }) {
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

type Story = z.output<typeof WholeStoryView>;
type Article = Story["articles"][number];
type Link = z.output<typeof ChainView>["links"][number];

/** Families of copies that are asked for, and reports of a language that are listed. */
const MAX_FAMILIES = 12;
const MAX_LISTED = 60;

/** Chains that are asked for at once. */
const AT_ONCE = 4;

const MINUTE_MS = 60_000;

/** Adds the page of a story. */
export function addStory(desk: Desk): void {
  desk.page("/stories/:id{[1-9][0-9]{0,14}}", storyPage);
}

async function storyPage(view: View): Promise<PageBody> {
  const path = `/v1/stories/${view.c.req.param("id")}`;
  const story = await view.ask(WholeStoryView, path, { query: { lang: view.lang } });
  const { t } = view;
  const body = (
    <>
      <header class="narrow own" dir={directionOf(story.title)}>
        <p class="kicker">{t.story.kicker}</p>
        <h1>{plain(story.title)}</h1>
        <p class="muted" dir={DIRECTIONS[view.lang]}>
          <Dotted
            parts={[
              t.story.facts(story.size, story.sources.length),
              <>
                <Time view={view} at={story.first_seen} form="moment" /> –{" "}
                <Time view={view} at={story.last_seen} form="moment" />
              </>,
              story.growth > 0 && t.story.growing(story.growth),
            ]}
          />
        </p>
        <p>
          <a href={withQuery("/ask", { story: story.story_id })}>{t.ask.about.story}</a>
        </p>
        {story.merged_into !== null && <p class="notice">{t.story.merged}</p>}
        {story.entities.length > 0 && (
          <p dir={DIRECTIONS[view.lang]}>
            <span class="muted small">{t.story.names}: </span>
            {story.entities.map(({ entity_id, name }, i) => (
              <>
                {i > 0 && t.common.comma}
                <a href={withQuery("/search", { entity: entity_id })}>
                  <Bdi>{name}</Bdi>
                </a>
              </>
            ))}
          </p>
        )}
      </header>
      <section aria-labelledby="timeline">
        <h2 id="timeline" class="side-title">
          {t.story.timeline}
        </h2>
        <StoryTimeline
          view={view}
          dots={story.articles.map(({ published_at, lang }) => ({ at: published_at, lang }))}
        />
      </section>
      <Later view={view} part={() => reports(view, story)} />
    </>
  );
  return { title: plain(story.title), body };
}

/** Shows the reports of a story in both languages, copies under their origin, and its sources by their order. */
async function reports(view: View, story: Story): Promise<Child> {
  const links = await familiesOf(view, story.articles);
  const { t } = view;
  const told = new Set(story.articles.map(({ article_id }) => article_id));
  const copiesOf = Map.groupBy(
    [...links.values()].filter((link) => link.from?.article_id != null),
    (link) => originOf(link, links, told),
  );
  copiesOf.delete(undefined);
  const copies = new Set([...copiesOf.values()].flat().map(({ article_id }) => article_id));
  const origins = story.articles.filter(({ article_id }) => !copies.has(article_id));
  const languages = story.languages.filter((lang) => origins.some((each) => each.lang === lang)).slice(0, 2);
  const order = story.sources.toSorted((a, b) => Date.parse(a.first_at) - Date.parse(b.first_at));
  const [first] = order;
  return (
    <div class="columns">
      <section aria-labelledby="reports">
        <h2 id="reports" class="side-title">
          {t.story.reports}
        </h2>
        <div class={languages.length > 1 ? "columns even" : undefined}>
          {languages.map((lang) => (
            <div>
              {languages.length > 1 && <h3>{lang === "ar" || lang === "en" ? t.common.languages[lang] : lang}</h3>}
              <ol class="plain">
                {origins
                  .filter((each) => each.lang === lang)
                  .slice(0, MAX_LISTED)
                  .map((each) => (
                    <Report view={view} article={each} copies={copiesOf.get(each.article_id) ?? []} />
                  ))}
              </ol>
            </div>
          ))}
        </div>
      </section>
      <aside class="side">
        <section>
          <h2 class="side-title">{t.story.order}</h2>
          <p class="muted small">{t.story.orderLead}</p>
          <ol class="order">
            {order.map((source) => (
              <li>
                <a href={withQuery("/search", { source: source.source_id, story: story.story_id })}>
                  <Bdi>{source.source_name}</Bdi>
                </a>{" "}
                <span class="muted small">
                  <Dotted
                    parts={[
                      source === first ? (
                        <Time view={view} at={source.first_at} form="moment" />
                      ) : (
                        delayOf(view, first?.first_at, source.first_at)
                      ),
                      t.common.articles(source.count),
                    ]}
                  />
                </span>
              </li>
            ))}
          </ol>
        </section>
        <section>
          <h2 class="side-title">{t.story.map}</h2>
          <SourceMap view={view} sources={namesInOrder(order, links)} takings={takingsOf(links)} />
        </section>
      </aside>
    </div>
  );
}

function Report({ view, article, copies }: { view: View; article: Article; copies: readonly Link[] }) {
  const { t } = view;
  return (
    <li class="entry own" dir={directionOf(article.title, article.lang)}>
      <h3>
        <a href={`/articles/${article.article_id}`}>
          <Bdi lang={article.lang}>{article.title}</Bdi>
        </a>
      </h3>
      <p class="muted small" dir={DIRECTIONS[view.lang]}>
        <Dotted
          parts={[<Bdi>{article.source_name}</Bdi>, <Time view={view} at={article.published_at} form="moment" />]}
        />
      </p>
      {copies.length > 0 && (
        <details class="small" dir={DIRECTIONS[view.lang]}>
          <summary>{t.story.copies(copies.length)}</summary>
          <ol class="plain copies">
            {copies.map((link) => (
              <li>
                <Bdi>{link.source_name}</Bdi>:{" "}
                {link.article_id === null ? (
                  <Bdi>{link.title}</Bdi>
                ) : (
                  <a href={`/articles/${link.article_id}`}>
                    <Bdi>{link.title}</Bdi>
                  </a>
                )}{" "}
                <span class="muted">
                  <Dotted
                    parts={[
                      t.article.kinds[link.kind],
                      `${Math.round(link.overlap * 100)} %`,
                      <Time view={view} at={link.published_at} />,
                    ]}
                  />
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

/**
 * Asks for the chains of a story's articles, some at once and each family once, by the numbers of its texts, or their
 * addresses.
 */
async function familiesOf(view: View, articles: readonly Article[]): Promise<ReadonlyMap<number | string, Link>> {
  const links = new Map<number | string, Link>();
  const seen = new Set<number>();
  for (let asked = 0; asked < MAX_FAMILIES; asked += AT_ONCE) {
    const open = articles.filter(({ article_id }) => !links.has(article_id) && !seen.has(article_id));
    const next = open.slice(0, AT_ONCE);
    if (next.length === 0) break;
    for (const { article_id } of next) seen.add(article_id);
    const chains = await Promise.all(
      next.map(({ article_id }) => attempt(view.ask(ChainView, `/v1/articles/${article_id}/chain`))),
    );
    for (const link of chains.flatMap(({ value }) => value?.links ?? [])) links.set(link.article_id ?? link.url, link);
  }
  return links;
}

/**
 * Returns the number of the earliest report of the story from which a text was taken, followed from text to text;
 * undefined where none of the story is: a passage of last month's report makes no copy of what is told today.
 */
function originOf(
  link: Link,
  links: ReadonlyMap<number | string, Link>,
  told: ReadonlySet<number>,
): number | undefined {
  let origin: number | undefined;
  let id = link.from?.article_id ?? undefined;
  for (let steps = 0; id !== undefined && steps < links.size; steps++) {
    if (told.has(id)) origin = id;
    id = links.get(id)?.from?.article_id ?? undefined;
  }
  return origin;
}

function takingsOf(links: ReadonlyMap<number | string, Link>): Taking[] {
  const takings = new Map<string, Taking>();
  for (const link of links.values()) {
    const from = link.from === null ? undefined : links.get(link.from.article_id ?? link.from.url);
    if (from === undefined || from.source_id === link.source_id) continue;
    const key = JSON.stringify([from.source_id, link.source_id]);
    const before = takings.get(key) ?? { from: from.source_name, taker: link.source_name, count: 0, share: 0 };
    takings.set(key, { ...before, count: before.count + 1, share: Math.max(before.share, link.overlap) });
  }
  return [...takings.values()].toSorted((a, b) => b.count - a.count);
}

function namesInOrder(order: Story["sources"], links: ReadonlyMap<number | string, Link>): string[] {
  return [
    ...new Set([
      ...order.map(({ source_name }) => source_name),
      ...Array.from(links.values(), (link) => link.source_name),
    ]),
  ];
}

function delayOf({ t }: View, first: string | undefined, at: string): string {
  const minutes = Math.round((Date.parse(at) - Date.parse(first ?? at)) / MINUTE_MS);
  return t.story.after(t.story.delay(minutes));
}
