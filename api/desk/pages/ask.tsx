import {
  ArticleView,
  ChatAnswer,
  type ChatEvent,
  collectChat,
  readChatEvents,
  WholeStoryView,
} from "@isnad/lib/contract";
import { type AppError, eventStream, type OutgoingEvent } from "@isnad/lib/service/http";
import { parseJson } from "@isnad/lib/std";
import type { Child } from "hono/jsx";
import type { Desk } from "../desk.tsx";
import { htmlOf, Later } from "../ui/later.tsx";
import { Away, Bdi, directionOf, plain, Refused } from "../ui/text.tsx";
import { attempt, type PageBody, problemOf, type View, withQuery } from "../view.ts";

type Source = ChatAnswer["sources"][number];
type Citation = ChatAnswer["citations"][number];

/** Between two signs of life of a stream, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/** Names what an address may limit the reading to, beside an article and a story. */
const LIMITS = ["source", "category", "domain", "lang", "from", "to", "entity"] as const;

/** Earlier questions of a conversation that are passed on, and characters of each, as of its answer. */
const MAX_EARLIER = 8;
const MAX_QUESTION = 2_000;
const MAX_ANSWER = 8_000;

/** Holds a question, those before it, and what is read: all of it stands in the address, but earlier answers. */
type Asking = {
  question: string;
  earlier: readonly { question: string; answer: string }[];
  limits: { article_id?: number; story_id?: number; filters?: Record<string, string> };
};

/** Adds the page of questions; an island streams the answer, without one the page has it when it is whole. */
export function addAsk(desk: Desk): void {
  desk.page("/ask", askPage, { section: "ask" });
  desk.form("/ask/stream", streamed);
}

async function askPage(view: View): Promise<PageBody> {
  const { t, url } = view;
  const asking = readAsking(url.searchParams);
  const { question, earlier } = asking;
  const isAsked = question !== "";
  const before = [...earlier.map((each) => each.question), ...(isAsked ? [question] : [])].slice(-MAX_EARLIER);
  const draft = isAsked ? "" : (url.searchParams.get("draft") ?? "").slice(0, MAX_QUESTION);
  const body = (
    <div class="narrow">
      <h1>{t.ask.title}</h1>
      <p class="muted">{t.ask.lead}</p>
      <form action="/ask" class="stack" data-island="ask" data-reading={t.ask.reading} data-broken={t.ask.broken}>
        <label for="question">{t.ask.question}</label>
        <input
          id="question"
          type="search"
          name="q"
          dir="auto"
          required
          maxlength={MAX_QUESTION}
          placeholder={isAsked ? t.ask.further : t.ask.placeholder}
          value={draft}
          autocomplete="off"
        />
        {before.map((each) => (
          <input type="hidden" name="asked" value={each} />
        ))}
        {Object.entries(limitFields(asking)).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Limited view={view} asking={asking} title={await titleOf(view, asking)} />
        <p class="row">
          <button type="submit" class="primary">
            {t.ask.submit}
          </button>
          <a id="ask-new" hidden={!isAsked} href={withQuery("/ask", limitFields(asking))}>
            {t.ask.begin}
          </a>
        </p>
      </form>
      <div id="answer" aria-live="polite">
        {isAsked && (
          <article class="turn">
            <h2 dir={directionOf(question)}>{plain(question)}</h2>
            <Later view={view} part={() => answered(view, asking)} />
          </article>
        )}
      </div>
      <div id="earlier">
        {earlier.toReversed().map((each) => (
          <article class="turn">
            <h2 dir={directionOf(each.question)}>
              <a class="quiet" href={withQuery("/ask", { q: each.question, ...limitFields(asking) })}>
                {plain(each.question)}
              </a>
            </h2>
          </article>
        ))}
      </div>
    </div>
  );
  return { title: isAsked ? plain(question) : t.ask.title, body };
}

/** Reads what is asked, and of what, from an address or a form. */
function readAsking(params: URLSearchParams): Asking {
  const answers = params.getAll("answered");
  const asked = params.getAll("asked").map((question, i) => ({
    ...{ question: question.trim().slice(0, MAX_QUESTION), answer: (answers[i] ?? "").slice(0, MAX_ANSWER) },
  }));
  const question = (params.get("q") ?? "").trim().slice(0, MAX_QUESTION);
  const earlier = asked.filter((each) => each.question !== "").slice(-MAX_EARLIER);
  return { question, earlier, limits: limitsOf(params) };
}

/** Returns what the address limits the reading to, as the route takes it. */
function limitsOf(params: URLSearchParams): Asking["limits"] {
  const id = (name: string): number | undefined => {
    const text = params.get(name) ?? "";
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  };
  const article = id("article");
  if (article !== undefined) return { article_id: article };
  const story = id("story");
  if (story !== undefined) return { story_id: story };
  const filters = LIMITS.flatMap((name) => {
    const value = params.get(name);
    return value === null || value === "" ? [] : [[name, value] as const];
  });
  return filters.length === 0 ? {} : { filters: Object.fromEntries(filters) };
}

/** Returns the limits as the address has them. */
function limitFields({ limits: { article_id, story_id, filters = {} } }: Asking): Record<string, string> {
  if (article_id !== undefined) return { article: String(article_id) };
  return story_id === undefined ? filters : { story: String(story_id) };
}

/** Returns the headline of the article or story that alone is read. */
async function titleOf({ ask }: View, { limits: { article_id, story_id } }: Asking): Promise<string | undefined> {
  if (article_id !== undefined) return (await attempt(ask(ArticleView, `/v1/articles/${article_id}`))).value?.title;
  if (story_id !== undefined) return (await attempt(ask(WholeStoryView, `/v1/stories/${story_id}`))).value?.title;
  return undefined;
}

/** Says what alone is read, with a way to all of it. */
function Limited({ view: { t }, asking, title }: { view: View; asking: Asking; title: string | undefined }) {
  const { article_id, story_id, filters } = asking.limits;
  if (article_id === undefined && story_id === undefined && filters === undefined) return null;
  const kind = article_id !== undefined ? "article" : story_id !== undefined ? "story" : "other";
  const path = kind === "article" ? `/articles/${article_id}` : `/stories/${story_id}`;
  return (
    <p class="notice">
      {t.ask.only[kind]}
      {title !== undefined && (
        <>
          :{" "}
          <a href={path}>
            <Bdi>{title}</Bdi>
          </a>
        </>
      )}
      {filters !== undefined && (
        <>
          : <Bdi>{Object.values(filters).join(t.common.comma)}</Bdi>
        </>
      )}
      . <a href={withQuery("/ask", { draft: asking.question })}>{t.ask.everything}</a>
    </p>
  );
}

function requestOf({ question, earlier, limits }: Asking, lang: string, stream: boolean) {
  const messages = [
    ...earlier.flatMap(({ question: content, answer }) => [
      { role: "user", content },
      ...(answer === "" ? [] : [{ role: "assistant", content: answer }]),
    ]),
    { role: "user", content: question },
  ];
  const direction = directionOf(question);
  return { messages, stream, lang: direction === "rtl" ? "ar" : direction === "ltr" ? "en" : lang, ...limits };
}

/** Answers a question in one piece. */
async function answered(view: View, asking: Asking): Promise<Child> {
  const body = requestOf(asking, view.lang, false);
  const { value, error } = await attempt(view.ask(ChatAnswer, "/chat/completions", { body }));
  if (value !== undefined) return <Answer view={view} answer={value} turn={asking.earlier.length} />;
  return <NoAnswer view={view} error={error} />;
}

function NoAnswer({ view, error }: { view: View; error: AppError }) {
  if (error.errors === undefined) return <Away view={view} detail={error.message} />;
  return <Refused view={view} error={error} names={{ messages: view.t.ask.question, q: view.t.ask.question }} />;
}

/** Streams an answer: its words as they come, at the end the whole of it as the page would show it. */
async function streamed(view: View, fields: URLSearchParams): Promise<Response> {
  const asking = readAsking(fields);
  const body = requestOf(asking, view.lang, true);
  const response = await view.send("/chat/completions", { body, accept: "text/event-stream" });
  const events = response.ok && response.body !== null ? shown(view, asking, response.body) : refused(view, response);
  return await eventStream(view.c, () => events, { heartbeatMs: HEARTBEAT_MS });
}

async function* shown(view: View, asking: Asking, bytes: ReadableStream<Uint8Array>): AsyncGenerator<OutgoingEvent> {
  const said: ChatEvent[] = [];
  for await (const event of readChatEvents(bytes)) {
    said.push(event);
    if (event.event === "delta") yield event;
  }
  const answer = await collectChat(inOrder(said));
  const html = await htmlOf(<Answer view={view} answer={answer} turn={asking.earlier.length} />);
  yield { event: "whole", data: { html } };
}

/** Says within the page why there is no answer, as the page of the question would. */
async function* refused(view: View, response: Response): AsyncGenerator<OutgoingEvent> {
  const error = problemOf(response.status, parseJson(await response.text()));
  yield { event: "whole", data: { html: await htmlOf(<NoAnswer view={view} error={error} />) } };
}

async function* inOrder<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list;
}

/** Shows an answer: its words, each mark of a source leading to what was read of it. */
function Answer({ view, answer, turn }: { view: View; answer: ChatAnswer; turn: number }) {
  const { t } = view;
  const { message, sources, citations, finish_reason } = answer;
  const isNone = finish_reason === "no_answer";
  const wrong = citations.flatMap(({ unsupported = [] }) => unsupported);
  const cited = new Set(citations.map(({ n }) => n));
  return (
    <>
      <div class={isNone ? "notice" : "answer lead"} dir={directionOf(message.content)}>
        {message.content.split("\n").map((line) => (
          <p>{withMarks(line, sources, turn)}</p>
        ))}
      </div>
      {wrong.length > 0 && (
        <p class="problem">
          {t.ask.unsupported} <bdi>{plain(wrong.join(", "))}</bdi>
        </p>
      )}
      {!isNone && sources.length > 0 && (
        <section>
          <h3>{t.ask.sources}</h3>
          <ol class="plain">
            {sources.map((source) => (
              <li class="entry" id={placeOf(turn, source.n)} tabindex={-1}>
                <h4>
                  <span class="muted num">[{source.n}]</span>{" "}
                  <a href={`/articles/${source.article_id}`}>
                    <Bdi>{source.title}</Bdi>
                  </a>
                </h4>
                <details open={cited.has(source.n)}>
                  <summary class="small">{t.ask.sourceNumber(source.n)}</summary>
                  {source.passages.map((passage) => (
                    <p class="passage" dir={directionOf(passage.text)}>
                      {withQuotes(
                        passage,
                        citations.filter(({ n }) => n === source.n),
                      )}
                    </p>
                  ))}
                </details>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

/** Names the place of a source on the page: a conversation has several that are the first. */
function placeOf(turn: number, n: number): string {
  return `source-${turn}-${n}`;
}

/** Returns a line of an answer with its marks as links to the sources. */
function withMarks(line: string, sources: readonly Source[], turn: number): Child[] {
  const known = new Set(sources.map(({ n }) => n));
  return plain(line)
    .split(/(\[\d{1,2}\])/)
    .map((part) => {
      const n = Number(/^\[(\d{1,2})\]$/.exec(part)?.[1] ?? Number.NaN);
      return known.has(n) ? (
        <a class="cite" href={`#${placeOf(turn, n)}`}>
          {part}
        </a>
      ) : (
        part
      );
    });
}

/** Returns a passage with the words marked that an answer rests on. */
function withQuotes({ text, offsets }: Source["passages"][number], citations: readonly Citation[]): Child[] {
  const points = Array.from(text);
  const spans = citations
    .flatMap(({ offsets: at }) => (at === null ? [] : [[at.start - offsets.start, at.end - offsets.start] as const]))
    .filter(([start, end]) => start >= 0 && end <= points.length && start < end)
    .sort(([a], [b]) => a - b);
  const parts: Child[] = [];
  let done = 0;
  for (const [start, end] of spans) {
    if (start < done) continue;
    parts.push(plain(points.slice(done, start).join("")), <mark>{plain(points.slice(start, end).join(""))}</mark>);
    done = end;
  }
  return [...parts, plain(points.slice(done).join(""))];
}
