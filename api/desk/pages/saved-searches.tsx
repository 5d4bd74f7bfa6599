import { SavedSearchPage, SavedSearchView, SearchMatchPage } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";
import { type Desk, seeOther } from "../desk.tsx";
import { DIRECTIONS } from "../strings/mod.ts";
import { Bdi, directionOf, Dotted, Time } from "../ui/text.tsx";
import type { PageBody, View } from "../view.ts";
import { FILTERS, isAsked, readSearch, searchAddress, type SearchQuery } from "./search-query.ts";

type Kept = z.output<typeof SavedSearchView>;

/** Names the parameters of a search that a kept one has, too. */
const SAVED_PARAMS = ["q", "mode", "match", ...FILTERS] as const;

/** Adds the list of kept searches, the matches of each, and what can be done with them. */
export function addSavedSearches(desk: Desk): void {
  desk.page("/searches", listPage);
  desk.page("/searches/:id{[1-9][0-9]{0,14}}", matchesPage);
  desk.form("/searches", async (view, fields) => {
    const asked = readSearch(new URLSearchParams(fields.get("search") ?? ""));
    const query = Object.fromEntries(
      SAVED_PARAMS.flatMap((name) =>
        asked.values[name] === undefined ? [] : [[name, typedValue(name, asked.values[name])]],
      ),
    );
    const webhook = fields.get("webhook")?.trim() ?? "";
    const notify = { digest: fields.get("digest") ?? "none", ...(webhook !== "" && { webhook }) };
    const body = { name: fields.get("name")?.trim() || asked.q || "—", query, notify };
    const { search_id } = await view.ask(SavedSearchView, "/v1/searches", { body });
    return seeOther(`/searches#search-${search_id}`);
  });
  desk.form("/searches/:id{[1-9][0-9]{0,14}}", async (view, fields) => {
    const path = `/v1/searches/${view.c.req.param("id")}`;
    const act = fields.get("act");
    if (act === "delete") await view.ask(z.undefined(), path, { method: "DELETE" });
    else await view.ask(SavedSearchView, path, { method: "PATCH", body: { active: act === "resume" } });
    return seeOther("/searches");
  });
}

function typedValue(name: string, value: string): string | number {
  return name === "story" ? Number(value) : value;
}

/** Shows a form that keeps a search, folded; nothing where there is nothing to keep. */
export function SaveSearch({ view, asked }: { view: View; asked: SearchQuery }) {
  const { t } = view;
  if (!isAsked(asked)) return null;
  return (
    <details class="facet" id="save">
      <summary class="side-title">{t.search.save}</summary>
      <form method="post" action="/searches" class="stack">
        <p class="small muted">{t.search.saveLead}</p>
        <input type="hidden" name="search" value={searchAddress(asked).replace(/^[^?]*\?/, "")} />
        <label for="save-name">{t.search.name}</label>
        <input id="save-name" name="name" dir="auto" required maxlength={200} value={asked.q} />
        <label for="save-digest">{t.search.tell}</label>
        <select id="save-digest" name="digest">
          {Object.entries(t.search.digests).map(([value, text]) => (
            <option value={value}>{text}</option>
          ))}
        </select>
        <label for="save-webhook">{t.search.webhook}</label>
        <input id="save-webhook" name="webhook" dir="ltr" maxlength={2048} />
        <button type="submit" class="primary">
          {t.search.save}
        </button>
      </form>
      <p>
        <a href="/searches">{t.search.savedSearches}</a>
      </p>
    </details>
  );
}

async function listPage(view: View): Promise<PageBody> {
  const { t } = view;
  const { searches } = await view.ask(SavedSearchPage, "/v1/searches", { query: { limit: 100 } });
  const body = (
    <>
      <h1>{t.search.savedSearches}</h1>
      {searches.length === 0 && <p>{t.search.noSaved}</p>}
      <ul class="plain">
        {searches.map((each) => (
          <li class="entry" id={`search-${each.search_id}`}>
            <h2>
              <a href={`/searches/${each.search_id}`}>
                <Bdi>{each.name}</Bdi>
              </a>
            </h2>
            <p class="muted small">
              <Dotted
                parts={[
                  t.search.matchCount(each.matches),
                  each.last_match_at !== null && (
                    <>
                      {t.search.lastMatch} <Time view={view} at={each.last_match_at} />
                    </>
                  ),
                  !each.active && t.search.paused,
                ]}
              />
            </p>
            <div class="row small">
              <a href={addressOf(each)}>{t.search.openSearch}</a>
              {each.feeds != null && (
                <>
                  <a href={pathOf(each.feeds.atom)}>{t.search.formats.atom}</a>
                  <a href={pathOf(each.feeds.json)}>{t.search.formats.jsonfeed}</a>
                </>
              )}
              <form method="post" action={`/searches/${each.search_id}`} class="row">
                <button class="linklike" type="submit" name="act" value={each.active ? "pause" : "resume"}>
                  {each.active ? t.search.pause : t.search.resume}
                </button>
                <button class="linklike" type="submit" name="act" value="delete">
                  {t.search.delete}
                </button>
              </form>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
  return { title: t.search.savedSearches, body };
}

/** Returns the path of an address of this API. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

function addressOf({ query }: Kept): string {
  const params = new URLSearchParams();
  for (const name of SAVED_PARAMS) if (query[name] != null) params.set(name, String(query[name]));
  return searchAddress(readSearch(params));
}

async function matchesPage(view: View): Promise<PageBody> {
  const { t } = view;
  const path = `/v1/searches/${view.c.req.param("id")}`;
  const cursor = view.url.searchParams.get("cursor") ?? undefined;
  const [kept, page] = await Promise.all([
    view.ask(SavedSearchView, path),
    view.ask(SearchMatchPage, `${path}/matches`, { query: { limit: 30, cursor } }),
  ]);
  const body = (
    <>
      <p class="small">
        <a href="/searches">{t.search.savedSearches}</a>
      </p>
      <h1>
        <Bdi>{kept.name}</Bdi>
      </h1>
      {page.matches.length === 0 && <p>{t.search.noMatches}</p>}
      <ol class="plain">
        {page.matches.map((match) => (
          <li class="entry own" dir={directionOf(match.title, match.lang)}>
            <h2>
              <a href={`/articles/${match.article_id}`}>
                <Bdi lang={match.lang}>{match.title}</Bdi>
              </a>
            </h2>
            <p class="muted small" dir={DIRECTIONS[view.lang]}>
              <Dotted parts={[<Bdi>{match.source}</Bdi>, <Time view={view} at={match.published_at} />]} />
            </p>
          </li>
        ))}
      </ol>
      {page.next_cursor !== null && (
        <a class="button" href={`?cursor=${page.next_cursor}`}>
          {t.common.older}
        </a>
      )}
    </>
  );
  return { title: kept.name, body };
}
