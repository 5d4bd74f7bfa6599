import { setTimeout as sleep } from "node:timers/promises";
import {
  ChainView,
  ChatAnswer,
  IngestResponse,
  Problem,
  RunView,
  SearchBody,
  type SearchResult,
  Summary,
} from "@isnad/lib/contract";
import { type ApiTarget, CommandError, type ScraperTarget } from "@isnad/lib/service/cli";
import type { DemoArticle } from "./site.ts";
import { z } from "@isnad/lib/service/http";

const Started = RunView.pick({ run_id: true });
const Crawl = RunView.pick({ status: true, error: true, counts: true });

/** A finished crawl: how it ended, and what happened in it. */
export type Crawl = z.output<typeof Crawl>;

/** The answer to a search, as far as the demo shows it. */
export type Found = Pick<SearchBody, "results"> & { meta: Pick<SearchBody["meta"], "took_ms"> };

/** An answer with what it cites, as far as the demo shows it. */
const Answer = ChatAnswer.pick({ model: true, sources: true, message: true });
type Answer = z.output<typeof Answer>;

/** A summary, as far as the demo shows it. */
const Points = Summary.pick({ summary: true, model: true });
type Points = z.output<typeof Points>;

/** Holds what the demo asks of the scraper and of the central API. */
export type DemoClient = {
  /** Runs the profile, or waits for the run that is under way. */
  crawl(profile: string, signal: AbortSignal): Promise<Crawl>;
  search(params: Record<string, string>): Promise<Found>;
  /** Pushes reports of other papers, each of the source of its slug; returns their ids in order. */
  push(articles: readonly DemoArticle[]): Promise<number[]>;
  /** Returns who had an article first and who took it over. */
  chain(articleId: number): Promise<ChainView>;
  /** Answers a question from the articles. */
  ask(question: string): Promise<Answer>;
  /** Summarises an article in points. */
  summarize(articleId: number): Promise<Points>;
};

const Content = z.object({ content: z.string() });

/** Says how often a run is asked after, in milliseconds. */
const POLL_MS = 100;

/** Returns a client of the services. Its calls throw when a service answers in any other way than expected. */
export function createDemoClient(api: ApiTarget, scraper: ScraperTarget): DemoClient {
  const reader = api.publicKey === undefined ? {} : { "x-api-key": api.publicKey };

  const send = <T extends z.ZodType>(path: string, schema: T, body: object): Promise<z.output<T>> =>
    call(`${api.url}${path}`, schema, [200], {
      method: "POST",
      headers: { ...reader, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  return {
    async crawl(profile, signal) {
      const started = await call(`${scraper.url}/runs`, Started, [202, 409], {
        method: "POST",
        headers: { authorization: `Bearer ${scraper.token}`, "content-type": "application/json" },
        body: JSON.stringify({ profile_id: profile }),
      });
      for (;;) {
        const run = await call(`${scraper.url}/runs/${started.run_id}`, Crawl, [200]);
        if (run.status !== "queued" && run.status !== "running") return run;
        await sleep(POLL_MS, undefined, { signal });
      }
    },
    search: (params) =>
      call(`${api.url}/v1/search?${new URLSearchParams(params)}`, SearchBody, [200], { headers: reader }),
    async push(articles) {
      const { results } = await call(`${api.url}/v1/ingest/articles`, IngestResponse, [202], {
        method: "POST",
        headers: { authorization: `Bearer ${api.ingestToken}`, "content-type": "application/json" },
        body: JSON.stringify({ articles: articles.map(itemOf) }),
      });
      return results.flatMap(({ article_id }) => article_id ?? []);
    },
    chain: (articleId) => call(`${api.url}/v1/articles/${articleId}/chain`, ChainView, [200], { headers: reader }),
    ask: (question) =>
      send("/chat/completions", Answer, { stream: false, messages: [{ role: "user", content: question }] }),
    async summarize(articleId) {
      const { content } = await call(`${api.url}/v1/articles/${articleId}`, Content, [200], { headers: reader });
      return await send("/api/ai/summarize", Points, { text: content, length: "short", format: "bullets" });
    },
  };
}

const itemOf = ({ slug, title, content, publishedAt, lang }: DemoArticle) => ({
  source_id: slug,
  external_id: publishedAt,
  url: `https://${slug}.example/${publishedAt.slice(0, 10)}`,
  title,
  content,
  lang,
  published_at: publishedAt,
});

async function call<T extends z.ZodType>(
  url: string,
  schema: T,
  expected: readonly number[],
  init: RequestInit = {},
): Promise<z.output<T>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  const body: unknown = await response.json();
  if (expected.includes(response.status)) return schema.parse(body);
  const { detail, title } = Problem.partial().safeParse(body).data ?? {};
  const { pathname } = new URL(url);
  throw new Error(`${init.method ?? "GET"} ${pathname} answered ${response.status}: ${detail ?? title ?? ""}`);
}

/** A search that the demo shows: what it is there to show, and the article that should come first. */
export type DemoSearch = {
  caption: string;
  query: string;
  mode: "bm25" | "vector" | "hybrid";
  /** The article (its external id) that answers it. */
  answer: string;
};

/** Says how text is shown: with the emphasis of a terminal or plain, and how many columns wide. */
export type Style = { terminal: boolean; columns: number };

const BOLD = "\u001B[1m";
const DIM = "\u001B[2m";
const MARK = "\u001B[1;33m";
const RESET = "\u001B[0m";
const INDENT = "     ";
const MAX_SNIPPET_LINES = 3;

/**
 * Returns a search and its first hits. Text of one direction stands on lines of its own, so that terminals order it
 * rightly.
 */
export function renderSearch(
  number: number,
  { caption, query, mode }: DemoSearch,
  { results, meta }: Found,
  style: Style,
  { first = 3, note = "" } = {},
): string {
  const lines = [
    paint(BOLD, `${number}. ${caption}`, style),
    `${INDENT}${query}`,
    paint(DIM, `${INDENT}mode ${mode}, ${results.length} hits, ${meta.took_ms.toFixed(0)} ms`, style),
    ...results.slice(0, first).flatMap((hit, i) => ["", ...renderHit(i + 1, hit, style)]),
    ...(note === "" ? [] : ["", paint(DIM, `${INDENT}${note}`, style)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns a question with its answer, and the articles that it cites. */
export function renderAnswer(
  number: number,
  question: string,
  { message, sources, model }: Answer,
  style: Style,
): string {
  const cited = sources.filter(({ n }) => message.content.includes(`[${n}]`));
  return block(number, "Ask: sentences of the articles that answer, with their sources", question, model, style, [
    ...message.content.split("\n").filter(Boolean),
    ...cited.map(({ n, title }) => paint(DIM, `[${n}] ${title}`, style)),
  ]);
}

/** Returns an article's title with its summary. */
export function renderSummary(number: number, title: string, { summary, model }: Points, style: Style): string {
  return block(number, "Summarise: what an article says, in points", title, model, style, summary.split("\n"));
}

/** Returns a chain, a line for each who had the report: when, who, how much is from whom, and whom the text credits. */
export function renderChain(number: number, { links, reports }: ChainView, style: Style): string {
  const names = new Map(links.map(({ url, source_name }) => [url, source_name]));
  const lines = links.map((link) => {
    const from = link.from === null ? "the first here" : `${percent(link.overlap)} from ${names.get(link.from.url)}`;
    const credited = link.credits.map(({ name }) => name).join(", ");
    return [timeOf(link), link.source_name, `${link.kind}, ${from}`, credited === "" ? "" : `credits ${credited}`];
  });
  const own = reports.map((report) => [timeOf(report), report.source_name, "a report of its own", report.title]);
  return `${[
    paint(BOLD, `${number}. The chain: who had it first, who took it over, who else tells the story`, style),
    ...[...lines, ...own].map((facts) => INDENT + facts.filter(Boolean).join(" · ")),
  ].join("\n")}\n`;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

const timeOf = ({ published_at }: { published_at: string | null }): string =>
  published_at === null ? "time unknown" : published_at.slice(11, 16);

function block(
  number: number,
  caption: string,
  asked: string,
  model: string,
  style: Style,
  texts: readonly string[],
): string {
  const lines = texts.flatMap((text) => wrap(text, style.columns - INDENT.length));
  return `${[
    paint(BOLD, `${number}. ${caption}`, style),
    `${INDENT}${asked}`,
    paint(DIM, `${INDENT}model ${model}`, style),
    "",
    ...lines.map((line) => INDENT + line),
  ].join("\n")}\n`;
}

function renderHit(rank: number, hit: SearchResult, style: Style): string[] {
  const places = [place("word", hit.bm25_rank), place("meaning", hit.knn_rank)];
  const facts = [hit.source, hit.lang, hit.published_at?.slice(0, 10), hit.category, ...places];
  const snippet = wrap(markup(hit.snippet), style.columns - INDENT.length);
  const shown = snippet.slice(0, MAX_SNIPPET_LINES);
  if (snippet.length > shown.length) shown.push(`${shown.pop() ?? ""} …`);
  return [
    `  ${rank}. ${paint(DIM, facts.filter(Boolean).join(" · "), style)}`,
    ...wrap(hit.title, style.columns - INDENT.length).map((line) => INDENT + paint(BOLD, line, style)),
    ...emphasise(shown, style).map((line) => INDENT + line),
  ];
}

function place(branch: string, rank: number | null): string {
  return rank === null ? "" : `by ${branch} no. ${rank}`;
}

function paint(code: string, text: string, { terminal }: Style): string {
  return terminal ? code + text + RESET : text;
}

const OPEN = "\u0001";
const CLOSE = "\u0002";
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", "#x27": "'", apos: "'" };

/** Returns the snippet as text; one private character stands for each end of a `<mark>`. */
function markup(html: string): string {
  return html
    .replace(/<mark>/g, OPEN)
    .replace(/<\/mark>/g, CLOSE)
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Shows marks as colour on a terminal, else between asterisks; a mark that a line break splits is closed and reopened.
 */
function emphasise(lines: readonly string[], { terminal }: Style): string[] {
  const [open, close] = terminal ? [MARK, RESET] : ["*", "*"];
  let marked = false;
  return lines.map((line) => {
    const before = marked ? open : "";
    for (const character of line) if (character === OPEN || character === CLOSE) marked = character === OPEN;
    return before + line.replaceAll(OPEN, open).replaceAll(CLOSE, close) + (marked ? close : "");
  });
}

/** Breaks text at spaces into lines of at most `columns` columns; a longer word gets a line of its own. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Columns that a text takes: diacritics and invisible characters take none. */
export function displayWidth(text: string): number {
  return Array.from(text.replace(/[\p{Mn}\p{Cf}\p{Cc}]/gu, "")).length;
}

/** Returns what happened in a crawl, in words: of a site that was crawled before, nothing need be new. */
export function renderCrawl({ counts }: { counts: Partial<Crawl["counts"]> }): string {
  const { discovered = 0, fetched = 0, sent = 0, duplicate = 0 } = counts;
  if (discovered + fetched + sent === 0) return "nothing new on it, all its articles are here from an earlier demo";
  const added = sent - duplicate;
  const novelty = added > 0 ? `${added} of them new to the platform` : "none of them new, the platform had them all";
  return `${discovered} articles discovered, ${fetched} pages fetched, ${novelty}`;
}

/**
 * Returns once both branches find every article of `source` by its title: the articles' ids by slug. Throws
 * CommandError after `timeoutMs`.
 */
export async function untilFound(
  client: Pick<DemoClient, "search">,
  articles: readonly DemoArticle[],
  options: { source: string; signal: AbortSignal; timeoutMs?: number; everyMs?: number },
): Promise<Map<string, number>> {
  const { source, signal, timeoutMs = 180_000, everyMs = 100 } = options;
  const deadline = performance.now() + timeoutMs;
  const ids = new Map<string, number>();
  for (const { slug, title } of articles) {
    for (;;) {
      const id = await idOf(client, title, source);
      if (id !== undefined) {
        ids.set(slug, id);
        break;
      }
      if (performance.now() > deadline) {
        const left = articles.length - ids.size;
        throw new CommandError(
          `${left} of ${articles.length} articles could not be found within ${timeoutMs / 1000} s`,
        );
      }
      await sleep(everyMs, undefined, { signal });
    }
  }
  return ids;
}

/** Returns the id of the article of this title, once both branches find it. */
async function idOf(client: Pick<DemoClient, "search">, title: string, source: string): Promise<number | undefined> {
  const find = async (mode: string) => {
    const { results } = await client.search({ q: title, mode, source, limit: "50" });
    return results.find((hit) => hit.title === title)?.article_id;
  };
  const id = await find("bm25");
  return id !== undefined && (await find("vector")) === id ? id : undefined;
}

/** Waits until a chain has this many links and its story other reports; returns it as it is after `timeoutMs`. */
export async function untilChained(
  client: Pick<DemoClient, "chain">,
  articleId: number,
  {
    links,
    signal,
    timeoutMs = 60_000,
    everyMs = 200,
  }: { links: number; signal: AbortSignal; timeoutMs?: number; everyMs?: number },
): Promise<ChainView> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const chain = await client.chain(articleId);
    if ((chain.links.length >= links && chain.reports.length > 0) || performance.now() > deadline) return chain;
    await sleep(everyMs, undefined, { signal });
  }
}

/**
 * A search of the demo with its answer: the rank of the article that should come first, from 1, and null when it is
 * missing.
 */
export type Shown = { search: DemoSearch; found: Found; rank: number | null };

/** Runs the searches one after the other. */
export async function runSearches(
  client: Pick<DemoClient, "search">,
  searches: readonly DemoSearch[],
  ids: ReadonlyMap<string, number>,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const search of searches) {
    const body = await client.search({ q: search.query, mode: search.mode });
    const at = body.results.findIndex((hit) => hit.article_id === ids.get(search.answer));
    shown.push({ search, found: body, rank: at < 0 ? null : at + 1 });
  }
  return shown;
}
