import {
  ClaimDetail,
  ClaimPage,
  ClaimParams,
  MatchResponse,
  NewReview,
  ReviewReceipts,
  ReviewView,
} from "@isnad/lib/contract";
import { claimReview } from "@isnad/lib/claims";
import { type AppError, z } from "@isnad/lib/service/http";
import type { Child } from "hono/jsx";
import { type Desk, seeOther } from "../desk.tsx";
import { DIRECTIONS } from "../strings/mod.ts";
import { Later } from "../ui/later.tsx";
import { Away, Bdi, directionOf, Dotted, formatTime, jsonText, plain, Refused, Time } from "../ui/text.tsx";
import { type Attempt, attempt, type PageBody, type View, withQuery } from "../view.ts";

type Claim = z.output<typeof ClaimPage>["claims"][number];
type Detail = z.output<typeof ClaimDetail>;

/** Adds the pages of claims: the list, one claim with its reviews, what is near to a text. */
export function addClaims(desk: Desk): void {
  desk.page("/claims", list, { section: "claims" });
  desk.form("/claims/match", async (view, fields) => matchPage(view, (fields.get("text") ?? "").trim()));
  desk.page("/claims/:id{[1-9][0-9]{0,14}}", (view) => one(view));
  desk.form("/claims/:id{[1-9][0-9]{0,14}}", review);
}

/** Sets how likely something must be of the same claim to be shown as near to it. */
const MIN_ALIKE = 0.1;

/** Names of the list's parameters that the form sets. */
const FIELDS = ["q", "from", "to", "lang", "reviewed", "sort", "source", "entity", "story"] as const;

type Asked = Readonly<Record<string, string | undefined>>;

async function list(view: View): Promise<PageBody> {
  const { t, url } = view;
  const asked = Object.fromEntries(FIELDS.map((name) => [name, url.searchParams.get(name) || undefined]));
  const cursor = url.searchParams.get("cursor") ?? undefined;
  const query = { ...asked, limit: 30, cursor };
  const found = attempt(view.ask(ClaimPage, "/v1/claims", { query }));
  // What is refused is known before the head is sent; all else is waited for by the list alone.
  const isPlain = cursor === undefined && ClaimParams.safeParse({ ...asked, limit: "30" }).success;
  const status = isPlain ? undefined : (await found).error?.status;
  const body = (
    <>
      <h1>{t.claims.title}</h1>
      <p class="muted">{t.claims.lead}</p>
      <div class="columns">
        <div>
          <nav class="row" aria-label={t.claims.from}>
            {days().map(({ name, from }) => (
              <a
                href={withQuery("/claims", { ...asked, from, to: undefined })}
                aria-current={asked.from === from ? "true" : undefined}
              >
                {t.claims.days[name]}
              </a>
            ))}
          </nav>
          <Later view={view} part={async () => <Listed view={view} asked={asked} found={await found} />} />
        </div>
        <aside class="side" id="filters" tabindex={-1} aria-label={t.search.filters}>
          <Narrow view={view} asked={asked} />
          <MatchForm view={view} text="" />
        </aside>
      </div>
    </>
  );
  return { title: t.claims.title, body, ...(status === 422 && { status }) };
}

/** The claims of a page of the list, or why there are none. */
function Listed({ view, asked, found }: { view: View; asked: Asked; found: Attempt<z.output<typeof ClaimPage>> }) {
  const { t } = view;
  const { claims = [], next_cursor = null } = found.value ?? {};
  const isByTime = asked.sort === "newest";
  const Heading = isByTime ? "h3" : "h2";
  return (
    <>
      <Problem view={view} error={found.error} />
      {found.value !== undefined && claims.length === 0 && <p>{t.claims.none}</p>}
      {byDay(view, claims, isByTime).map(([day, own]) => (
        <>
          {day !== "" && <h2 class="day side-title">{day}</h2>}
          <ol class="plain">
            {own.map((claim) => (
              <li class="entry own" dir={directionOf(claim.text, claim.lang)}>
                <Heading class="claim">
                  <a href={`/claims/${claim.claim_id}`} lang={claim.lang}>
                    {plain(claim.text)}
                  </a>
                </Heading>
                <Said view={view} claim={claim} />
              </li>
            ))}
          </ol>
        </>
      ))}
      {next_cursor !== null && (
        <p>
          <a href={withQuery("/claims", { ...asked, cursor: next_cursor })}>{t.claims.more}</a>
        </p>
      )}
    </>
  );
}

/** Parts a list that goes from day to day at its days; any other is one part without a name. */
function byDay(view: View, claims: readonly Claim[], isByTime: boolean): [string, readonly Claim[]][] {
  if (!isByTime) return [["", claims]];
  const dayOf = ({ article: { published_at } }: Claim): string =>
    published_at === null ? view.t.common.undated : formatTime(view, published_at, "day");
  return [...Map.groupBy(claims, dayOf)];
}

/** Returns the days that a list begins with, as its parameter has them. */
function days() {
  const now = Date.now();
  const day = (ago: number): string => new Date(now - ago * 86_400_000).toISOString().slice(0, 10);
  return [
    { name: "today", from: day(0) },
    { name: "yesterday", from: day(1) },
    { name: "week", from: day(7) },
    { name: "all", from: undefined },
  ] as const;
}

/** Shows why something was not answered: which fields were refused, or what is away. */
function Problem({ view, error }: { view: View; error: Refusal | undefined }) {
  if (error === undefined) return null;
  if (error.errors === undefined) return <Away view={view} detail={error.message} />;
  return <Refused view={view} error={error} names={fieldNames(view)} />;
}

type Refusal = Pick<AppError, "errors" | "message">;

/** Returns what the fields of this page's forms are called. */
function fieldNames({ t }: View): Record<string, string> {
  const { words: q, from, to, language: lang, queue: reviewed, sort, matchText: text, publisher } = t.claims;
  const { ratingLabel: rating, ratingWords: rating_text, address: url, claimant } = t.claims;
  return { q, from, to, lang, reviewed, sort, text, publisher, rating, rating_text, url, claimant };
}

/** The line under a claim: who said it, where, how often, and how it was rated. */
function Said({ view, claim }: { view: View; claim: Claim }) {
  const { t } = view;
  const { article, speaker, repeats, reviews } = claim;
  return (
    <p class="muted small" dir={DIRECTIONS[view.lang]}>
      <Dotted
        parts={[
          speaker !== null && (
            <>
              {t.claims.by} <Bdi>{speaker.name}</Bdi>
            </>
          ),
          <a href={`/articles/${article.article_id}`}>
            <Bdi>{article.source_id}</Bdi>
          </a>,
          <Time view={view} at={article.published_at} />,
          repeats.count > 1 && t.claims.said(repeats.count, repeats.sources),
          article.withdrawn && <span class="bad">{t.claims.withdrawn}</span>,
          ...reviews.slice(0, 3).map((each) => (
            <strong>
              <Bdi>{each.rating_text ?? rated(view, each.rating)}</Bdi> (<Bdi>{each.publisher}</Bdi>)
            </strong>
          )),
        ]}
      />
    </p>
  );
}

function rated({ t }: View, rating: number | null): string {
  return rating === null ? t.claims.unrated : t.claims.rating(rating);
}

/** Returns the day that a field of days shows. */
function dayOf(time: string | undefined): string | undefined {
  return /^\d{4}-\d\d-\d\d/.exec(time ?? "")?.[0];
}

/** The form that narrows the list. */
function Narrow({ view, asked }: { view: View; asked: Asked }) {
  const { t } = view;
  const option = (name: string, value: string, text: string) => (
    <option value={value} selected={(asked[name] ?? "") === value}>
      {text}
    </option>
  );
  return (
    <form action="/claims" class="stack">
      <label for="claims-q">{t.claims.words}</label>
      <input id="claims-q" type="search" name="q" dir="auto" maxlength={512} value={asked.q} />
      <label for="claims-from">{t.claims.from}</label>
      <input id="claims-from" type="date" name="from" value={dayOf(asked.from)} />
      <label for="claims-to">{t.claims.to}</label>
      <input id="claims-to" type="date" name="to" value={dayOf(asked.to)} />
      <label for="claims-lang">{t.claims.language}</label>
      <select id="claims-lang" name="lang">
        {option("lang", "", t.claims.any)}
        {option("lang", "ar", t.common.languages.ar)}
        {option("lang", "en", t.common.languages.en)}
      </select>
      <label for="claims-reviewed">{t.claims.queue}</label>
      <select id="claims-reviewed" name="reviewed">
        {option("reviewed", "", t.claims.states.all)}
        {option("reviewed", "false", t.claims.states.open)}
        {option("reviewed", "true", t.claims.states.reviewed)}
      </select>
      <label for="claims-sort">{t.claims.sort}</label>
      <select id="claims-sort" name="sort">
        {(["score", "newest", "repeats"] as const).map((sort) => option("sort", sort, t.claims.sorts[sort]))}
      </select>
      <label for="claims-entity">{t.claims.named}</label>
      <input id="claims-entity" name="entity" dir="auto" maxlength={512} value={asked.entity} />
      {(["source", "story"] as const).map(
        (name) => asked[name] !== undefined && <input type="hidden" name={name} value={asked[name]} />,
      )}
      <button type="submit">{t.claims.show}</button>
    </form>
  );
}

function MatchForm({ view, text }: { view: View; text: string }) {
  const { t } = view;
  return (
    <form method="post" action="/claims/match" class="stack">
      <h2>{t.claims.match}</h2>
      <p class="muted small">{t.claims.matchLead}</p>
      <label for="match-text">{t.claims.matchText}</label>
      <textarea id="match-text" name="text" rows={3} dir="auto" required maxlength={2000}>
        {text}
      </textarea>
      <button type="submit">{t.claims.matchSubmit}</button>
    </form>
  );
}

async function matchPage(view: View, text: string): Promise<PageBody> {
  const { t } = view;
  const matched = await attempt(view.ask(MatchResponse, "/v1/claims/match", { body: { text, k: 10 } }));
  const body = (
    <div class="narrow">
      <p>
        <a href="/claims">{t.claims.back}</a>
      </p>
      <h1>{t.claims.match}</h1>
      <MatchForm view={view} text={text} />
      <Problem view={view} error={matched.error} />
      <Near view={view} near={matched.value?.results[0]} />
    </div>
  );
  return { title: t.claims.match, body, ...(matched.error?.status === 422 && { status: 422 as const }) };
}

async function nearTo(view: View, { text, claim_id }: Detail): Promise<Child> {
  const { results } = await view.ask(MatchResponse, "/v1/claims/match", { body: { text, k: 5 } });
  return <Near view={view} near={results[0]} without={claim_id} />;
}

/** Shows the reviews and claims near to a text. */
function Near({
  view,
  near,
  without,
}: {
  view: View;
  near: MatchResponse["results"][number] | undefined;
  without?: number;
}) {
  const { t } = view;
  if (near === undefined) return null;
  const isNear = ({ same, similarity }: { same: boolean; similarity: number }) => same || similarity >= MIN_ALIKE;
  const claims = near.claims.filter((each) => each.claim_id !== without && isNear(each));
  const reviews = near.reviews.filter(isNear);
  if (reviews.length === 0 && claims.length === 0) return <p class="muted">{t.claims.nearNone}</p>;
  const alike = ({ same, similarity }: { same: boolean; similarity: number }) => (
    <>{same ? <strong>{t.claims.same}</strong> : t.claims.alike(similarity)}</>
  );
  return (
    <ol class="plain">
      {reviews.map((each) => (
        <li class="entry">
          <Bdi>{each.claim_text}</Bdi>
          <p class="muted small">
            <Dotted
              parts={[
                <strong>
                  <Bdi>{each.rating_text ?? rated(view, each.rating)}</Bdi>
                </strong>,
                <Publisher name={each.publisher} url={each.url} />,
                alike(each),
              ]}
            />
          </p>
        </li>
      ))}
      {claims.map((each) => (
        <li class="entry">
          <a href={`/claims/${each.claim_id}`}>
            <Bdi lang={each.lang}>{each.text}</Bdi>
          </a>
          <p class="muted small">{alike(each)}</p>
        </li>
      ))}
    </ol>
  );
}

/** Names who reviewed, with the address of the review where it has one that can be followed. */
function Publisher({ name, url }: { name: string; url: string | null }) {
  return /^https?:/.test(url ?? "") ? (
    <a href={url ?? ""} rel="noopener noreferrer external">
      <Bdi>{name}</Bdi>
    </a>
  ) : (
    <Bdi>{name}</Bdi>
  );
}

/** Holds what a form of a review was filled with, and what it would be as a ClaimReview. */
type Written = { fields?: URLSearchParams; problem?: Refusal; preview?: unknown };

async function one(view: View, written: Written = {}): Promise<PageBody> {
  const { t, c, url } = view;
  const claim = await view.ask(ClaimDetail, `/v1/claims/${c.req.param("id")}`);
  const done = (["stored", "existing", "removed"] as const).find((each) => each === url.searchParams.get("done"));
  const body = (
    <>
      <p>
        <a href="/claims">{t.claims.back}</a>
      </p>
      <header class="own" dir={directionOf(claim.text, claim.lang)}>
        <h1 class="claim" lang={claim.lang}>
          {plain(claim.text)}
        </h1>
        <Said view={view} claim={claim} />
      </header>
      {done !== undefined && (
        <p class="notice" role="status">
          {t.claims[done]}
        </p>
      )}
      <div class="columns even">
        <div>
          <section>
            <h2>{t.claims.reviews}</h2>
            <Reviews view={view} claim={claim} />
          </section>
          <section>
            <h2>{t.claims.where}</h2>
            <ol class="plain">
              {claim.mentions.map(({ text, lang, speaker, article }) => (
                <li class="entry own" dir={directionOf(text, lang)}>
                  <a href={`/articles/${article.article_id}`}>
                    <Bdi lang={lang}>{article.title}</Bdi>
                  </a>
                  <p lang={lang}>{plain(text)}</p>
                  <p class="muted small" dir={DIRECTIONS[view.lang]}>
                    <Dotted
                      parts={[
                        <Bdi>{article.source_id}</Bdi>,
                        <Time view={view} at={article.published_at} />,
                        speaker !== null && (
                          <>
                            {t.claims.by} <Bdi>{speaker}</Bdi>
                          </>
                        ),
                      ]}
                    />
                  </p>
                </li>
              ))}
            </ol>
          </section>
        </div>
        <div>
          <ReviewForm view={view} claim={claim} written={written} />
          <section>
            <h2>{t.claims.near}</h2>
            <Later view={view} part={() => nearTo(view, claim)} />
          </section>
        </div>
      </div>
    </>
  );
  return { title: plain(claim.text), body, ...(written.problem !== undefined && { status: 422 as const }) };
}

function Reviews({ view, claim }: { view: View; claim: Detail }) {
  const { t } = view;
  if (claim.reviews.length === 0) return <p class="muted">{t.claims.noReviews}</p>;
  return (
    <ol class="plain">
      {claim.reviews.map((each) => (
        <li class="entry">
          <strong>
            <Bdi>{each.rating_text ?? rated(view, each.rating)}</Bdi>
          </strong>
          <p class="muted small">
            <Dotted
              parts={[
                <Publisher name={each.publisher} url={each.url} />,
                each.rating !== null && each.rating_text !== null && t.claims.rating(each.rating),
                t.claims.alike(each.similarity),
                <a href={`/v1/reviews/${each.review_id}`} type="application/ld+json">
                  {t.claims.jsonLd}
                </a>,
              ]}
            />
          </p>
          <form method="post" action={`/claims/${claim.claim_id}`}>
            <input type="hidden" name="review" value={String(each.review_id)} />
            <button
              type="submit"
              class="linklike small"
              name="do"
              value="remove"
              aria-label={`${t.claims.remove}: ${plain(each.publisher)}`}
            >
              {t.claims.remove}
            </button>
          </form>
        </li>
      ))}
    </ol>
  );
}

const RATINGS = ["1", "2", "3", "4", "5"] as const;

/** The form that writes a review, with what search engines would read of it. */
function ReviewForm({ view, claim, written }: { view: View; claim: Detail; written: Written }) {
  const { t } = view;
  const { fields, problem, preview } = written;
  const value = (name: string): string => fields?.get(name) ?? "";
  const chosen = fields?.get("rating") ?? "1";
  return (
    <form method="post" action={`/claims/${claim.claim_id}`} class="stack">
      <h2>{t.claims.write}</h2>
      <Problem view={view} error={problem} />
      <label for="publisher">{t.claims.publisher}</label>
      <input id="publisher" name="publisher" dir="auto" required maxlength={255} value={value("publisher")} />
      <fieldset>
        <legend>{t.claims.ratingLabel}</legend>
        <div class="row">
          {RATINGS.map((rating) => (
            <label class="check">
              <input type="radio" name="rating" value={rating} checked={chosen === rating} /> {t.claims.ratings[rating]}
            </label>
          ))}
          <label class="check">
            <input type="radio" name="rating" value="" checked={chosen === ""} /> {t.claims.ratings.none}
          </label>
        </div>
      </fieldset>
      <label for="rating_text">{t.claims.ratingWords}</label>
      <input
        id="rating_text"
        name="rating_text"
        dir="auto"
        maxlength={255}
        value={value("rating_text")}
        aria-describedby="rating-hint"
      />
      <p class="muted small" id="rating-hint">
        {t.claims.ratingHint}
      </p>
      <label for="url">{t.claims.address}</label>
      <input id="url" name="url" type="url" dir="ltr" maxlength={2048} value={value("url")} />
      <label for="claimant">{t.claims.claimant}</label>
      <input
        id="claimant"
        name="claimant"
        dir="auto"
        maxlength={255}
        value={fields === undefined ? claim.speaker?.name : value("claimant")}
      />
      <p class="row">
        <button type="submit" name="do" value="save" class="primary">
          {t.claims.save}
        </button>
        <button type="submit" name="do" value="preview">
          {t.claims.preview}
        </button>
      </p>
      {preview !== undefined && (
        <section>
          <h3>{t.claims.previewTitle}</h3>
          <p class="muted small">{t.claims.previewLead}</p>
          <pre dir="ltr" tabindex={0}>
            {jsonText(preview)}
          </pre>
        </section>
      )}
    </form>
  );
}

/** Stores a review of a claim, shows what it would be, or deletes one. */
async function review(view: View, fields: URLSearchParams): Promise<PageBody | Response> {
  const id = Number(view.c.req.param("id"));
  const back = (done: string) => seeOther(withQuery(`/claims/${id}`, { done }));
  if (fields.get("do") === "remove") {
    const given = Number(fields.get("review"));
    await view.ask(z.unknown(), `/v1/reviews/${Number.isSafeInteger(given) ? given : 0}`, { method: "DELETE" });
    return back("removed");
  }
  const text = (name: string): string | undefined => fields.get(name)?.trim() || undefined;
  const rating = text("rating");
  const body = {
    claim_id: id,
    ...{ publisher: text("publisher") ?? "", rating: rating === undefined ? null : Number(rating) },
    ...{ rating_text: text("rating_text"), url: text("url"), claimant: text("claimant") },
  };
  if (fields.get("do") !== "save") return await preview(view, body, fields);
  const stored = await attempt(view.ask(z.union([ReviewView, ReviewReceipts]), "/v1/reviews", { body }));
  if (stored.error === undefined) return back("stored");
  return await one(view, { fields, problem: stored.error });
}

async function preview(view: View, body: unknown, fields: URLSearchParams): Promise<PageBody> {
  const checked = NewReview.safeParse(body);
  if (!checked.success) {
    const issues = Map.groupBy(checked.error.issues, ({ path }) => path.join("."));
    const errors = Object.fromEntries(Array.from(issues, ([field, all]) => [field, all.map(({ message }) => message)]));
    return await one(view, { fields, problem: { errors, message: "" } });
  }
  const { claim_id = null, rating = null, rating_text = null, url = null, publisher, claimant } = checked.data;
  const claim = await view.ask(ClaimDetail, `/v1/claims/${view.c.req.param("id")}`);
  const now = new Date().toISOString();
  const written = {
    ...{ reviewId: 0, claimId: claim_id, claimText: claim.text, lang: claim.lang, rating, ratingText: rating_text },
    ...{ url, publisher, publishedAt: now, createdAt: now, updatedAt: now, origin: "desk" as const },
    item: claimant == null ? null : { name: claimant },
  };
  const articles = claim.mentions.map(({ article }) => ({
    ...{ url: new URL(`/articles/${article.article_id}`, view.url).href, name: article.title },
    ...(article.published_at !== null && { datePublished: article.published_at.slice(0, 10) }),
  }));
  const home = new URL("/v1/reviews/0", view.url).href;
  return await one(view, { fields, preview: claimReview(written, { home, articles }) });
}
