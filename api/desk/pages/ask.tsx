import { ChatAnswer, type ChatEvent, collectChat, readChatEvents } from "@isnad/lib/contract";
import { AppError, eventStream, type OutgoingEvent } from "@isnad/lib/service/http";
import { parseJson } from "@isnad/lib/std";
import type { Child } from "hono/jsx";
import type { Desk } from "../desk.tsx";
import { Bdi, directionOf, plain } from "../ui/text.tsx";
import { type PageBody, type View, withQuery } from "../view.ts";

type Source = ChatAnswer["sources"][number];
type Citation = ChatAnswer["citations"][number];

/** Between two signs of life of a stream, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/** Names what an address may limit the reading to, beside an article and a story. */
const LIMITS = ["source", "category", "lang", "from", "to", "entity"] as const;

/** Adds the page of questions; an island streams the answer, without one the page comes when it is whole. */
export function addAsk(desk: Desk): void {
  desk.page("/ask", askPage, { section: "ask" });
  desk.form("/ask/stream", streamed);
}

async function askPage(view: View): Promise<PageBody> {
  const { t, url, lang } = view;
  const question = (url.searchParams.get("q") ?? "").trim();
  const limits = limitsOf(url.searchParams);
  const only = "article_id" in limits ? t.ask.only.article : "story_id" in limits ? t.ask.only.story : t.ask.only.other;
  const answer =
    question === ""
      ? undefined
      : await view.ask(ChatAnswer, "/chat/completions", { body: requestOf(question, limits, lang, false) });
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
          maxlength={2000}
          placeholder={t.ask.placeholder}
          value={question}
          autocomplete="off"
        />
        {[...url.searchParams].map(
          ([name, value]) => name !== "q" && <input type="hidden" name={name} value={value} />,
        )}
        {Object.keys(limits).length > 0 && (
          <p class="notice">
            {only}. <a href={withQuery("/ask", { q: question })}>{t.ask.everything}</a>
          </p>
        )}
        <button type="submit" class="primary">
          {t.ask.submit}
        </button>
      </form>
      <div id="answer" aria-live="polite">
        {answer !== undefined && <Answer view={view} answer={answer} />}
      </div>
    </div>
  );
  return { title: question === "" ? t.ask.title : question, body };
}

/** Returns what the address limits the reading to, as the route takes it. */
function limitsOf(params: URLSearchParams): Record<string, unknown> {
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

function requestOf(question: string, limits: Record<string, unknown>, lang: string, stream: boolean) {
  const isArabic = directionOf(question) === "rtl";
  const messages = [{ role: "user", content: question }];
  return { messages, stream, lang: isArabic ? "ar" : directionOf(question) === "ltr" ? "en" : lang, ...limits };
}

/** Streams an answer: its words as they come, at the end the whole of it as the page would show it. */
async function streamed(view: View, fields: URLSearchParams): Promise<Response> {
  const question = (fields.get("q") ?? "").trim();
  const body = requestOf(question, limitsOf(fields), view.lang, true);
  const response = await view.send("/chat/completions", { body, accept: "text/event-stream" });
  if (!response.ok || response.body === null) {
    const problem = Object(parseJson(await response.text()));
    throw new AppError("service-unavailable", String(problem.detail ?? ""), { status: response.status });
  }
  return await eventStream(view.c, () => shown(view, response.body ?? new ReadableStream()), {
    heartbeatMs: HEARTBEAT_MS,
  });
}

async function* shown(view: View, bytes: ReadableStream<Uint8Array>): AsyncGenerator<OutgoingEvent> {
  const said: ChatEvent[] = [];
  for await (const event of readChatEvents(bytes)) {
    said.push(event);
    if (event.event === "delta") yield event;
  }
  const answer = await collectChat(inOrder(said));
  yield { event: "whole", data: { html: String(await (<Answer view={view} answer={answer} />)) } };
}

async function* inOrder<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list;
}

/** Shows an answer: its words, each mark of a source leading to what was read of it. */
function Answer({ view, answer }: { view: View; answer: ChatAnswer }) {
  const { t } = view;
  const { message, sources, citations, finish_reason } = answer;
  const isNone = finish_reason === "no_answer";
  const wrong = citations.flatMap(({ unsupported = [] }) => unsupported);
  const cited = new Set(citations.map(({ n }) => n));
  return (
    <>
      <div class={isNone ? "notice" : "answer lead"} dir={directionOf(message.content)}>
        {message.content.split("\n").map((line) => (
          <p>{withMarks(line, sources)}</p>
        ))}
      </div>
      {wrong.length > 0 && (
        <p class="problem">
          {t.ask.unsupported} <bdi>{plain(wrong.join(", "))}</bdi>
        </p>
      )}
      {!isNone && sources.length > 0 && (
        <section>
          <h2>{t.ask.sources}</h2>
          <ol class="plain">
            {sources.map((source) => (
              <li class="entry" id={`source-${source.n}`} tabindex={-1}>
                <h3>
                  <span class="muted num">[{source.n}]</span>{" "}
                  <a href={`/articles/${source.article_id}`}>
                    <Bdi>{source.title}</Bdi>
                  </a>
                </h3>
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

/** Returns a line of an answer with its marks as links to the sources. */
function withMarks(line: string, sources: readonly Source[]): Child[] {
  const known = new Set(sources.map(({ n }) => n));
  return plain(line)
    .split(/(\[\d{1,2}\])/)
    .map((part) => {
      const n = Number(/^\[(\d{1,2})\]$/.exec(part)?.[1] ?? Number.NaN);
      return known.has(n) ? (
        <a class="cite" href={`#source-${n}`}>
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
