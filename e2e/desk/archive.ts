import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "@isnad/lib/std";
import { startStack } from "../faults/stack.ts";
import { deskArchive } from "./newsroom.ts";

/** A desk over an archive: where it is, and numbers of what pages are about. */
export type DeskArchive = {
  url: string;
  token: string;
  /** Numbers of articles by their external ids. */
  articles: ReadonlyMap<string, number>;
  /** The largest stories. */
  stories: readonly number[];
  get(path: string): Promise<Record<string, unknown>>;
  post(path: string, body: unknown): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
};

/** Sets how long stages may take until all articles are through, in milliseconds, and how often that is asked. */
const SETTLE_MS = 180_000;
const POLL_MS = 500;

/** Starts the whole stack over a folder of its own, fills it, and waits until every stage is through. */
export async function openDeskArchive(say: (line: string) => void): Promise<DeskArchive> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-desk-"));
  const stack = await startStack(join(dir, "data"), { LOG_LEVEL: "error" });
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
  const post = (path: string, body: unknown) => send(path, { method: "POST", body: JSON.stringify(body) });
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
  return {
    ...{ url, token: tokens.ingest, articles, stories: listed, get, post },
    stop: async () => {
      await stack.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
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
