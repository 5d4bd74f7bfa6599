import { ArticleView } from "@isnad/lib/contract";
import type { z } from "@isnad/lib/service/http";
import { sentences } from "@isnad/lib/text";
import { RevisionsView } from "../../routes/revisions.ts";
import type { Desk } from "../desk.tsx";
import { Bdi, directionOf, plain, Time } from "../ui/text.tsx";
import type { PageBody, View } from "../view.ts";

type Revision = z.output<typeof RevisionsView>["revisions"][number];

/** Adds the page of an article's revisions: two texts side by side, what only one has marked. */
export function addRevisionsPage(desk: Desk): void {
  desk.page("/articles/:id{[1-9][0-9]{0,14}}/revisions", revisionsPage);
}

async function revisionsPage(view: View): Promise<PageBody> {
  const path = `/v1/articles/${view.c.req.param("id")}`;
  const [article, { revisions }] = await Promise.all([
    view.ask(ArticleView, path),
    view.ask(RevisionsView, `${path}/revisions`, { query: { limit: 25 } }),
  ]);
  const { t } = view;
  const pairs = revisions.map((after, i) => ({
    after,
    before: revisions.slice(i + 1).find(({ content }) => content !== null),
  }));
  const body = (
    <>
      <p class="small">
        <a href={`/articles/${article.article_id}`}>
          <Bdi lang={article.lang}>{article.title}</Bdi>
        </a>
      </p>
      <h1>{t.article.revisions}</h1>
      <p class="muted">{revisions.length < 2 ? t.article.noRevisions : t.article.revisionsLead}</p>
      {pairs.map(({ after, before }) => (
        <Change view={view} after={after} before={before} lang={article.lang} />
      ))}
    </>
  );
  return { title: `${t.article.revisions} · ${plain(article.title)}`, body };
}

function Change({
  view,
  after,
  before,
  lang,
}: {
  view: View;
  after: Revision;
  before: Revision | undefined;
  lang: string | null;
}) {
  const { t } = view;
  const { difference } = after;
  return (
    <section class="entry">
      <h2>
        {after.kind === "stored" ? t.article.stored : after.kind === "changed" ? t.article.changed : t.article.removed}{" "}
        <span class="muted small">
          <Time view={view} at={after.at} form="moment" />
        </span>
      </h2>
      {difference !== null && before?.content != null && after.content !== null && (
        <>
          <p class="muted small">{t.article.unchanged(difference.unchanged)}</p>
          {difference.title !== null && (
            <div class="columns even">
              <p dir={directionOf(difference.title.before, lang)}>
                <del>{plain(difference.title.before)}</del>
              </p>
              <p dir={directionOf(difference.title.after, lang)}>
                <ins>{plain(difference.title.after)}</ins>
              </p>
            </div>
          )}
          <div class="columns even">
            <Side
              heading={t.article.before}
              text={before.content}
              lang={lang}
              changed={textsOf(difference.sentences, "removed")}
              mark="del"
            />
            <Side
              heading={t.article.after}
              text={after.content}
              lang={lang}
              changed={textsOf(difference.sentences, "added")}
              mark="ins"
            />
          </div>
        </>
      )}
    </section>
  );
}

type Sentences = NonNullable<Revision["difference"]>["sentences"];

function textsOf(all: Sentences, change: "removed" | "added"): ReadonlySet<string> {
  return new Set(all.filter((each) => each.change === change).map(({ text }) => text.trim()));
}

/** Shows a text whose changed sentences are marked. */
function Side({
  heading,
  text,
  lang,
  changed,
  mark,
}: {
  heading: string;
  text: string;
  lang: string | null;
  changed: ReadonlySet<string>;
  mark: "ins" | "del";
}) {
  const points = Array.from(text);
  return (
    <div>
      <h3>{heading}</h3>
      <p dir={directionOf(text, lang)} lang={lang ?? undefined}>
        {sentences(text).map(({ start, end }) => {
          const sentence = points.slice(start, end).join("");
          if (!changed.has(sentence.trim())) return <>{plain(sentence)} </>;
          return mark === "ins" ? (
            <>
              <ins>{plain(sentence)}</ins>{" "}
            </>
          ) : (
            <>
              <del>{plain(sentence)}</del>{" "}
            </>
          );
        })}
      </p>
    </div>
  );
}
