import type { ListedProfile, NormalizedItem } from "@isnad/lib/contract";

/** The scraper's routes that the pull side uses, on loopback, as document 001 describes them. */
export type ScraperSite = {
  url: string;
  token: string;
  profiles: ListedProfile[];
  /** Normalized items by the profile that they come from. */
  items: Record<string, NormalizedItem[]>;
  /** Why profiles fail, as the metadata tell. */
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
