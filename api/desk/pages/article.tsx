import { ArticleView, ChainView, ClaimPage, SimilarArticles } from "@isnad/lib/contract";
import type { z } from "@isnad/lib/service/http";
import type { Child } from "hono/jsx";
import { NUMERIC } from "@isnad/lib/store";
import { RevisionsView } from "../../routes/revisions.ts";
import type { Desk } from "../desk.tsx";
import { ChainDrawing } from "../ui/chain-drawing.tsx";
import { DIRECTIONS } from "../strings/mod.ts";
import { Later } from "../ui/later.tsx";
import { MarkedText } from "../ui/marked-text.tsx";
import { Bdi, directionOf, Dotted, plain, Time } from "../ui/text.tsx";
import { attempt, type PageBody, type View, withQuery } from "../view.ts";

type Article = z.output<typeof ArticleView>;
type Chain = z.output<typeof ChainView>;
type Claims = z.output<typeof ClaimPage>["claims"];

/** Names of an article that are listed beside it. */
const LISTED_ENTITIES = 24;
const LISTED_RELATIONS = 8;
const SIMILAR = 6;

/** Texts of a chain that are drawn; the rest is folded. */
const SHOWN_LINKS = 8;

/** Words that are read in a minute. */
const WORDS_PER_MINUTE = 200;

/** Adds the reading view of an article. */
export function addArticle(desk: Desk): void {
  desk.page("/articles/:id{[1-9][0-9]{0,14}}", articlePage);
}

async function articlePage(view: View): Promise<PageBody> {
  const path = `/v1/articles/${view.c.req.param("id")}`;
  const beside = Promise.all([
    attempt(view.ask(ClaimPage, `${path}/claims`)),
    attempt(view.ask(ChainView, `${path}/chain`)),
    attempt(view.ask(RevisionsView, `${path}/revisions`)),
  ]);
  // Where the article is not there, nobody waits for the rest.
  beside.catch(() => undefined);
  const article = await view.ask(ArticleView, path);
  const { t } = view;
  const { title, lang, content, summary } = article;
  const said = async () => (await beside)[0].value?.claims ?? [];
  const chain = async () => (await beside)[1].value;
  const body = (
    <div class="columns">
      <article class="reading">
        <header class="own" dir={directionOf(title, lang)}>
          <h1 lang={lang ?? undefined}>{plain(title)}</h1>
          <Later view={view} part={async () => <Byline view={view} article={article} chain={await chain()} />} />
          <p class="row">
            <a href={article.url} rel="noopener noreferrer external">
              {t.article.original}
            </a>
            {article.story_id !== null && <a href={`/stories/${article.story_id}`}>{t.article.story}</a>}
            <a href={withQuery("/ask", { article: article.article_id })}>{t.ask.about.article}</a>
          </p>
          <Later
            view={view}
            part={async () => (
              <State view={view} article={article} revisions={(await beside)[2].value?.revisions.length ?? 1} />
            )}
          />
        </header>
        {summary !== null && summary !== "" && (
          <section class="summary" aria-labelledby="summary">
            <h2 id="summary">{t.article.summary}</h2>
            <p dir={directionOf(summary, lang)} lang={lang ?? undefined}>
              {plain(summary)}
            </p>
          </section>
        )}
        <fieldset class="row marks">
          <legend class="small muted">{t.article.marks}</legend>
          {(["entities", "claims", "quotes"] as const).map((kind) => (
            <label class="check">
              <input type="checkbox" name={`show-${kind}`} id={`show-${kind}`} checked />
              <span class={`m-sample m-${kind}`}>{t.article[kind]}</span>
            </label>
          ))}
        </fieldset>
        <Later
          view={view}
          part={async () => (
            <MarkedText
              text={content}
              lang={lang}
              claimWord={t.article.claimMark}
              marks={{
                entities: article.entities.filter(isNamed).map(({ entity_id, name, offsets }) => ({
                  ...{ name, href: withQuery("/search", { entity: entity_id }), offsets },
                })),
                claims: (await said()).map(({ claim_id, offsets }) => ({
                  ...{ id: claim_id, href: hrefOfClaim(view, claim_id), offsets },
                })),
              }}
            />
          )}
        />
      </article>
      <aside class="side">
        <Later
          view={view}
          part={async () => (
            <>
              <ChainSection view={view} chain={await chain()} articleId={article.article_id} />
              <ClaimList view={view} claims={await said()} />
            </>
          )}
        />
        <Entities view={view} article={article} />
        <Relations view={view} article={article} />
        <Later view={view} part={() => similarTo(view, article)} />
      </aside>
    </div>
  );
  return { title: plain(title), body };
}

/** Says who published an article, when, and who wrote it; a chain knows its source's name. */
function Byline({ view, article, chain }: { view: View; article: Article; chain: Chain | undefined }) {
  const { t } = view;
  const own = chain?.links.find(({ article_id }) => article_id === article.article_id);
  return (
    <p class="muted byline" dir={DIRECTIONS[view.lang]}>
      <Dotted
        parts={[
          <a class="quiet strong" href={withQuery("/search", { source: article.source_id })}>
            <Bdi>{own?.source_name ?? article.source_id}</Bdi>
          </a>,
          <Time view={view} at={article.published_at} form="moment" />,
          article.authors.length > 0 && <Bdi>{article.authors.join(t.common.comma)}</Bdi>,
          article.category_id !== null && (t.search.categories[article.category_id] ?? article.category_id),
          t.article.reading(Math.max(1, Math.round(article.content.split(" ").length / WORDS_PER_MINUTE))),
        ]}
      />
    </p>
  );
}

async function similarTo(view: View, { article_id }: Article): Promise<Child> {
  const query = { limit: SIMILAR };
  const { results } = await view.ask(SimilarArticles, `/v1/articles/${article_id}/similar`, { query });
  if (results.length === 0) return null;
  return (
    <section>
      <h2 class="side-title">{view.t.article.similar}</h2>
      <ul class="plain">
        {results.map((each) => (
          <li class="side-item own" dir={directionOf(each.title, each.lang)}>
            <a href={`/articles/${each.article_id}`}>
              <Bdi lang={each.lang}>{each.title}</Bdi>
            </a>
            <div class="muted small" dir={DIRECTIONS[view.lang]}>
              <Dotted parts={[<Bdi>{each.source}</Bdi>, <Time view={view} at={each.published_at} />]} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function State({ view, article, revisions }: { view: View; article: Article; revisions: number }) {
  const { t } = view;
  const { gone_at, state, state_reason, stages, article_id, paywalled } = article;
  const waiting = stages.map(({ name }) => t.article.stages[name] ?? name);
  return (
    <>
      {gone_at !== null && (
        <p class="problem">
          {t.article.gone} {t.article.since} <Time view={view} at={gone_at} form="moment" />.
        </p>
      )}
      {revisions > 1 && (
        <p class="notice">
          <a href={`/articles/${article_id}/revisions`}>{t.article.corrected(revisions - 1)}</a>
        </p>
      )}
      {paywalled && <p class="notice">{t.article.paywalled}</p>}
      {state !== "indexed" && (
        <p class="notice">
          {t.article.states[state]}
          {state_reason !== null && <>: {t.article.reasons[state_reason] ?? <Bdi lang="en">{state_reason}</Bdi>}</>}
        </p>
      )}
      {waiting.length > 0 && <p class="notice small">{t.article.waiting(waiting.join(t.common.comma))}</p>}
    </>
  );
}

/** Returns which texts of a chain are shown at once, by their places: the first ones, and the asked one. */
function shownOf(links: Chain["links"], articleId: number): number[] {
  const first = Array.from(links.keys()).slice(0, SHOWN_LINKS);
  const asked = links.findIndex(({ article_id }) => article_id === articleId);
  return asked < SHOWN_LINKS ? first : [...first.slice(0, -1), asked];
}

/** Shows the chain of an article: the drawing, and each text with what it took from whom. */
function ChainSection({ view, chain, articleId }: { view: View; chain: Chain | undefined; articleId: number }) {
  const { t } = view;
  if (chain === undefined) return null;
  const { links, reports } = chain;
  const indexOf = (from: Chain["links"][number]["from"]): number | null => {
    const at = links.findIndex(
      ({ article_id, url }) =>
        from !== null && (from.article_id === null ? url === from.url : article_id === from.article_id),
    );
    return at < 0 ? null : at;
  };
  const from = (i: number): number | null => indexOf(links[i]?.from ?? null);
  const shown = shownOf(links, articleId);
  const linkAt = (i: number) => {
    const link = links[i];
    if (link === undefined) return null;
    const isAsked = link.article_id === articleId;
    return (
      <ChainLink view={view} link={link} number={i + 1} from={links[from(i) ?? -1]?.source_name} isAsked={isAsked} />
    );
  };
  return (
    <section aria-labelledby="chain" id="chain-section">
      <h2 class="side-title" id="chain">
        {t.article.chain}
      </h2>
      {links.length < 2 ? (
        <p class="muted">{t.article.alone}</p>
      ) : (
        <>
          <p class="muted small">
            {t.article.chainOf(links.length, new Set(links.map(({ source_id }) => source_id)).size)}
          </p>
          <ChainDrawing
            view={view}
            texts={shown.map((i) => ({
              ...{ at: links[i]?.published_at ?? null, number: i + 1, isAsked: links[i]?.article_id === articleId },
              from: from(i) === null ? null : (from(i) ?? 0) + 1,
            }))}
          />
          <ol class="chain">{shown.map(linkAt)}</ol>
          {links.length > shown.length && (
            <details class="small">
              <summary>{t.article.allTexts(links.length)}</summary>
              <ol class="chain">{links.map((_, i) => linkAt(i))}</ol>
            </details>
          )}
        </>
      )}
      {reports.length > 0 && (
        <details>
          <summary>{t.article.others}</summary>
          <ul class="plain">
            {reports.slice(0, 20).map((report) => (
              <li class="side-item own" dir={directionOf(report.title)}>
                <a href={`/articles/${report.article_id}`}>
                  <Bdi>{report.title}</Bdi>
                </a>
                <div class="muted small" dir={DIRECTIONS[view.lang]}>
                  <Dotted parts={[<Bdi>{report.source_name}</Bdi>, <Time view={view} at={report.published_at} />]} />
                </div>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function ChainLink({
  view,
  link,
  number,
  from,
  isAsked,
}: {
  view: View;
  link: Chain["links"][number];
  number: number;
  from: string | undefined;
  isAsked: boolean;
}) {
  const { t } = view;
  const credits = [...new Set(link.credits.map(({ name }) => name))];
  return (
    <li value={number} class={isAsked ? "asked" : undefined}>
      <div>
        <strong>
          <Bdi>{link.source_name}</Bdi>
        </strong>{" "}
        {link.kind === "origin" && number > 1 ? (
          <span class="kind">{t.article.ownText}</span>
        ) : (
          <span class={`kind kind-${link.kind}`}>{t.article.kinds[link.kind]}</span>
        )}
      </div>
      <div class="small muted">
        <Time view={view} at={link.published_at} form="moment" />
      </div>
      {isAsked ? (
        <div class="small">{t.article.thisOne}</div>
      ) : link.article_id === null ? (
        <div class="small">
          <a href={link.url} rel="noopener noreferrer external">
            <Bdi>{link.title}</Bdi>
          </a>
        </div>
      ) : (
        <div class="small">
          <a href={`/articles/${link.article_id}`}>
            <Bdi>{link.title}</Bdi>
          </a>
        </div>
      )}
      {from !== undefined && (
        <div class="small muted">{t.article.sharing(Math.round(link.overlap * 100), plain(from))}</div>
      )}
      {credits.length > 0 && (
        <div class="small muted">
          {t.article.credits} <Bdi>{credits.join(t.common.comma)}</Bdi>
        </div>
      )}
    </li>
  );
}

function ClaimList({ view, claims }: { view: View; claims: Claims }) {
  const { t } = view;
  if (claims.length === 0) return null;
  return (
    <section>
      <h2 class="side-title">{t.article.claims}</h2>
      <ul class="plain">
        {claims.map((claim) => (
          <li class="side-item own" dir={directionOf(claim.text, claim.lang)}>
            <a href={hrefOfClaim(view, claim.claim_id)}>
              <Bdi lang={claim.lang}>{claim.text}</Bdi>
            </a>
            <div class="muted small" dir={DIRECTIONS[view.lang]}>
              <Dotted
                parts={[
                  claim.speaker !== null && (
                    <>
                      {t.article.speaker} <Bdi>{claim.speaker.name}</Bdi>
                    </>
                  ),
                  claim.repeats.count > 1 && t.article.repeats(claim.repeats.count, claim.repeats.sources),
                  ...claim.reviews.map((review) => (
                    <>
                      <Bdi>{review.publisher}</Bdi>:{" "}
                      {review.rating_text !== null ? (
                        <Bdi>{review.rating_text}</Bdi>
                      ) : review.rating === null ? (
                        t.article.unrated
                      ) : (
                        t.article.rated(review.rating)
                      )}
                    </>
                  )),
                ]}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The kinds under which names are listed, by the types of both languages; all others are of the last one. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ PER: "PER", PERS: "PER", OCC: "PER", NORP: "PER", LOC: "LOC", GPE: "LOC", FAC: "LOC", ORG: "ORG" },
};

/** Tells whether an entity is somebody or something: numbers, sums and dates are not marked. */
function isNamed({ type }: Article["entities"][number]): boolean {
  return !NUMERIC.includes(type);
}

function Entities({ view, article }: { view: View; article: Article }) {
  const { t } = view;
  const named = article.entities
    .filter(isNamed)
    .toSorted((a, b) => b.mentions - a.mentions)
    .slice(0, LISTED_ENTITIES);
  if (named.length === 0) return null;
  const groups = Object.entries(t.article.types).map(([kind, label]) => ({
    label,
    entities: named.filter(({ type }) => (KINDS[type] ?? "MISC") === kind),
  }));
  return (
    <section>
      <h2 class="side-title">{t.article.entities}</h2>
      {groups.map(
        ({ label, entities }) =>
          entities.length > 0 && (
            <p>
              <span class="muted small">{label}: </span>
              {entities.map(({ entity_id, name, mentions }, i) => (
                <>
                  {i > 0 && t.common.comma}
                  <a href={withQuery("/search", { entity: entity_id })} title={t.article.mentions(mentions)}>
                    <Bdi>{name}</Bdi>
                  </a>
                </>
              ))}
            </p>
          ),
      )}
    </section>
  );
}

function Relations({ view, article }: { view: View; article: Article }) {
  const shown = article.relations.toSorted((a, b) => b.confidence - a.confidence).slice(0, LISTED_RELATIONS);
  if (shown.length === 0) return null;
  return (
    <section>
      <h2 class="side-title">{view.t.article.relations}</h2>
      <ul class="plain relations">
        {shown.map(({ type, args }) => (
          <li class="side-item">
            <span class="muted small">
              <Bdi>{type}</Bdi>
            </span>{" "}
            {Object.entries(args).map(([role, words]) =>
              typeof words === "string" && words !== "" ? (
                <div>
                  <span class="muted small">{view.t.article.roles[role] ?? <Bdi>{role}</Bdi>}:</span>{" "}
                  <Bdi lang={article.lang}>{words}</Bdi>
                </div>
              ) : null,
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns where a claim is shown: on its page, else in the text that says it. */
function hrefOfClaim(view: View, claimId: number): string {
  return view.has("claims") ? `/claims/${claimId}` : `#claim-${claimId}`;
}
