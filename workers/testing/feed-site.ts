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
      const response = answer(request, site);
      site.answers.push(response.status);
      return response;
    },
  });
  site.host = `127.0.0.1:${server.port}`;
  site.url = `http://${site.host}/feed.xml`;
  site.stop = () => server.stop(true);
  return site;
}

function answer(request: Request, site: FeedSite): Response {
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
