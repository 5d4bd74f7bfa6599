import { TextRelations } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";
import type { Desk } from "../desk.tsx";
import { Away, Bdi, plain } from "../ui/text.tsx";
import { attempt, type PageBody, type View } from "../view.ts";

/** Holds what `/analyse` answers, as far as the page shows it. */
const Analysis = z.looseObject({
  tokens: z.array(
    z.looseObject({
      token: z.string(),
      lemma: z.string().optional(),
      pos: z.string().optional(),
      gloss: z.string().nullish(),
      tags: z.array(z.string()).optional(),
      sense_gloss: z.string().nullish(),
    }),
  ),
  entities: z.array(z.object({ type: z.string(), text: z.string(), level: z.int() })).default([]),
  relations: TextRelations.shape.relations.default([]),
});
type Analysis = z.output<typeof Analysis>;

const Dialect = z.object({ dialect: z.string(), scores: z.record(z.string(), z.number()) });

/** Characters that the page takes. */
const MAX_TEXT = 20_000;

/** Adds the page that takes Arabic text apart. */
export function addAnalyse(desk: Desk): void {
  desk.page("/analyse", async (view) => analysePage(view, "", undefined), { section: "analyse" });
  desk.form("/analyse", async (view, fields) => {
    const text = (fields.get("text") ?? "").slice(0, MAX_TEXT);
    return await analysePage(view, text, await layersOf(view, text));
  });
}

/** Asks for all layers of a text, and for its dialect. */
async function layersOf(view: View, text: string) {
  const body = { text };
  const [analysis, dialect] = await Promise.all([
    attempt(view.ask(Analysis, "/nlp/analyse", { body })),
    attempt(view.ask(Dialect, "/nlp/dialect/identify", { body })),
  ]);
  return { analysis, dialect };
}

function analysePage(view: View, text: string, layers: Awaited<ReturnType<typeof layersOf>> | undefined): PageBody {
  const { t } = view;
  const { analysis, dialect } = layers ?? {};
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
      {problem !== undefined && (
        <Away
          view={view}
          detail={
            Object.values(problem.errors ?? {})
              .flat()
              .join("; ") || problem.message
          }
        />
      )}
      {dialect?.value !== undefined && <Variety view={view} dialect={dialect.value} />}
      {analysis?.value !== undefined && <Layers view={view} analysis={analysis.value} />}
    </>
  );
  return { title: t.analyse.title, body, ...(problem !== undefined && { status: statusOf(problem.status) }) };
}

/** Returns the status of a page whose form was refused. */
function statusOf(status: number): 422 | 429 | 503 {
  return status === 429 || status === 503 ? status : 422;
}

function Variety({ view, dialect: { dialect, scores } }: { view: View; dialect: z.output<typeof Dialect> }) {
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
  const { partsOfSpeech, types, events } = t.analyse;
  return (
    <div class="analysis">
      <fieldset class="row marks">
        <legend class="small muted">{t.analyse.layers}</legend>
        {(["lemma", "pos", "sense"] as const).map((layer) => (
          <label class="check">
            <input type="checkbox" id={`layer-${layer}`} checked /> {t.analyse[layer]}
          </label>
        ))}
      </fieldset>
      <ol class="plain words" dir="rtl" lang="ar">
        {analysis.tokens.map(({ token, lemma, pos, gloss, tags, sense_gloss }) => {
          const tag = tags?.[0] ?? "O";
          return (
            <li class={tag === "O" ? undefined : "m-named"}>
              <span class="word">{plain(token)}</span>
              {pos !== "PUNCT" && (
                <>
                  <span class="l-lemma">{plain(lemma ?? "")}</span>
                  <span class="l-pos" lang={view.lang}>
                    {partsOfSpeech[pos ?? ""] ?? pos}
                  </span>
                  <span class="l-sense">
                    <Bdi>{sense_gloss ?? gloss?.split(" | ")[0] ?? ""}</Bdi>
                  </span>
                </>
              )}
            </li>
          );
        })}
      </ol>
      <div class="columns even">
        <section>
          <h2>{t.analyse.entities}</h2>
          {analysis.entities.length === 0 && <p class="muted">{t.analyse.noEntities}</p>}
          <ul class="plain">
            {analysis.entities.map(({ type, text, level }) => (
              <li class={`nested-${Math.min(level, 3)}`}>
                <Bdi lang="ar">{text}</Bdi> <span class="muted small">{types[type] ?? type}</span>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>{t.analyse.relations}</h2>
          {analysis.relations.length === 0 && <p class="muted">{t.analyse.noRelations}</p>}
          <ul class="plain">
            {[...Map.groupBy(analysis.relations, ({ event_id }) => event_id).values()].map((own) => (
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
      </div>
      <details>
        <summary>{t.analyse.json}</summary>
        <pre dir="ltr" tabindex={0}>
          {JSON.stringify(analysis, null, 1)}
        </pre>
      </details>
    </div>
  );
}
