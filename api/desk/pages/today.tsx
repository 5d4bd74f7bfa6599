import { ArticleList, ClaimPage, SourcePage, StoryList } from "@isnad/lib/contract";
import type { z } from "@isnad/lib/service/http";
import type { Child } from "hono/jsx";
import type { Desk } from "../desk.tsx";
import { Later } from "../ui/later.tsx";
import { DIRECTIONS } from "../strings/mod.ts";
import { Bdi, directionOf, Dotted, formatTime, Time } from "../ui/text.tsx";
import type { PageBody, View } from "../view.ts";

type Claims = z.output<typeof ClaimPage>["claims"];
type Story = z.output<typeof StoryList>["stories"][number];

/** Stories, claims and sources of the front page. */
const STORIES = 14;
const CLAIMS = 7;
const SOURCES = 200;
const LISTED_SOURCES = 6;

const DAY_MS = 86_400_000;

/** Below so many stories the newest articles follow them. */
const FEW_STORIES = 8;

/** Days before its last article of which an archive without news shows stories. */
const LAST_DAYS = 365;

/** Adds the front page. */
export function addToday(desk: Desk): void {
  desk.page("/", today, { section: "today" });
}

function today(view: View): Promise<PageBody> {
  const { t } = view;
  const body = (
    <>
      <header class="today-head">
        <h1>{t.common.nav.today}</h1>
        <p class="muted">{formatTime(view, new Date().toISOString(), "day")}</p>
      </header>
      <div class="columns">
        <section aria-label={t.story.lead}>
          <Later view={view} part={() => storiesNow(view)} />
        </section>
        <aside class="side">
          <Later view={view} part={() => claimsOfTheDay(view)} />
          <Later view={view} part={() => sourcesToday(view)} />
        </aside>
      </div>
    </>
  );
  return Promise.resolve({ title: t.common.nav.today, body });
}

/** Shows the stories of these days, those that grow most first; of an archive that gets no news, its last ones. */
async function storiesNow(view: View): Promise<Child> {
  const query = { sort: "growth", limit: STORIES };
  const { stories } = await view.ask(StoryList, "/v1/stories", { query });
  if (stories.length >= FEW_STORIES) return <Stories view={view} stories={stories} />;
  const { articles } = await view.ask(ArticleList, "/v1/articles", { query: { limit: STORIES } });
  if (stories.length > 0) {
    const told = new Set(stories.flatMap(({ article_ids }) => article_ids));
    return (
      <>
        <Stories view={view} stories={stories} />
        <Newest view={view} articles={articles.filter(({ article_id }) => !told.has(article_id))} />
      </>
    );
  }
  const last = articles.find(({ published_at }) => published_at !== null)?.published_at;
  if (last == null) return <NoStories view={view} articles={articles} />;
  const from = new Date(Date.parse(last) - LAST_DAYS * DAY_MS).toISOString();
  const before = await view.ask(StoryList, "/v1/stories", {
    query: { sort: "newest", from, to: last, limit: STORIES },
  });
  if (before.stories.length === 0) return <NoStories view={view} articles={articles} />;
  return (
    <>
      <p class="notice">{view.t.story.before}</p>
      <Stories view={view} stories={before.stories} />
    </>
  );
}

function Stories({ view, stories: [lead, ...others] }: { view: View; stories: readonly Story[] }) {
  return (
    <>
      {lead !== undefined && <Lead view={view} story={lead} />}
      <ol class="plain stories">
        {others.map((story) => (
          <li class="entry own" dir={directionOf(story.title)}>
            <h2>
              <a href={`/stories/${story.story_id}`}>
                <Bdi>{story.title}</Bdi>
              </a>
            </h2>
            <StoryLine view={view} story={story} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** Returns the likeliest claims of a day, else the newest ones: those in the page's language first. */
async function claimsToShow({ ask, lang }: View): Promise<{ claims: Claims; areOfToday: boolean }> {
  const from = new Date(Date.now() - DAY_MS).toISOString();
  const listed = async (query: Record<string, string>) => {
    const both = await Promise.all(
      [lang, lang === "ar" ? "en" : "ar"].map((each) =>
        ask(ClaimPage, "/v1/claims", { query: { ...query, lang: each, limit: CLAIMS } }),
      ),
    );
    return both.flatMap(({ claims }) => claims).slice(0, CLAIMS);
  };
  const claims = await listed({ from, sort: "score" });
  if (claims.length > 0) return { claims, areOfToday: true };
  return { claims: await listed({ sort: "newest" }), areOfToday: false };
}

function Lead({ view, story }: { view: View; story: Story }) {
  return (
    <div class="entry own lead-story" dir={directionOf(story.title)}>
      <h2>
        <a href={`/stories/${story.story_id}`}>
          <Bdi>{story.title}</Bdi>
        </a>
      </h2>
      <StoryLine view={view} story={story} />
      {story.entities.length > 0 && (
        <p class="muted" dir={DIRECTIONS[view.lang]}>
          <Dotted parts={story.entities.map(({ name }) => <Bdi>{name}</Bdi>)} />
        </p>
      )}
    </div>
  );
}

/** Says who told a story first, how many told it, and whether it grows. */
function StoryLine({ view, story }: { view: View; story: Story }) {
  const { t } = view;
  const first = story.sources.toSorted((a, b) => Date.parse(a.first_at) - Date.parse(b.first_at))[0];
  return (
    <p class="muted small" dir={DIRECTIONS[view.lang]}>
      <Dotted
        parts={[
          first !== undefined && (
            <>
              {t.story.first} <Bdi>{first.source_name}</Bdi>
            </>
          ),
          first !== undefined && <Time view={view} at={first.first_at} />,
          t.story.facts(story.size, story.sources.length),
          story.growth > 0 && <span class="growing">{t.story.growing(story.growth)}</span>,
        ]}
      />
    </p>
  );
}

type Articles = z.output<typeof ArticleList>["articles"];

/** Says that no two articles tell of one event, and shows the newest; or how an empty archive is filled. */
function NoStories({ view, articles }: { view: View; articles: Articles }) {
  const { t } = view;
  if (articles.length === 0) {
    return (
      <>
        <h2>{t.story.empty}</h2>
        <p>{t.story.emptyLead}</p>
        <pre dir="ltr">bun run demo</pre>
      </>
    );
  }
  return (
    <>
      <p class="muted">{t.story.noStories}</p>
      <Newest view={view} articles={articles} />
    </>
  );
}

function Newest({ view, articles }: { view: View; articles: Articles }) {
  if (articles.length === 0) return null;
  return (
    <section>
      <h2 class="side-title">{view.t.story.newest}</h2>
      <ol class="plain">
        {articles.map((article) => (
          <li class="entry own" dir={directionOf(article.title, article.lang)}>
            <h3>
              <a href={`/articles/${article.article_id}`}>
                <Bdi lang={article.lang}>{article.title}</Bdi>
              </a>
            </h3>
            <p class="muted small" dir={DIRECTIONS[view.lang]}>
              <Dotted parts={[<Bdi>{article.source}</Bdi>, <Time view={view} at={article.published_at} />]} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

async function claimsOfTheDay(view: View): Promise<Child> {
  const { t } = view;
  const { claims, areOfToday } = await claimsToShow(view);
  if (claims.length === 0) return null;
  return (
    <section>
      <h2 class="side-title">{areOfToday ? t.story.claimsToday : t.story.claimsLast}</h2>
      <ul class="plain">
        {claims.map((claim) => (
          <li class="side-item own" dir={directionOf(claim.text, claim.lang)}>
            <a
              class="quiet"
              href={
                view.has("claims")
                  ? `/claims/${claim.claim_id}`
                  : `/articles/${claim.article.article_id}#claim-${claim.claim_id}`
              }
            >
              <Bdi lang={claim.lang}>{claim.text}</Bdi>
            </a>
            <div class="muted small" dir={DIRECTIONS[view.lang]}>
              <Dotted
                parts={[
                  <Bdi>{claim.speaker?.name ?? claim.article.source_id}</Bdi>,
                  claim.repeats.count > 1 && t.article.repeats(claim.repeats.count, claim.repeats.sources),
                  claim.reviews.length > 0 && <span class="growing">{t.story.reviewed}</span>,
                ]}
              />
            </div>
          </li>
        ))}
      </ul>
      {view.has("claims") && (
        <p class="small">
          <a href="/claims">{t.story.allClaims}</a>
        </p>
      )}
    </section>
  );
}

async function sourcesToday(view: View): Promise<Child> {
  const { t } = view;
  const { sources } = await view.ask(SourcePage, "/v1/sources", { query: { limit: SOURCES } });
  const all = sources.filter(({ active, last_article }) => active || last_article !== null);
  const troubled = all.filter(({ status }) => status === "failing" || status === "silent");
  const busy = all
    .filter((source) => !troubled.includes(source) && source.last_article !== null)
    .toSorted((a, b) => Date.parse(b.last_article?.at ?? "") - Date.parse(a.last_article?.at ?? ""));
  return (
    <section>
      <h2 class="side-title">{t.story.sourcesToday}</h2>
      {all.length === 0 && <p class="muted">{t.story.noSources}</p>}
      <ul class="plain">
        {troubled.slice(0, LISTED_SOURCES).map((source) => (
          <li class="side-item">
            <Bdi>{source.name}</Bdi>{" "}
            <span class="alarm small">{source.status === "failing" ? t.story.failing : t.story.silent}</span>
          </li>
        ))}
        {busy.slice(0, LISTED_SOURCES).map((source) => (
          <li class="side-item">
            <a class="quiet" href={`/search?source=${encodeURIComponent(source.key)}`}>
              <Bdi>{source.name}</Bdi>
            </a>
            <div class="muted small">
              <Dotted
                parts={[
                  t.story.perDay(source.articles_per_day),
                  <>
                    {t.story.last} <Time view={view} at={source.last_article?.at ?? null} />
                  </>,
                ]}
              />
            </div>
          </li>
        ))}
      </ul>
      {busy.length > LISTED_SOURCES && <p class="muted small">{t.story.delivering(busy.length)}</p>}
      {view.has("sources") && (
        <p class="small">
          <a href="/sources">{t.story.allSources}</a>
        </p>
      )}
    </section>
  );
}
