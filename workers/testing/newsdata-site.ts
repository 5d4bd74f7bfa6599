/** A result as newsdata.io documents it. */
type NewsdataResult = Record<string, unknown> & { article_id: string; pubDate: string };

/** An imitation of newsdata.io on loopback, as its documentation describes the service. */
export type NewsdataSite = {
  url: string;
  /** The key that it takes. */
  key: string;
  /** All its articles, newest first. */
  results: NewsdataResult[];
  pageSize: number;
  /** Requests that it has seen: path, parameters, and whether the key was in a header. */
  requests: { path: string; parameters: Record<string, string>; byHeader: boolean }[];
  /** Holds what the next requests get instead, in order. */
  faults: { status: number; code?: string; message?: string; headers?: Record<string, string>; body?: string }[];
  /** Called before a request is answered. */
  before: (page: number) => Promise<void>;
  stop(): Promise<void>;
};

const KNOWN = {
  latest: ["apikey", "q", "language", "country", "category", "page", "size"],
  archive: ["apikey", "q", "language", "country", "category", "page", "size", "from_date", "to_date"],
};

/** Says which site the next results belong to: no two sites have an article with the same content. */
let edition = 0;

/** Starts the imitation on a free port. */
export function startNewsdataSite(key = "pub_0123456789abcdef"): NewsdataSite {
  edition += 1;
  const site: NewsdataSite = {
    url: "",
    key,
    results: [],
    pageSize: 10,
    requests: [],
    faults: [],
    before: async () => {},
    stop: async () => {},
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: (request) => answer(request, site),
  });
  site.url = `http://127.0.0.1:${server.port}`;
  site.stop = () => server.stop(true);
  return site;
}

async function answer(request: Request, site: NewsdataSite): Promise<Response> {
  const url = new URL(request.url);
  const parameters = Object.fromEntries(url.searchParams);
  const header = request.headers.get("x-access-key");
  site.requests.push({ path: url.pathname, parameters, byHeader: header !== null });
  const page = Number(parameters.page?.replace("page-", "") ?? 0);
  await site.before(page);
  const fault = site.faults.shift();
  if (fault) {
    const { status, code = "", message = "", headers = {}, body } = fault;
    return new Response(body ?? errorBody(code, message), { status, headers });
  }
  const mode = url.pathname === "/api/1/latest" ? "latest" : url.pathname === "/api/1/archive" ? "archive" : undefined;
  if (mode === undefined) return new Response("not found", { status: 404 });
  if ((header ?? parameters.apikey) !== site.key) {
    return new Response(errorBody("Unauthorized", "The provided API key is not valid."), { status: 401 });
  }
  const unknown = Object.keys(parameters).find((name) => !KNOWN[mode].includes(name));
  if (unknown !== undefined) {
    return new Response(errorBody("UnsupportedParameter", `The ${unknown} parameter is not supported.`), {
      status: 422,
    });
  }
  const matching = site.results.filter((result) => matches(result, parameters));
  const from = page * site.pageSize;
  const results = matching.slice(from, from + site.pageSize);
  const nextPage = from + site.pageSize < matching.length ? `page-${page + 1}` : null;
  return Response.json({ status: "success", totalResults: matching.length, results, nextPage });
}

function errorBody(code: string, message: string): string {
  return JSON.stringify({ status: "error", results: { message, code } });
}

function matches(result: NewsdataResult, { q, language, from_date, to_date }: Record<string, string>): boolean {
  const names: Record<string, string> = { ar: "arabic", en: "english" };
  const day = result.pubDate.slice(0, 10);
  return (
    (q === undefined || String(result.title).toLowerCase().includes(q.toLowerCase())) &&
    (language === undefined || language.split(",").some((code) => names[code] === result.language)) &&
    (from_date === undefined || day >= from_date) &&
    (to_date === undefined || day <= to_date)
  );
}

/** A result of the site that was started last; `over` replaces or adds fields. */
export function newsdataResult(n: number, over: Record<string, unknown> = {}): NewsdataResult {
  const pubDate = new Date(Date.UTC(2025, 10, 10, 12) - n * 60_000).toISOString().slice(0, 19).replace("T", " ");
  return {
    article_id: `a${String(n).padStart(4, "0")}`,
    link: `https://paper.example/${n}`,
    title: `Report number ${n}`,
    description: "A short description.",
    content: `${"Ministers met in the capital to speak about water. ".repeat(6)}Report ${n}, edition ${edition}.`,
    keywords: ["water"],
    creator: ["Mona Haddad"],
    language: "english",
    country: ["jordan"],
    category: ["top", "business"],
    pubDate,
    pubDateTZ: "UTC",
    image_url: `https://paper.example/${n}.jpg`,
    video_url: null,
    source_id: "paper",
    source_name: "The Paper",
    source_priority: 1000,
    source_url: "https://paper.example",
    source_icon: null,
    sentiment: "ONLY AVAILABLE IN PROFESSIONAL AND CORPORATE PLANS",
    duplicate: false,
    ...over,
  };
}
