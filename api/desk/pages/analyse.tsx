import { TextRelations } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";
import type { Child } from "hono/jsx";
import type { Desk } from "../desk.tsx";
import { Away, Bdi, jsonText, plain, Refused } from "../ui/text.tsx";
import { type Attempt, attempt, type PageBody, type View } from "../view.ts";

/** Holds what `/analyse` answers, as far as the page shows it. */
const Analysis = z.looseObject({
  tokens: z.array(
    z.looseObject({
      token: z.string(),
      lemma: z.string().optional(),
      pos: z.string().optional(),
      gloss: z.string().nullish(),
      root: z.string().nullish(),
      pattern: z.string().nullish(),
      start: z.int(),
      end: z.int(),
      sense_gloss: z.string().nullish(),
    }),
  ),
  entities: z
    .array(z.object({ type: z.string(), text: z.string(), level: z.int(), start: z.int(), end: z.int() }))
    .default([]),
  relations: TextRelations.shape.relations.default([]),
  dialect: z.object({ dialect: z.string(), scores: z.record(z.string(), z.number()) }).optional(),
});
type Analysis = z.output<typeof Analysis>;
type Token = Analysis["tokens"][number];

/** Characters that the page takes, and of the JSON that it shows. */
const MAX_TEXT = 20_000;
const MAX_JSON = 40_000;

/** Names what is shown under each word, as far as it is switched on. */
const SHOWN_LAYERS = ["lemma", "pos", "root", "sense", "names"] as const;

/** Adds the page that takes Arabic text apart. */
export function addAnalyse(desk: Desk): void {
  desk.page("/analyse", async (view) => analysePage(view, "", undefined), { section: "analyse" });
  desk.form("/analyse", async (view, fields) => {
    const text = (fields.get("text") ?? "").slice(0, MAX_TEXT);
    return analysePage(view, text, await attempt(view.ask(Analysis, "/nlp/analyse", { body: { text } })));
  });
}

function analysePage(view: View, text: string, analysis: Attempt<Analysis> | undefined): PageBody {
  const { t } = view;
  const problem = analysis?.error;
  const body = (
    <>
      <h1>{t.analyse.title}</h1>
      <form method="post" action="/analyse" class="stack narrow">
        <p class="muted" id="analyse-lead">
          {t.analyse.lead}
        </p>
        <label for="text">{t.analyse.text}</label>
        <textarea
          id="text"
          name="text"
          rows={5}
          dir="rtl"
          lang="ar"
          required
          maxlength={MAX_TEXT}
          aria-describedby="analyse-lead"
        >
          {text}
        </textarea>
        <button type="submit" class="primary">
          {t.analyse.submit}
        </button>
      </form>
      {problem !== undefined &&
        (problem.errors === undefined ? (
          <Away view={view} detail={problem.message} />
        ) : (
          <Refused view={view} error={problem} names={{ text: t.analyse.text }} />
        ))}
      {analysis?.value !== undefined && <Layers view={view} analysis={analysis.value} />}
    </>
  );
  return { title: t.analyse.title, body, ...(problem !== undefined && { status: statusOf(problem.status) }) };
}

/** Returns the status of a page whose form was refused. */
function statusOf(status: number): 422 | 429 | 503 {
  return status === 429 || status === 503 ? status : 422;
}

function Variety({ view, dialect: { dialect, scores } }: { view: View; dialect: NonNullable<Analysis["dialect"]> }) {
  const { t } = view;
  const names: Readonly<Record<string, string>> = t.analyse.varieties;
  return (
    <p>
      {t.analyse.dialect}: <strong>{names[dialect] ?? dialect}</strong>{" "}
      <span class="muted num">{t.analyse.sure(scores[dialect] ?? 0)}</span>
    </p>
  );
}

function Layers({ view, analysis }: { view: View; analysis: Analysis }) {
  const { t } = view;
  return (
    <div class="analysis columns">
      <div>
        {analysis.dialect !== undefined && <Variety view={view} dialect={analysis.dialect} />}
        <fieldset class="row marks">
          <legend class="small muted">{t.analyse.layers}</legend>
          {SHOWN_LAYERS.map((layer) => (
            <label class="check">
              <input type="checkbox" id={`layer-${layer}`} checked /> {t.analyse.layer[layer]}
            </label>
          ))}
        </fieldset>
        <Words view={view} tokens={analysis.tokens} entities={analysis.entities} level={0} />
        <div class="columns even">
          <Names view={view} entities={analysis.entities} />
          <Events view={view} relations={analysis.relations} />
        </div>
      </div>
      <aside>
        <h2>{t.analyse.json}</h2>
        <Json view={view} analysis={analysis} />
      </aside>
    </div>
  );
}

/** Shows words with what is told of each; the words of a name stand over a bracket, a name within it over its own. */
function Words({
  view,
  tokens,
  entities,
  level,
}: {
  view: View;
  tokens: readonly Token[];
  entities: Analysis["entities"];
  level: number;
}) {
  const parts: Child[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    const entity = entities.find((each) => each.level === level && each.start === token.start);
    if (entity === undefined) {
      parts.push(<Word view={view} token={token} />);
      continue;
    }
    const within = tokens.slice(i).filter(({ end }) => end <= entity.end);
    parts.push(
      <li class="name">
        <Words view={view} tokens={within} entities={entities} level={level + 1} />
        <span class="l-names" lang={view.lang}>
          {view.t.analyse.types[entity.type] ?? entity.type}
        </span>
      </li>,
    );
    i += Math.max(0, within.length - 1);
  }
  return (
    <ol class="plain words" dir="rtl" lang="ar">
      {parts}
    </ol>
  );
}

function Word({ view, token: { token, lemma, pos, root, pattern, gloss, sense_gloss } }: { view: View; token: Token }) {
  const { partsOfSpeech } = view.t.analyse;
  if (pos === "PUNCT") {
    return (
      <li>
        <span class="word">{plain(token)}</span>
      </li>
    );
  }
  const form = [root, pattern].filter((each) => each != null && each !== "").join(" · ");
  return (
    <li>
      <span class="word">{plain(token)}</span>
      <span class="l-lemma">{plain(lemma ?? "")}</span>
      <span class="l-pos" lang={view.lang}>
        {partsOfSpeech[pos ?? ""] ?? pos}
      </span>
      <span class="l-root">{plain(form)}</span>
      <span class="l-sense">
        <Bdi>{sense_gloss ?? gloss?.split(" | ")[0] ?? ""}</Bdi>
      </span>
    </li>
  );
}

function Names({ view, entities }: { view: View; entities: Analysis["entities"] }) {
  const { t } = view;
  return (
    <section>
      <h2>{t.analyse.entities}</h2>
      {entities.length === 0 && <p class="muted">{t.analyse.noEntities}</p>}
      <ul class="plain">
        {entities.map(({ type, text, level }) => (
          <li class={`nested-${Math.min(level, 3)}`}>
            <Bdi lang="ar">{text}</Bdi> <span class="muted small">{t.analyse.types[type] ?? type}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Events({ view, relations }: { view: View; relations: Analysis["relations"] }) {
  const { t } = view;
  const { events } = t.analyse;
  return (
    <section>
      <h2>{t.analyse.relations}</h2>
      {relations.length === 0 && <p class="muted">{t.analyse.noRelations}</p>}
      <ul class="plain">
        {[...Map.groupBy(relations, ({ event_id }) => event_id).values()].map((own) => (
          <li class="entry">
            <strong>
              <Bdi lang="ar">{own[0]?.subject ?? ""}</Bdi>
            </strong>{" "}
            <span class="muted small">{events[own[0]?.event ?? ""] ?? own[0]?.event}</span>
            <ul>
              {own.map(({ predicate, object, confidence }) => (
                <li>
                  <span class="muted small">{t.article.roles[predicate] ?? predicate}</span>{" "}
                  <Bdi lang="ar">{object}</Bdi> <span class="muted small num">{t.analyse.sure(confidence)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the answer as programs get it, as much of it as a page bears. */
function Json({ view: { t }, analysis }: { view: View; analysis: Analysis }) {
  const text = jsonText(analysis);
  return (
    <>
      {text.length > MAX_JSON && (
        <p class="muted small">
          {t.analyse.jsonCut} <code dir="ltr">POST /nlp/analyse</code>
        </p>
      )}
      <pre dir="ltr" tabindex={0} class="json">
        {text.slice(0, MAX_JSON)}
      </pre>
    </>
  );
}
