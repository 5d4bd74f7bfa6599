import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "@isnad/lib/std";
import { writeProfiles } from "../../cli/demo/main.ts";
import { type DemoArticle, readNewsroom, startSite } from "../../cli/demo/site.ts";
import { startStack } from "../faults/stack.ts";

/** The sources of the archive; the first wrote what the others took. */
const SOURCES = ["almarsa", "harbour-post", "al-jarida", "sahlan-wire"] as const;

/** An item of the ingest route. */
type Item = Record<string, unknown> & { external_id: string; source_id: string };

/** Articles that others take from the newsroom, by their slugs: each with a credit, the last one cut short. */
const TAKEN: readonly string[] = ["central-bank-rate", "budget-vote", "museum-bronzes"];

/** Letters without a space, markup and controls of direction, where a source would have written a text. */
const HOSTILE = {
  word: "ب".repeat(5_000) + "w".repeat(5_000),
  markup: `<script>alert(1)</script><img src=x onerror="alert(2)"> & "quoted" 'single'`,
  controls: "\u202eturned round\u202c \u2067isolated\u2069 \u200f",
};

/** A text that carries all of it, as short as the shortest field is. */
const HOSTILE_TEXT = `${HOSTILE.markup} ${HOSTILE.controls} ${"w".repeat(250)}`.slice(0, 250);

/**
 * Returns the articles of the archive that pages are looked at with: the demo's newsroom, brought forward so that its
 * newest article is of today, what three sources took from it, and one that carries what no article should.
 */
function deskArchive(now: number = Date.now()): Item[] {
  const newsroom = readNewsroom();
  const newest = Math.max(...newsroom.map(({ publishedAt }) => Date.parse(publishedAt)));
  const shift = now - 3 * 3_600_000 - newest;
  const moved = (at: string, minutes = 0) => new Date(Date.parse(at) + shift + minutes * 60_000).toISOString();
  // What others took is of today, so that the first page has stories.
  const timeOf = ({ slug, publishedAt }: DemoArticle, minutes = 0) => {
    const place = TAKEN.indexOf(slug);
    const today = new Date(now - (place + 5) * 3_600_000).toISOString();
    return place < 0 ? moved(publishedAt, minutes) : new Date(Date.parse(today) + minutes * 60_000).toISOString();
  };
  const items: Item[] = newsroom.map((article, i) => {
    const { slug, lang, title, content, author, section } = article;
    return {
      ...{ source_id: lang === "ar" ? SOURCES[0] : SOURCES[1], external_id: `${lang}-${slug}`, title, content, lang },
      ...{ url: `https://${lang === "ar" ? "almarsa" : "harbour-post"}.example/${slug}`, authors: [author] },
      ...{
        category: section,
        published_at: timeOf(article),
        images: i % 3 === 0 ? [`https://img.example/${slug}`] : [],
      },
    };
  });
  const copies = TAKEN.flatMap((slug): Item[] => {
    const origin = newsroom.find((article) => article.slug === slug);
    if (origin === undefined) return [];
    const { lang, title, content } = origin;
    const credit = lang === "ar" ? "بحسب صحيفة المرسى، " : "According to the Harbour Post, ";
    const paragraphs = content.split("\n\n");
    const more = lang === "ar" ? "وأضافت الصحيفة أن تفاصيل أخرى ستُنشر لاحقًا." : "More details will follow, it said.";
    return [
      ...[
        { source: SOURCES[2], text: `${credit}${content}`, minutes: 42, head: title },
        { source: SOURCES[3], text: `${paragraphs.slice(0, 2).join("\n\n")}\n\n${more}`, minutes: 95, head: title },
      ].map(({ source, text, minutes, head }) => ({
        ...{ source_id: source, external_id: `${source}-${slug}`, title: head, content: text, lang },
        ...{ url: `https://${source}.example/${slug}`, published_at: timeOf(origin, minutes) },
      })),
    ];
  });
  const { word, markup, controls } = HOSTILE;
  const hostile: Item = {
    ...{ source_id: "hostile", external_id: "hostile-1", url: "https://hostile.example/1", lang: "en" },
    title: `${markup} ${controls} ${"w".repeat(300)}`.slice(0, 500),
    content: `The <b>ministry</b> said inflation fell to 4.2 per cent in October, the lowest since 2019. Exports rose by 12 per cent to 410 million dinars last year, the central bank said. ${controls} ${word} AT&amp;T &lt;b&gt;bold&lt;/b&gt; `,
    ...{ authors: [`${"o".repeat(200)} ${markup}`.slice(0, 250)], category: `${markup}`.slice(0, 60) },
    published_at: moved(new Date(newest).toISOString(), 10),
  };
  return [...items, ...copies, hostile];
}

/** A desk over an archive: where it is, and numbers of what pages are about. */
export type DeskArchive = {
  url: string;
  token: string;
  /** Numbers of articles by their external ids. */
  articles: ReadonlyMap<string, number>;
  /** The largest stories. */
  stories: readonly number[];
  /** A text that no field should carry, and the claim of an article that is made of such. */
  hostile: { text: string; claim: number };
  /** The address of a news site that the crawler may reach. */
  site: string;
  get(path: string): Promise<Record<string, unknown>>;
  post(path: string, body: unknown, method?: "POST" | "PATCH"): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
};

/** Sets how long stages may take until all articles are through, in milliseconds, and how often that is asked. */
const SETTLE_MS = 180_000;
const POLL_MS = 500;

/** Starts the whole stack over a folder of its own, fills it, and waits until every stage is through. */
export async function openDeskArchive(say: (line: string) => void): Promise<DeskArchive> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-desk-"));
  const site = await startSite(readNewsroom(), 0);
  const profiles = join(dir, "profiles");
  writeProfiles(profiles, site.origin);
  const stack = await startStack(join(dir, "data"), {
    ...{ LOG_LEVEL: "error", PROFILES_DIR: profiles, SCRAPER_ALLOW_PRIVATE_HOSTS: new URL(site.origin).host },
  });
  const stop = async () => {
    await stack.stop();
    await site.close();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const { urls, tokens } = stack.info();
    const url = (urls.api ?? "").replace(/\/$/, "");
    const send = async (path: string, init: RequestInit): Promise<Record<string, unknown>> => {
      const headers = { authorization: `Bearer ${tokens.ingest}`, "content-type": "application/json" };
      const response = await fetch(`${url}${path}`, { ...init, headers });
      const body: unknown = await response.json();
      if (!response.ok || !isObject(body)) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
      return body;
    };
    const get = (path: string) => send(path, {});
    const post: DeskArchive["post"] = (path, body, method = "POST") =>
      send(path, { method, body: JSON.stringify(body) });
    const items = deskArchive();
    const { results } = await post("/v1/ingest/articles", { articles: items });
    const articles = new Map(
      (Array.isArray(results) ? results : []).map((result, i) => [
        items[i]?.external_id ?? "",
        Number(result.article_id),
      ]),
    );
    say(`${items.length} articles sent`);
    await revise(post, items);
    await settle(get, [...articles.values()]);
    const { stories } = await get("/v1/stories?min_size=2&sort=size&limit=20&from=2000-01-01");
    const listed = Array.isArray(stories) ? stories.map((story) => Number(story.story_id)) : [];
    say(`${listed.length} stories`);
    const hostile = { text: HOSTILE_TEXT, claim: await plantHostile({ get, post }, articles.get("hostile-1") ?? 0) };
    return {
      ...{ url, token: tokens.ingest, articles, stories: listed, hostile, site: `${site.origin}/`, get, post },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Puts hostile texts into a source, a saved search, and the review of a claim. Returns the claim's number. */
async function plantHostile({ get, post }: Pick<DeskArchive, "get" | "post">, articleId: number): Promise<number> {
  const { claims } = await get(`/v1/articles/${articleId}/claims`);
  const claim = Array.isArray(claims) ? Number(claims[0]?.claim_id) : Number.NaN;
  if (!Number.isSafeInteger(claim)) throw new Error("the hostile article makes no claim");
  const source = { name: HOSTILE_TEXT, provider: "rss", feed_url: "https://hostile.example/feed", active: false };
  await post("/v1/sources/hostile", source, "PATCH");
  await post("/v1/searches", { name: HOSTILE_TEXT.slice(0, 190), query: { q: "harbour" }, notify: { digest: "none" } });
  const review = {
    claim_id: claim,
    rating: 2,
    rating_text: HOSTILE_TEXT,
    publisher: HOSTILE_TEXT,
    claimant: HOSTILE_TEXT,
  };
  await post("/v1/reviews", review);
  return claim;
}

/** Has the source of an article say something else than before. */
async function revise(post: DeskArchive["post"], items: ReturnType<typeof deskArchive>): Promise<void> {
  const item = items.find(({ external_id }) => external_id === "ar-central-bank-rate");
  if (item === undefined) return;
  const content = String(item.content)
    .replace(/\d+/, "7")
    .concat("\n\nتصحيح: وردت نسبة خاطئة في نسخة سابقة من هذا الخبر.");
  const { summary } = await post("/v1/ingest/revisions", { articles: [{ ...item, content }] });
  if (!isObject(summary) || summary.recorded !== 1) throw new Error("the revision was not recorded");
}

/** Waits until no stage has work left on the articles. */
async function settle(get: DeskArchive["get"], ids: readonly number[]): Promise<void> {
  const end = Date.now() + SETTLE_MS;
  const open = new Set(ids);
  while (open.size > 0) {
    for (const id of open) {
      const { state, stages, story_id } = await get(`/v1/articles/${id}`);
      if (state !== "indexed" || (Array.isArray(stages) && stages.length > 0) || story_id === null) break;
      open.delete(id);
    }
    if (open.size === 0) return;
    if (Date.now() > end) throw new Error(`${open.size} articles are not through after ${SETTLE_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
