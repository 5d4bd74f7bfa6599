import type { NewsRow } from "./news-stack.ts";

/** Where the services of a stack answer, and the keys that they take. */
export type Target = { urls: Record<string, string>; ingestToken: string; edgeKey: string };

/** A request of a route. */
export type MixedRequest = { url: string; init?: RequestInit };

/** A route of a service, and its n-th request. */
export type MixedRoute = { name: string; request(n: number): MixedRequest };

/** Sentences that one check judges. */
const CHECKED_SENTENCES = 8;

/** One of the corpus that ships. */
const DIALECT_SENTENCE = "صار لي ساعة ناطرك قدام باب البيت، وينك؟";

/** Lists every route that somebody waits for, of all services; each request has another text of `rows`. */
export function mixedRoutes(target: Target, rows: readonly NewsRow[]): MixedRoute[] {
  const { urls, ingestToken, edgeKey } = target;
  const [api, retrieval, edge, nlp, scraper] = ["api", "retrieval", "edge", "nlp", "scraper"].map((name) => urls[name]);
  const arabic = rows.filter(({ lang }) => lang === "ar");
  const any = (n: number): NewsRow => rowAt(rows, n);
  const text = (n: number): string => rowAt(arabic, n).text.slice(0, 1_500);
  const words = (n: number): string => any(n).title.split(" ").slice(0, 5).join(" ");
  const param = (value: string): string => encodeURIComponent(value);
  const get = (url: string): MixedRequest => ({ url });
  const post = (url: string, body: unknown, headers: Record<string, string> = {}): MixedRequest => ({
    url,
    init: {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    },
  });
  const withKey = { "x-api-key": edgeKey };
  const chat = (n: number) => ({ messages: [{ role: "user", content: any(n).title }], stream: false });
  return [
    { name: "api /v1/search both", request: (n) => get(`${api}/v1/search?q=${param(words(n))}`) },
    { name: "api /v1/search by word", request: (n) => get(`${api}/v1/search?mode=bm25&q=${param(words(n))}`) },
    { name: "api /v1/articles/{id}", request: (n) => get(`${api}/v1/articles/${1 + (n % rows.length)}`) },
    { name: "api /v1/articles/{id}/revisions", request: (n) => get(`${api}/v1/articles/${1 + (n % 50)}/revisions`) },
    { name: "api /v1/entities", request: () => get(`${api}/v1/entities`) },
    { name: "api /chat/completions", request: (n) => post(`${api}/chat/completions`, chat(n)) },
    { name: "api /api/ai/summarize", request: (n) => post(`${api}/api/ai/summarize`, { text: any(n).text }) },
    {
      name: "api /v1/ingest/articles",
      request: (n) => post(`${api}/v1/ingest/articles`, itemsOf(any(n), n), { authorization: `Bearer ${ingestToken}` }),
    },
    { name: "retrieval /search", request: (n) => get(`${retrieval}/search?q=${param(words(n))}`) },
    {
      name: "retrieval /retrieve reranked",
      request: (n) => post(`${retrieval}/retrieve`, { query: words(n), rerank: true }),
    },
    { name: "retrieval /passages", request: (n) => post(`${retrieval}/passages`, { query: any(n).title, k: 20 }) },
    {
      name: "retrieval /s1/check-worthiness",
      request: (n) =>
        post(`${retrieval}/s1/check-worthiness`, {
          sentences: Array.from({ length: CHECKED_SENTENCES }, (_, i) => any(n * CHECKED_SENTENCES + i).title),
        }),
    },
    { name: "edge /rag/query", request: (n) => post(`${edge}/rag/query`, { query: any(n).title }, withKey) },
    { name: "edge /llm/chat", request: (n) => post(`${edge}/llm/chat`, chat(n), withKey) },
    { name: "edge /llm/summarize", request: (n) => post(`${edge}/llm/summarize`, { text: any(n).text }, withKey) },
    { name: "nlp /morph", request: (n) => post(`${nlp}/morph`, { text: text(n) }) },
    {
      name: "nlp /morph all",
      request: (n) => post(`${nlp}/morph`, { text: text(n + 1), flag: "*", include_lemma: true }),
    },
    { name: "nlp /ner", request: (n) => post(`${nlp}/ner`, { text: text(n + 2) }) },
    { name: "nlp /re", request: (n) => post(`${nlp}/re`, { text: text(n + 3) }) },
    { name: "nlp /wsd", request: (n) => post(`${nlp}/wsd`, { text: text(n + 4) }) },
    { name: "nlp /dialect/nabra", request: () => get(`${nlp}/dialect/nabra?text=${param(DIALECT_SENTENCE)}`) },
    {
      name: "nlp /dialect/nabra/glossary",
      request: (n) => post(`${nlp}/dialect/nabra/glossary`, { text: text(n).slice(0, 300) }),
    },
    { name: "scraper /profiles", request: () => get(`${scraper}/profiles`) },
    { name: "scraper /runs", request: () => get(`${scraper}/runs`) },
  ];
}

function rowAt(rows: readonly NewsRow[], n: number): NewsRow {
  const row = rows[n % rows.length];
  if (row === undefined) throw new Error("no articles");
  return row;
}

function itemsOf({ title, text, lang }: NewsRow, n: number) {
  const id = `mixed-${n}`;
  const url = `https://mixed.example/${n}`;
  return {
    items: [{ source_id: "mixed", external_id: id, url, title: `${title} ${n}`, content: `${n} ${text}`, lang }],
  };
}
