import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "@isnad/lib/std";
import { writeProfiles } from "../../cli/demo/demo.ts";
import { readNewsroom, startSite } from "../../cli/demo/site.ts";
import { startStack } from "../faults/stack.ts";
import { deskArchive, HOSTILE_TEXT } from "./newsroom.ts";

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
