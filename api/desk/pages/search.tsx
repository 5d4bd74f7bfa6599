import { SearchBody, type SearchResult, SuggestBody } from "@isnad/lib/contract";
import type { z } from "@isnad/lib/service/http";
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Desk } from "../desk.tsx";
import { SaveSearch } from "./saved-searches.tsx";
import {
  FACETS,
  type FacetName,
  FILTERS,
  isAsked,
  MODES,
  PAGE_SIZE,
  readSearch,
  searchAddress,
  type SearchQuery,
} from "./search-query.ts";
import { DIRECTIONS } from "../strings/mod.ts";
import { Later } from "../ui/later.tsx";
import { Away, Bdi, directionOf, Dotted, Num, plain, Refused, Time } from "../ui/text.tsx";
import { Timeline } from "../ui/timeline.tsx";
import { attempt, type PageBody, type View, withQuery } from "../view.ts";

type Body = z.output<typeof SearchBody>;

/** Values of a facet that are shown. */
const FACET_VALUES = 8;

/** Suggestions under the search field. */
const SUGGESTIONS = 8;

/** Forms in which hits can be taken along, by their media types. */
const FORMATS = { csv: "csv", jsonl: "jsonl", atom: "atom", jsonfeed: "json" } as const;

/** Adds the page of searches, what it suggests while somebody types, and the export of hits. */
export function addSearch(desk: Desk): void {
  desk.page("/search", searchPage, { section: "search" });
  desk.page("/search/suggest", async (view) => {
    const q = view.url.searchParams.get("q") ?? "";
    const { suggestions } =
      q.trim() === ""
        ? { suggestions: [] }
        : await view.ask(SuggestBody, "/v1/suggest", { query: { q: q.slice(0, 512), limit: SUGGESTIONS } });
    const { kinds } = view.t.search;
    return Response.json(suggestions.map(({ text, kind }) => ({ text: plain(text), kind: kinds[kind] })));
  });
  desk.page("/search/export", async (view) => {
    const asked = readSearch(view.url.searchParams);
    const format = view.url.searchParams.get("format") ?? "csv";
    const extension = Object.entries(FORMATS).find(([name]) => name === format)?.[1] ?? "json";
    const answer = await view.send("/v1/search", { query: { ...asked.values, format }, accept: "*/*" });
    const headers = new Headers(answer.headers);
    if (answer.ok) headers.set("Content-Disposition", `attachment; filename="isnad-search.${extension}"`);
    return new Response(answer.body, { status: answer.status, headers });
  });
}

function searchPage(view: View): Promise<PageBody> {
  const asked = readSearch(view.url.searchParams);
  const { t } = view;
  const body = (
    <>
      <h1 class="visually-hidden">{t.search.heading}</h1>
      <SearchForm view={view} asked={asked} />
      <Later view={view} part={() => found(view, asked)} />
    </>
  );
  return Promise.resolve({ title: t.search.title(plain(asked.q)), body });
}

/** Searches, and shows what is found, or which field is wrong and why. */
async function found(view: View, asked: SearchQuery): Promise<Child> {
  const { t } = view;
  const query = {
    ...asked.values,
    ...{ limit: PAGE_SIZE, offset: asked.offset, facets: FACETS.join(","), facet_limit: FACET_VALUES * 2 },
    histogram: "day",
  };
  const { value, error } = await attempt(view.ask(SearchBody, "/v1/search", { query }));
  if (value !== undefined) return <Results view={view} asked={asked} body={value} />;
  if (error.status !== 422) return <Away view={view} detail={error.message} />;
  const { mode, match, order: sort, from, to, grouped: group } = t.search;
  return <Refused view={view} error={error} names={{ q: t.common.searchLabel, mode, match, sort, from, to, group }} />;
}

function SearchForm({ view, asked }: { view: View; asked: SearchQuery }) {
  const { t } = view;
  const { values } = asked;
  return (
    <search>
      <form action="/search" class="search-form" data-island="suggest">
        <div class="search-line">
          <label class="visually-hidden" for="q">
            {t.common.searchLabel}
          </label>
          <input
            id="q"
            class="search-input"
            type="search"
            name="q"
            dir="auto"
            value={asked.q}
            maxlength={512}
            placeholder={t.common.searchLabel}
            autocomplete="off"
          />
          <button type="submit" class="primary">
            {t.common.searchSubmit}
          </button>
        </div>
        <div class="search-options">
          <Choice
            name="sort"
            label={t.search.order}
            options={t.search.orders}
            chosen={values.sort ?? (asked.q === "" ? "newest" : "relevance")}
          />
          <label class="check">
            <input type="checkbox" name="group" value="story" checked={values.group === "story"} /> {t.search.grouped}
          </label>
        </div>
        <details class="more-options" open={["mode", "match", "from", "to"].some((name) => values[name] !== undefined)}>
          <summary>{t.search.moreOptions}</summary>
          <p class="small muted">{t.search.grammar}</p>
          <div class="search-options">
            <Choice
              name="mode"
              label={t.search.mode}
              options={Object.fromEntries(MODES.map((mode) => [mode, t.search.modes[mode]]))}
              chosen={values.mode ?? "hybrid"}
            />
            <Choice name="match" label={t.search.match} options={t.search.matches} chosen={values.match ?? "any"} />
            <DateField name="from" label={t.search.from} value={values.from} />
            <DateField name="to" label={t.search.to} value={values.to} />
          </div>
        </details>
        {FILTERS.filter((name) => name !== "from" && name !== "to").map(
          (name) => values[name] !== undefined && <input type="hidden" name={name} value={values[name]} />,
        )}
      </form>
    </search>
  );
}

function Choice({
  name,
  label,
  options,
  chosen,
}: {
  name: string;
  label: string;
  options: Readonly<Record<string, string>>;
  chosen: string;
}) {
  return (
    <label class="option">
      <span class="small muted">{label}</span>
      <select name={name}>
        {Object.entries(options).map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function DateField({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  return (
    <label class="option">
      <span class="small muted">{label}</span>
      <input type="date" name={name} value={/^\d{4}-\d\d-\d\d/.exec(value ?? "")?.[0]} />
    </label>
  );
}

function Results({ view, asked, body }: { view: View; asked: SearchQuery; body: Body }) {
  const { t } = view;
  const { results, total, meta, facets = {}, histogram = [] } = body;
  const isGrouped = asked.values.group === "story";
  const labels = new Map((facets.source ?? []).map(({ value, label }) => [value, label ?? value]));
  return (
    <div class="columns">
      <div>
        <div class="row result-head">
          <p class="lead" role="status">
            <strong>{isGrouped ? t.search.stories(total) : t.search.hits(total)}</strong>
          </p>
          <p class="row small">
            <a href="#filters">{t.search.filters}</a>
            {isAsked(asked) && <a href="#save">{t.search.save}</a>}
            <a href="#export">{t.search.export}</a>
            <a href={askAddress(asked)}>{t.ask.about.other}</a>
          </p>
        </div>
        <Corrections view={view} asked={asked} meta={meta} />
        {meta.degraded && <p class="notice">{t.search.degraded}</p>}
        <Timeline view={view} days={histogram} hrefOf={(from, to) => searchAddress(asked, { from, to })} />
        {results.length === 0 && <NoHits view={view} isAsked={isAsked(asked)} />}
        <ol class="plain">
          {results.map((hit) => (
            <Hit view={view} hit={hit} source={labels.get(hit.source) ?? hit.source} />
          ))}
        </ol>
        <Pages view={view} asked={asked} shown={results.length} total={total} />
      </div>
      <aside class="side" id="filters" tabindex={-1} aria-label={t.search.filters}>
        <Narrowed view={view} asked={asked} labels={labels} />
        {FACETS.map((name) => (
          <Facet view={view} asked={asked} name={name} values={facets[name] ?? []} />
        ))}
        <SaveSearch view={view} asked={asked} />
        <section id="export" tabindex={-1}>
          <h2 class="side-title">{t.search.export}</h2>
          <ul class="plain">
            {Object.keys(FORMATS).map((format) => (
              <li>
                <a href={searchAddress(asked, { format }, "/search/export")} download>
                  {Object.entries(t.search.formats).find(([name]) => name === format)?.[1]}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </aside>
    </div>
  );
}

/** Says that nothing was found, or that there is nothing yet. */
function NoHits({ view: { t }, isAsked }: { view: View; isAsked: boolean }) {
  if (!isAsked) return <p>{t.story.empty}.</p>;
  return (
    <p>
      {t.search.none} <span class="muted">{t.search.noneHint}</span>
    </p>
  );
}

/** Returns the address at which the articles that pass a search's filters are asked, with its words as a beginning. */
function askAddress({ q, values }: SearchQuery): string {
  const { story, ...limits } = Object.fromEntries(FILTERS.map((name) => [name, values[name]]));
  return withQuery("/ask", { draft: q, ...(story === undefined ? limits : { story }) });
}

function Corrections({ view, asked, meta }: { view: View; asked: SearchQuery; meta: Body["meta"] }) {
  const { t } = view;
  const isReadOtherwise = meta.query !== undefined && meta.query !== asked.q && /[():"]| OR /.test(meta.query);
  if (meta.corrections.length === 0 && !isReadOtherwise) return null;
  return (
    <p class="notice">
      {isReadOtherwise && (
        <>
          {t.search.readAs} <bdi dir="auto">{plain(meta.query ?? "")}</bdi>.{" "}
        </>
      )}
      {meta.corrections.map(({ word, read_as }) => (
        <>{t.search.corrected(plain(word), read_as.map(plain).join(t.common.comma))} </>
      ))}
      {meta.corrections.length > 0 && <a href={searchAddress(asked, { typos: "off" })}>{t.search.exactly}</a>}
    </p>
  );
}

function Hit({ view, hit, source }: { view: View; hit: SearchResult; source: string }) {
  const { t } = view;
  const dir = directionOf(hit.title, hit.lang);
  const [title] = hit.highlights.title ?? [];
  return (
    <li class="entry own" dir={dir}>
      <h2>
        <a href={`/articles/${hit.article_id}`} lang={hit.lang ?? undefined}>
          {title === undefined ? plain(hit.title) : raw(plain(title))}
        </a>
      </h2>
      <p class="muted small" dir={DIRECTIONS[view.lang]}>
        <Dotted
          parts={[
            <a class="quiet" href={withQuery("/search", { source: hit.source })}>
              <Bdi>{source}</Bdi>
            </a>,
            <Time view={view} at={hit.published_at} />,
            hit.category === null ? null : <Bdi>{view.t.search.categories[hit.category] ?? hit.category}</Bdi>,
          ]}
        />
      </p>
      <p class="snippet" dir={directionOf(hit.snippet, hit.lang)} lang={hit.lang ?? undefined}>
        {raw(plain(hit.snippet))}
      </p>
      {hit.story != null && (
        <p class="small" dir={DIRECTIONS[view.lang]}>
          <a href={`/stories/${hit.story.story_id}`}>{t.search.ofStory(hit.story.size, hit.story.sources.length)}</a>
        </p>
      )}
      <details class="small why" dir={DIRECTIONS[view.lang]}>
        <summary>{t.search.why}</summary>
        <p class="muted">
          {hit.bm25_rank !== null && t.search.byWord(hit.bm25_rank)}{" "}
          {hit.knn_rank !== null && t.search.byMeaning(hit.knn_rank)}{" "}
          {hit.bm25_rank === null && hit.knn_rank === null && t.search.byFilter}{" "}
          {fieldsOf(view, hit) !== "" && t.search.inFields(fieldsOf(view, hit))}
        </p>
      </details>
    </li>
  );
}

function fieldsOf({ t }: View, { highlights }: SearchResult): string {
  const marked = Object.keys(highlights).filter((name) => highlights[name]?.some((text) => text.includes("<mark>")));
  return Object.entries(t.search.fields)
    .filter(([name]) => marked.includes(name))
    .map(([, text]) => text)
    .join(t.common.comma);
}

function Pages({ view, asked, shown, total }: { view: View; asked: SearchQuery; shown: number; total: number }) {
  const { t } = view;
  const { offset } = asked;
  const next = offset + PAGE_SIZE;
  if (total <= PAGE_SIZE) return null;
  return (
    <nav class="row pages" aria-label={t.search.page(offset + 1, offset + shown)}>
      {offset > 0 && (
        <a class="button" rel="prev" href={searchAddress(asked, { offset: offset - PAGE_SIZE || undefined })}>
          {t.common.back}
        </a>
      )}
      <span class="muted">{t.search.page(offset + 1, offset + shown)}</span>
      {next < total && next + PAGE_SIZE <= 1_000 && (
        <a class="button" rel="next" href={searchAddress(asked, { offset: next })}>
          {t.common.more}
        </a>
      )}
    </nav>
  );
}

function Narrowed({ view, asked, labels }: { view: View; asked: SearchQuery; labels: ReadonlyMap<string, string> }) {
  const { t } = view;
  const set = FILTERS.filter((name) => asked.values[name] !== undefined);
  if (set.length === 0) return null;
  return (
    <section>
      <h2 class="side-title">{t.search.filtersSet}</h2>
      <ul class="plain">
        {set.map((name) => {
          const value = asked.values[name] ?? "";
          const shown = name === "source" ? (labels.get(value) ?? value) : labelOf(view, name, value);
          return (
            <li class="row">
              <Bdi>{shown}</Bdi>
              <a
                class="small"
                href={searchAddress(asked, { [name]: undefined })}
                aria-label={t.search.remove(plain(shown))}
              >
                {t.search.remove("")}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function labelOf({ t }: View, name: string, value: string): string {
  if (name === "lang") return value === "ar" || value === "en" ? t.common.languages[value] : value;
  if (name === "category") return t.search.categories[value] ?? value;
  if (name === "from" || name === "to") return `${t.search[name]} ${value}`;
  if (name === "story") return `${t.search.story} ${value}`;
  return value;
}

type FacetValues = readonly { value: string; label?: string | undefined; count: number }[];

function Facet({
  view,
  asked,
  name,
  values,
}: {
  view: View;
  asked: SearchQuery;
  name: FacetName;
  values: FacetValues;
}) {
  const { t } = view;
  const shown = values.filter(({ value }) => value !== "").slice(0, FACET_VALUES);
  if (shown.length < 2) return null;
  return (
    <details class="facet" open>
      <summary class="side-title">{t.search.facets[name]}</summary>
      <ul class="plain">
        {shown.map(({ value, label, count }) => (
          <li class="facet-value">
            <a class="quiet" href={searchAddress(asked, { [name]: value })}>
              <Bdi>{label ?? labelOf(view, name, value)}</Bdi>
            </a>
            <span class="muted">
              <Num>{count}</Num>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
