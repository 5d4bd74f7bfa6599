import { ProfileDraft, RunView, SearchBody, SourcePage, SourceView } from "@isnad/lib/contract";
import { AppError, z } from "@isnad/lib/service/http";
import type { Child } from "hono/jsx";
import { type Desk, seeOther } from "../desk.tsx";
import { Later } from "../ui/later.tsx";
import { Away, Bdi, Dotted, jsonText, plain, Refused, Time } from "../ui/text.tsx";
import { Timeline } from "../ui/timeline.tsx";
import { type Attempt, attempt, type PageBody, type View, withQuery } from "../view.ts";

/** Adds the pages of sources: the list, one source with its runs, a new one with a preview, lists of feeds. */
export function addSources(desk: Desk): void {
  desk.page("/sources", list, { section: "sources" });
  desk.page("/sources.opml", exported);
  desk.form("/sources/import", imported);
  desk.form("/sources/preview", preview);
  desk.form("/sources/new", register);
  desk.page("/sources/:key", one);
  desk.form("/sources/:key", change);
}

/** Holds what the scraper lists of a profile, as far as the desk shows it. */
const Profiles = z.array(
  z.object({
    name: z.string(),
    source: z.object({ id: z.string() }),
    status: z.object({ next_run: z.string().nullable(), warnings: z.array(z.string()) }),
  }),
);
const Runs = z.object({ runs: z.array(RunView) });

/** Days whose articles are drawn for a source. */
const VOLUME_DAYS = 30;
const DAY_MS = 86_400_000;

/** Words that a page shows of what was done, by the name that the address carries. */
const DONE = ["registered", "saved", "queued", "removed"] as const;

async function list(view: View): Promise<PageBody> {
  const { t, url } = view;
  const cursor = url.searchParams.get("cursor") ?? undefined;
  const { sources, next_cursor } = await view.ask(SourcePage, "/v1/sources", { query: { limit: 100, cursor } });
  const body = (
    <>
      <h1>{t.sources.title}</h1>
      <Done view={view} />
      <div class="columns">
        <div>
          {sources.length === 0 && <p>{t.sources.none}</p>}
          <ol class="plain">
            {sources.map((source) => (
              <li class="entry">
                <h2>
                  <a href={pathOf(source)}>
                    <Bdi>{source.name}</Bdi>
                  </a>
                </h2>
                <Standing view={view} source={source} />
                <Acts view={view} source={source} />
              </li>
            ))}
          </ol>
          {next_cursor !== null && (
            <p>
              <a href={withQuery("/sources", { cursor: next_cursor })}>{t.sources.more}</a>
            </p>
          )}
        </div>
        <aside>
          <AddForm view={view} />
          <section>
            <h2>{t.sources.opml}</h2>
            <p>
              <a href="/sources.opml" download="isnad.opml">
                {t.sources.exportOpml}
              </a>
            </p>
            <details>
              <summary>{t.sources.importOpml}</summary>
              <form method="post" action="/sources/import" class="stack" data-island="file">
                <label for="opml">{t.sources.opmlText}</label>
                <textarea id="opml" name="opml" rows={6} dir="ltr" required spellcheck={false} />
                <label hidden>
                  {t.sources.file} <input type="file" accept=".opml,.xml,text/x-opml,text/xml" data-file-for="opml" />
                </label>
                <button type="submit">{t.sources.bringIn}</button>
              </form>
            </details>
          </section>
        </aside>
      </div>
    </>
  );
  return { title: t.sources.title, body };
}

function pathOf({ key }: Pick<SourceView, "key">): string {
  return `/sources/${encodeURIComponent(key)}`;
}

/** Says what was done before this page was led to. */
function Done({ view }: { view: View }) {
  const done = DONE.find((each) => each === view.url.searchParams.get("done"));
  return done === undefined ? null : (
    <p class="notice" role="status">
      {view.t.sources[done]}
    </p>
  );
}

/** Says how a source stands: its pulls, its last article, its volume. */
function Standing({ view, source }: { view: View; source: SourceView }) {
  const { t } = view;
  const { status, provider, last_pull, next_pull, last_article, articles_per_day, volume } = source;
  const providers: Readonly<Record<string, string>> = t.sources.provider;
  const isBad = status === "failing" || status === "silent";
  const unusual =
    volume !== null && volume.state !== "usual" && volume.usual !== null
      ? t.sources.volume[volume.state](volume.last_day, volume.usual)
      : undefined;
  return (
    <>
      <p class="muted">
        <Dotted
          parts={[
            <span class={isBad ? "bad" : undefined}>{t.sources.status[status]}</span>,
            provider !== null && (providers[provider] ?? provider),
            t.sources.perDay(articles_per_day),
            last_article === null ? (
              t.sources.noArticle
            ) : (
              <>
                {t.sources.lastArticle} <Time view={view} at={last_article.at} />
              </>
            ),
            last_pull !== null && (
              <>
                {t.sources.lastPull} <Time view={view} at={last_pull.at} />
              </>
            ),
            next_pull !== null && (
              <>
                {t.sources.nextPull} <Time view={view} at={next_pull} />
              </>
            ),
          ]}
        />
      </p>
      {unusual !== undefined && <p class="bad">{unusual}</p>}
      {last_pull?.error != null && (
        <p class="problem">
          <Bdi lang="en">{last_pull.error}</Bdi>
        </p>
      )}
    </>
  );
}

/** The forms that switch a source off and on, and have it pulled. */
function Acts({ view, source }: { view: View; source: SourceView }) {
  const { t } = view;
  const { active, provider, status } = source;
  // One that is known from its articles alone has nothing to be switched.
  if (provider === null) return null;
  const isPulled = active && provider !== "scraper-push" && status !== "off";
  return (
    <form method="post" action={pathOf(source)} class="row">
      <input type="hidden" name="back" value="list" />
      {isPulled && (
        <button type="submit" name="do" value="pull" aria-label={`${t.sources.pull}: ${plain(source.name)}`}>
          {t.sources.pull}
        </button>
      )}
      <button
        type="submit"
        name="do"
        value={active ? "off" : "on"}
        aria-label={`${active ? t.sources.off : t.sources.on}: ${plain(source.name)}`}
      >
        {active ? t.sources.off : t.sources.on}
      </button>
    </form>
  );
}

function AddForm({ view, address }: { view: View; address?: string | undefined }) {
  const { t } = view;
  return (
    <form method="post" action="/sources/preview" class="stack">
      <h2>{t.sources.add}</h2>
      <label for="address">{t.sources.address}</label>
      <input id="address" name="url" type="url" dir="ltr" required maxlength={2048} value={address} />
      <p class="muted small">{t.sources.addressHint}</p>
      <button type="submit" class="primary">
        {t.sources.look}
      </button>
    </form>
  );
}

async function one(view: View): Promise<PageBody> {
  const { t, c } = view;
  const key = c.req.param("key") ?? "";
  const source = await view.ask(SourceView, `/v1/sources/${encodeURIComponent(key)}`);
  const body = (
    <div class="narrow">
      <p>
        <a href="/sources">{t.sources.back}</a>
      </p>
      <h1>
        <Bdi>{source.name}</Bdi>
      </h1>
      <Done view={view} />
      <Standing view={view} source={source} />
      <p>
        <Dotted
          parts={[
            <a href={withQuery("/search", { source: key, sort: "newest" })}>{t.sources.articles}</a>,
            /^https?:/.test(source.homepage ?? "") && (
              <a href={source.homepage ?? ""} rel="noreferrer">
                {t.sources.home}
              </a>
            ),
          ]}
        />
      </p>
      <Acts view={view} source={source} />
      {source.feed_url != null && (
        <p class="small muted">
          {t.sources.feed}: <code dir="ltr">{source.feed_url}</code>
        </p>
      )}
      <Later view={view} part={() => volumeOf(view, source)} />
      <Later view={view} part={() => crawlsOf(view, key)} />
      <hr />
      <form method="post" action={pathOf(source)} class="stack">
        <label class="check">
          <input type="checkbox" name="sure" value="yes" required /> {t.sources.removeConfirm}
        </label>
        <button type="submit" name="do" value="remove">
          {t.sources.remove}
        </button>
      </form>
    </div>
  );
  return { title: source.name, body };
}

/** Draws how many articles a source brought on each day. */
async function volumeOf(view: View, { key }: SourceView): Promise<Child> {
  const from = new Date(Date.now() - VOLUME_DAYS * DAY_MS).toISOString().slice(0, 10);
  const query = { source: key, from, limit: 1, histogram: "day" };
  const { histogram = [] } = await view.ask(SearchBody, "/v1/search", { query });
  if (histogram.length < 2) return null;
  const hrefOf = (first: string, last: string) => withQuery("/search", { source: key, from: first, to: last });
  return (
    <section>
      <h2>{view.t.sources.volumeTitle}</h2>
      <Timeline view={view} days={histogram} hrefOf={hrefOf} />
    </section>
  );
}

/** Shows the profiles by which the crawler reads a source, each with its runs. */
async function crawlsOf(view: View, key: string): Promise<Child> {
  const profiles = await view.ask(Profiles, "/scraper/profiles");
  const own = profiles.filter((profile) => profile.source.id === key);
  const runs = await Promise.all(
    own.map(({ name }) => attempt(view.ask(Runs, "/scraper/runs", { query: { profile_id: name, limit: 10 } }))),
  );
  return (
    <>
      {own.map((profile, i) => (
        <RunsOf view={view} profile={profile} runs={runs[i]} />
      ))}
    </>
  );
}

/** The last runs of a profile of the crawler. */
function RunsOf({
  view,
  profile: { name, source, status },
  runs,
}: {
  view: View;
  profile: z.output<typeof Profiles>[number];
  runs: Attempt<z.output<typeof Runs>> | undefined;
}) {
  const { t } = view;
  return (
    <section>
      <h2>{t.sources.runs}</h2>
      <p class="muted">
        <Dotted
          parts={[
            <code dir="ltr">{name}</code>,
            status.next_run !== null && (
              <>
                {t.sources.nextRun} <Time view={view} at={status.next_run} />
              </>
            ),
          ]}
        />
      </p>
      {status.warnings.map((warning) => (
        <p class="problem">
          <Bdi lang="en">{warning}</Bdi>
        </p>
      ))}
      <form method="post" action={pathOf({ key: source.id })} class="row">
        <input type="hidden" name="profile" value={name} />
        <button type="submit" name="do" value="run">
          {t.sources.runNow}
        </button>
      </form>
      <ol class="plain small">
        {(runs?.value?.runs ?? []).map(({ created_at, status: how, counts, error }) => (
          <li class="entry">
            <Dotted
              parts={[
                <Time view={view} at={created_at} form="moment" />,
                <span class={how === "failed" ? "bad" : undefined}>{t.sources.runStatus[how]}</span>,
                t.sources.counts(counts.sent, counts.discovered, counts.failed),
              ]}
            />
            {error !== null && (
              <p class="problem">
                <Bdi lang="en">{error}</Bdi>
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const Any = z.unknown();

/** Does what a form of a source asks for. */
async function change(view: View, fields: URLSearchParams): Promise<Response> {
  const key = view.c.req.param("key") ?? "";
  const path = `/v1/sources/${encodeURIComponent(key)}`;
  const back = (done: (typeof DONE)[number]) =>
    seeOther(withQuery(fields.get("back") === "list" ? "/sources" : pathOf({ key }), { done }));
  switch (fields.get("do")) {
    case "on":
    case "off":
      await view.ask(Any, path, { method: "PATCH", body: { active: fields.get("do") === "on" } });
      return back("saved");
    case "pull":
      await view.ask(Any, `${path}/pull`, { method: "POST" });
      return back("queued");
    case "run":
      await view.ask(Any, "/scraper/runs", { body: { profile_id: fields.get("profile") ?? "" } });
      return back("queued");
    case "remove":
      if (fields.get("sure") !== "yes") return seeOther(pathOf({ key }));
      await view.ask(Any, path, { method: "DELETE" });
      return seeOther("/sources?done=removed");
    default:
      throw new AppError("malformed-json", "The form does not say what to do.");
  }
}

/** Looks at a site, and shows what would be registered. */
async function preview(view: View, fields: URLSearchParams): Promise<PageBody> {
  const { t } = view;
  const address = (fields.get("url") ?? "").trim();
  const looked = await attempt(view.ask(ProfileDraft, "/scraper/profiles/draft", { body: { url: address } }));
  const problem = looked.error;
  const body = (
    <div class="narrow">
      <p>
        <a href="/sources">{t.sources.back}</a>
      </p>
      <h1>{t.sources.add}</h1>
      {problem !== undefined && (
        <>
          {problem.errors === undefined ? (
            <Away view={view} detail={problem.message} />
          ) : (
            <Refused view={view} error={problem} names={{ url: t.sources.address }} />
          )}
          <AddForm view={view} address={address} />
        </>
      )}
      {looked.value !== undefined && <Draft view={view} draft={looked.value} />}
    </div>
  );
  return { title: t.sources.add, body, ...(problem !== undefined && { status: 422 as const }) };
}

function Draft({ view, draft }: { view: View; draft: ProfileDraft }) {
  const { t } = view;
  const { name, url, language, feeds, articles, notes, profile } = draft;
  const profileName = typeof profile.name === "string" ? profile.name : name;
  return (
    <>
      <h2>
        <Bdi>{name}</Bdi>
      </h2>
      <p class="muted">
        <Dotted parts={[<bdi dir="ltr">{url}</bdi>, t.common.languages[language]]} />
      </p>
      {feeds.length === 0 ? (
        <p>{t.sources.noFeed}</p>
      ) : (
        <form method="post" action="/sources/new" class="stack">
          <fieldset>
            <legend>{t.sources.feeds}</legend>
            {feeds.map((feed, i) => (
              <label class="check">
                <input type="radio" name="feed_url" value={feed.url} checked={i === 0} />
                <span>
                  <Bdi>{feed.title === "" ? feed.url : feed.title}</Bdi>{" "}
                  <span class="muted small">
                    <bdi dir="ltr">{feed.url}</bdi>, {t.sources.entries(feed.entries)}
                  </span>
                </span>
              </label>
            ))}
          </fieldset>
          <label for="name">{t.sources.name}</label>
          <input id="name" name="name" dir="auto" required maxlength={255} value={name} />
          <label for="key">{t.sources.key}</label>
          <input
            id="key"
            name="key"
            dir="ltr"
            required
            maxlength={128}
            value={profileName}
            aria-describedby="key-hint"
          />
          <p class="muted small" id="key-hint">
            {t.sources.keyHint}
          </p>
          <label for="tier">{t.sources.tier}</label>
          <select id="tier" name="tier">
            {([1, 2, 3] as const).map((tier) => (
              <option value={tier} selected={tier === 3}>
                {t.sources.tiers[tier]}
              </option>
            ))}
          </select>
          <input type="hidden" name="homepage" value={url} />
          <input type="hidden" name="language" value={language} />
          <button type="submit" class="primary">
            {t.sources.register}
          </button>
        </form>
      )}
      <h3>{t.sources.tried}</h3>
      <ul class="plain">
        {articles.map((article) => (
          <li class="entry">
            <Bdi>{article.title === "" ? article.url : article.title}</Bdi>
            <p class="muted small">
              <Dotted
                parts={[
                  article.read_well ? t.sources.readWell : <span class="bad">{t.sources.unread}</span>,
                  article.words > 0 && t.sources.words(article.words),
                  <Time view={view} at={article.published_at} form="date" />,
                  article.why !== null && <Bdi lang="en">{article.why}</Bdi>,
                ]}
              />
            </p>
          </li>
        ))}
      </ul>
      {notes.length > 0 && (
        <>
          <h3>{t.sources.notes}</h3>
          <ul>
            {notes.map((note) => (
              <li>
                <Bdi lang="en">{note}</Bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      <details open={feeds.length === 0}>
        <summary>{t.sources.profile}</summary>
        <p class="muted small">{t.sources.profileHint(profileName)}</p>
        <pre dir="ltr" tabindex={0}>
          {jsonText(profile)}
        </pre>
      </details>
    </>
  );
}

/** Registers the source that a preview proposed. */
async function register(view: View, fields: URLSearchParams): Promise<Response> {
  const text = (name: string): string => (fields.get(name) ?? "").trim();
  const source = await view.ask(SourceView, "/v1/sources", {
    body: {
      ...{ key: text("key"), name: text("name"), feed_url: text("feed_url"), provider: "rss" },
      ...{ homepage: text("homepage") || undefined, language: text("language") || undefined },
      tier: Number(text("tier")),
    },
  });
  return seeOther(withQuery(pathOf(source), { done: "registered" }));
}

async function exported(view: View): Promise<Response> {
  const answer = await view.send("/v1/sources.opml", { accept: "text/x-opml" });
  const headers = new Headers({ "Content-Type": "text/x-opml; charset=utf-8", "Cache-Control": "private, no-store" });
  headers.set("Content-Disposition", 'attachment; filename="isnad.opml"');
  return new Response(answer.body, { status: answer.status, headers });
}

const Imported = z.object({
  created: z.array(z.string()),
  updated: z.array(z.string()),
  refused: z.array(z.object({ title: z.string(), address: z.string(), reason: z.string() })),
});

async function imported(view: View, fields: URLSearchParams): Promise<PageBody> {
  const { t } = view;
  const { created, updated, refused } = await view.ask(Imported, "/v1/sources.opml", {
    body: { opml: fields.get("opml") ?? "" },
  });
  const body = (
    <div class="narrow">
      <p>
        <a href="/sources">{t.sources.back}</a>
      </p>
      <h1>{t.sources.opml}</h1>
      <p role="status">{t.sources.imported(created.length, updated.length, refused.length)}</p>
      <ul>
        {refused.map(({ title, address, reason }) => (
          <li>
            <Bdi>{title}</Bdi> <code dir="ltr">{address}</code>: <Bdi lang="en">{reason}</Bdi>
          </li>
        ))}
      </ul>
    </div>
  );
  return { title: t.sources.opml, body };
}
