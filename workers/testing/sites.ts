import type { ListedProfile, NormalizedItem } from "@isnad/lib/contract";

/** An entry of the feed that a {@link FeedSite} serves. */
type SiteEntry = { id: string; title: string; body: string; extra?: string };

/** A site with a feed on loopback, which a test changes while it runs. It answers conditional requests. */
export type FeedSite = {
  /** Address of the feed. */
  url: string;
  host: string;
  entries: SiteEntry[];
  /** Language that the feed declares. */
  language: string;
  /** The next requests for the feed get this status instead, while it is set. */
  failWith: number | undefined;
  /** Leave out the validators. */
  unconditional: boolean;
  /** Serve this instead of the feed. */
  instead: { body: string; type: string } | undefined;
  /** Called before the feed is answered. */
  before: () => Promise<void>;
  /** Statuses of the answers given for the feed. */
  answers: number[];
  stop(): Promise<void>;
};

/** Starts the site on a free port. */
export function startFeedSite(): FeedSite {
  const site: FeedSite = {
    url: "",
    host: "",
    entries: [],
    language: "ar",
    failWith: undefined,
    unconditional: false,
    instead: undefined,
    before: async () => {},
    answers: [],
    stop: async () => {},
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (new URL(request.url).pathname !== "/feed.xml") return new Response("", { status: 404 });
      await site.before();
      const response = answerFeed(request, site);
      site.answers.push(response.status);
      return response;
    },
  });
  site.host = `127.0.0.1:${server.port}`;
  site.url = `http://${site.host}/feed.xml`;
  site.stop = () => server.stop(true);
  return site;
}

function answerFeed(request: Request, site: FeedSite): Response {
  if (site.failWith !== undefined) return new Response("", { status: site.failWith });
  if (site.instead) return new Response(site.instead.body, { headers: { "Content-Type": site.instead.type } });
  const body = feedOf(site);
  const etag = `"${Bun.hash(body).toString(36)}"`;
  if (!site.unconditional && request.headers.get("if-none-match") === etag) return new Response(null, { status: 304 });
  const headers = { "Content-Type": "application/rss+xml; charset=utf-8", ...(!site.unconditional && { ETag: etag }) };
  return new Response(body, { headers });
}

function feedOf({ entries, language, host }: FeedSite): string {
  const items = entries.map(
    ({ id, title, body, extra = "" }) => `<item><guid isPermaLink="false">${id}</guid><title>${title}</title>
      <link>http://${host}/news/${id}</link><pubDate>Mon, 06 May 2024 07:00:00 +0300</pubDate>
      <description><![CDATA[${body}]]></description>${extra}</item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>News</title>
    <link>http://${host}/</link><language>${language}</language>${items.join("")}</channel></rss>`;
}

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
    fetch: (request) => answerNewsdata(request, site),
  });
  site.url = `http://127.0.0.1:${server.port}`;
  site.stop = () => server.stop(true);
  return site;
}

async function answerNewsdata(request: Request, site: NewsdataSite): Promise<Response> {
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

/** The scraper's routes that the pull side uses, on loopback, as document 001 describes them. */
export type ScraperSite = {
  url: string;
  token: string;
  profiles: ListedProfile[];
  /** Normalized items by the profile that they come from. */
  items: Record<string, NormalizedItem[]>;
  /** Says why profiles fail, as the metadata tell. */
  errors: Record<string, string>;
  /** Bodies of the scrapes asked for. */
  scrapes: Record<string, unknown>[];
  stop(): Promise<void>;
};

/** Starts the stand-in of the scraper on a free port. */
export function startScraperSite(token = "scraper-token"): ScraperSite {
  const site: ScraperSite = { url: "", token, profiles: [], items: {}, errors: {}, scrapes: [], stop: async () => {} };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === "GET" && pathname === "/profiles") return Response.json(site.profiles);
      if (request.method !== "POST" || pathname !== "/scrape") return new Response("", { status: 404 });
      if (request.headers.get("authorization") !== `Bearer ${token}`) {
        const problem = {
          type: "/errors/unauthorized",
          title: "Unauthorized",
          status: 401,
          detail: "A token is required.",
        };
        return Response.json(problem, { status: 401 });
      }
      const body: Record<string, unknown> & { sources: string[]; limit?: number } = JSON.parse(await request.text());
      site.scrapes.push(body);
      const { sources } = body;
      const results = sources.flatMap((name) => (site.items[name] ?? []).slice(0, body.limit));
      const metadata = { total_articles: results.length, sources_processed: sources, processing_time_ms: 1 };
      const errors = Object.keys(site.errors).length > 0 ? { errors: site.errors } : {};
      return Response.json({ results, metadata: { ...metadata, ...errors }, errors: [] });
    },
  });
  site.url = `http://127.0.0.1:${server.port}`;
  site.stop = () => server.stop(true);
  return site;
}

/** A profile as `GET /profiles` shows it. */
export function profile(name: string, over: Partial<ListedProfile> = {}): ListedProfile {
  const source = { id: `${name}-desk`, name: `The ${name}`, tier: 1, homepage: `https://${name}.example/` };
  return { name, enabled: true, language: "ar", source, ...over };
}

/** A normalized item. */
export function normalized(source: string, n: number, over: Partial<NormalizedItem> = {}): NormalizedItem {
  return {
    id: `${source}-${n}`,
    title: `خبر ${n} من ${source}`,
    content: `${"قال المتحدث إن أعمال الصيانة تنتهي قبل نهاية الشهر. ".repeat(6)}${source} ${n}`,
    url: `https://${source}.example/${n}`,
    published_at: "2025-11-10T08:00:00Z",
    source,
    category: "economy",
    language: "ar",
    canonical_url: `https://${source}.example/${n}`,
    authors: ["منى حداد"],
    images: [`https://${source}.example/${n}.jpg`],
    provider: "desk",
    ...over,
  };
}
