import { type ServiceState, StackState } from "@isnad/lib/contract";
import { sizeText } from "@isnad/lib/std";
import type { Child } from "hono/jsx";
import type { Desk } from "../desk.tsx";
import { Later } from "../ui/later.tsx";
import { Bdi, Num, Time } from "../ui/text.tsx";
import type { PageBody, View } from "../view.ts";

/** Less than this share of a disk that is free is little. */
const DISK_LITTLE = 0.05;

/** Adds the page that says whether all is well. */
export function addState(desk: Desk): void {
  desk.page("/state", state, { section: "state" });
}

/** Waits for nobody: a service that is away takes seconds to be known as such. */
function state(view: View): Promise<PageBody> {
  return Promise.resolve({ title: view.t.state.title, body: <Later view={view} part={() => standing(view)} /> });
}

async function standing(view: View): Promise<Child> {
  const { t } = view;
  const stack = await view.ask(StackState, "/v1/state");
  const needs = needsOf(view, stack);
  return (
    <>
      <h1>{needs.length === 0 ? t.state.well : t.state.needs(needs.length)}</h1>
      <p class="muted">
        {needs.length === 0 && `${t.state.wellLead} `}
        {t.state.asOf} <Time view={view} at={new Date().toISOString()} form="moment" />
      </p>
      {needs.length > 0 && <ul class="plain needs">{needs}</ul>}
      <div class="columns even">
        <Services view={view} services={stack.services} />
        <Work view={view} stack={stack} />
        <Indexes view={view} stack={stack} />
        <Storage view={view} stack={stack} />
        <Keys view={view} stack={stack} />
        <Models view={view} services={stack.services} />
      </div>
    </>
  );
}

/** Lists what somebody should see to, each with what to do. */
function needsOf(view: View, { services, stages, indexes, sources, storage }: StackState): Child[] {
  const { t } = view;
  const texts = t.state;
  const reasons: Readonly<Record<string, string>> = texts.reasons;
  const needs: Child[] = services.flatMap(({ name, status, failing }) => {
    if (status === "away") {
      return [<Need what={`${texts.service[name]}: ${texts.status.away}`}>{texts.serviceAway}</Need>];
    }
    return failing.map(({ name: dependency, reason }) => (
      <Need what={`${texts.service[name]}: ${texts.cannotUse}`} subject={dependency}>
        {reasons[reason ?? ""] ?? <Command text={texts.doctor}>bun run doctor --problems</Command>}
      </Need>
    ));
  });
  for (const { stage, set_aside } of stages) {
    if (set_aside === 0) continue;
    needs.push(
      <Need what={texts.givenUpOf(set_aside, stageName(view, stage))}>
        <Command text={texts.retry}>{`bun run articles:retry --stage ${stage}`}</Command>
      </Need>,
    );
  }
  for (const { name, state: how, reason } of indexes) {
    if (how !== "failing" && how !== "silent") continue;
    needs.push(
      <Need what={`${texts.index}: ${texts.indexState[how]}`} subject={name}>
        {reason !== null && <Bdi lang="en">{reason}</Bdi>} {texts.indexHint}
      </Need>,
    );
  }
  const { disk_free_bytes: free, disk_bytes: all } = storage;
  if (free !== null && all !== null && free < all * DISK_LITTLE) {
    needs.push(<Need what={texts.diskLittle}>{texts.diskHint}</Need>);
  }
  for (const [count, what] of [
    [sources.quiet, texts.quiet],
    [sources.doubled, texts.doubled],
  ] as const) {
    if (count > 0) {
      needs.push(
        <Need what={what(count)}>
          <a href="/sources">{texts.lookAtSources}</a>
        </Need>,
      );
    }
  }
  return needs;
}

function Need({ what, subject, children }: { what: string; subject?: string; children?: Child }) {
  return (
    <li class="problem">
      <strong>{what}</strong>
      {subject !== undefined && (
        <>
          {" "}
          <code dir="ltr">{subject}</code>
        </>
      )}
      <br />
      <span class="muted">{children}</span>
    </li>
  );
}

/** Shows a command that an operator may run. */
function Command({ text, children }: { text: string; children: string }) {
  return (
    <>
      {text} <code dir="ltr">{children}</code>
    </>
  );
}

function Services({ view, services }: { view: View; services: readonly ServiceState[] }) {
  const { t } = view;
  return (
    <section>
      <h2>{t.state.services}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.state.services}</th>
            <th scope="col">{t.state.title}</th>
            <th scope="col">{t.state.version}</th>
          </tr>
        </thead>
        <tbody>
          {services.map(({ name, status, version, failing }) => (
            <tr>
              <th scope="row">{t.state.service[name]}</th>
              <td>
                <span class={status === "ok" ? "good" : "bad"}>{t.state.status[status]}</span>
                {failing.map(({ name: dependency }) => (
                  <>
                    <br />
                    <code dir="ltr">{dependency}</code>
                  </>
                ))}
              </td>
              <td class="muted">
                <span dir="ltr">{version?.split("+")[0] ?? "–"}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Returns what a stage does, in words; its name where it has none. */
function stageName({ t }: View, stage: string): string {
  return t.article.stages[stage] ?? stage;
}

function Work({ view, stack }: { view: View; stack: StackState }) {
  const { t } = view;
  const { articles, stages, set_aside } = stack;
  return (
    <section>
      <h2>{t.state.work}</h2>
      <p>{articles.pending === 0 && stages.length === 0 ? t.state.none : t.state.pending(articles.pending)}</p>
      {stages.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t.state.stage}</th>
              <th scope="col">{t.state.waiting}</th>
              <th scope="col">{t.state.givenUp}</th>
            </tr>
          </thead>
          <tbody>
            {stages.map(({ stage, waiting, set_aside: givenUp }) => (
              <tr>
                <th scope="row">{stageName(view, stage)}</th>
                <td>
                  <Num>{waiting}</Num>
                </td>
                <td class={givenUp > 0 ? "bad" : undefined}>
                  <Num>{givenUp}</Num>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {set_aside.length > 0 && (
        <ul class="plain small given-up">
          {set_aside.map(({ article_id, stage, reason, at }) => (
            <li>
              <a href={`/articles/${article_id}`}>{t.state.article(article_id)}</a>, {stageName(view, stage)},{" "}
              <Time view={view} at={at} />: <Bdi lang="en">{reason ?? t.state.noReason}</Bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Indexes({ view, stack: { indexes } }: { view: View; stack: StackState }) {
  const { t } = view;
  return (
    <section>
      <h2>{t.state.indexes}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.state.index}</th>
            <th scope="col">{t.state.title}</th>
          </tr>
        </thead>
        <tbody>
          {indexes.map(({ name, state: how, behind }) => (
            <tr>
              <th scope="row">
                <code dir="ltr">{name}</code>
              </th>
              <td>
                <span class={how === "failing" || how === "silent" ? "bad" : "good"}>{t.state.indexState[how]}</span>
                {behind > 0 && (
                  <>
                    <br />
                    <span class="muted">{t.state.behind(behind)}</span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Storage({ view, stack: { articles, storage } }: { view: View; stack: StackState }) {
  const { t } = view;
  const { database_bytes, disk_free_bytes: free, disk_bytes: all } = storage;
  return (
    <section>
      <h2>{t.state.storage}</h2>
      <table>
        <tbody>
          <tr>
            <th scope="row">{t.state.articles}</th>
            <td>
              <Num>{articles.stored}</Num>
            </td>
          </tr>
          <tr>
            <th scope="row">{t.state.database}</th>
            <td>
              <bdi dir="ltr">{sizeText(database_bytes)}</bdi>
            </td>
          </tr>
          {free !== null && all !== null && (
            <tr>
              <th scope="row">{t.state.disk}</th>
              <td>{t.state.free(`\u2066${sizeText(free)}\u2069`, `\u2066${sizeText(all)}\u2069`)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function Keys({ view, stack: { keys } }: { view: View; stack: StackState }) {
  const { t } = view;
  return (
    <section>
      <h2>{t.state.keys}</h2>
      {keys.length === 0 ? (
        <p>{t.state.noKeys}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t.state.name}</th>
              <th scope="col">{t.state.scopes}</th>
              <th scope="col">{t.state.lastUsed}</th>
              <th scope="col">{t.state.expires}</th>
            </tr>
          </thead>
          <tbody>
            {keys.map(({ name, scopes, last_used_at, expires_at }) => (
              <tr>
                <th scope="row">
                  <Bdi>{name}</Bdi>
                </th>
                <td>
                  <span dir="ltr">{scopes.join(", ")}</span>
                </td>
                <td>{last_used_at === null ? t.state.never : <Time view={view} at={last_used_at} />}</td>
                <td>{expires_at === null ? t.state.never : <Time view={view} at={expires_at} form="date" />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="small muted">
        <Command text={t.state.keyHow}>bun run keys create --name NAME --scope read,desk</Command>
      </p>
    </section>
  );
}

function Models({ view, services }: { view: View; services: readonly ServiceState[] }) {
  const { t } = view;
  const kinds: Readonly<Record<string, string>> = t.state.kinds;
  const components = new Map(services.flatMap((service) => service.components.map((each) => [each.name, each])));
  if (components.size === 0) return null;
  return (
    <section>
      <h2>{t.state.models}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.state.name}</th>
            <th scope="col">{t.state.version}</th>
            <th scope="col">{t.state.licence}</th>
          </tr>
        </thead>
        <tbody>
          {[...components.values()].map(({ name, kind, version, licence }) => (
            <tr>
              <th scope="row">
                <span dir="ltr">{name}</span>
                <br />
                <span class="muted">{kinds[kind] ?? kind}</span>
              </th>
              <td>
                <span dir="ltr">{version}</span>
              </td>
              <td>
                <span dir="ltr">{licence}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
