import { afterAll, beforeAll, expect, test } from "bun:test";
import { NO_PULL_COUNTS } from "@isnad/lib/store";
import { type TestDesk, testDesk } from "../testing/desk.ts";

/** The scraper, as the door finds it: one profile, and a site that it looks at. */
let scraper: ReturnType<typeof Bun.serve>;
let asked: { path: string; body: unknown }[];
let desk: TestDesk;
beforeAll(async () => {
  asked = [];
  scraper = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push({ path: pathname, body: request.method === "POST" ? await request.json() : undefined });
      if (pathname === "/profiles") return Response.json([PROFILE]);
      if (pathname === "/profiles/draft") return Response.json(DRAFT);
      if (request.method === "POST")
        return Response.json({ run_id: "r", profile_id: "paper", status: "queued" }, { status: 202 });
      return Response.json({ runs: [], next_cursor: null });
    },
  });
  desk = await testDesk({ SCRAPER_URL: `http://127.0.0.1:${scraper.port}` });
}, 300_000);
afterAll(async () => {
  await desk.close();
  await scraper.stop(true);
});

const PROFILE = {
  name: "paper",
  source: { id: "paper.example" },
  status: { next_run: "2026-11-28T12:00:00Z", warnings: ["a selector <b>matched nothing</b>"] },
};
const DRAFT = {
  profile: { name: "paper", enabled: false },
  ...{ url: "https://paper.example/", name: `الورق <img src=x>`, language: "ar", timezone: "Africa/Cairo" },
  feeds: [{ url: "https://paper.example/feed", title: "", entries: 12 }],
  articles: [
    { url: "https://paper.example/1", title: "خبر", words: 120, published_at: null, read_well: true, why: null },
  ],
  ...{ notes: ["timezone is a guess"], requests: 4 },
};

const led = (response: Response) => [response.status, response.headers.get("location")];

test("a source is looked at, registered, pulled, switched off and on, and removed by forms alone", async () => {
  const looked = await desk.form("/sources/preview", { url: "https://paper.example/" });
  const html = await looked.text();
  expect(looked.status).toBe(200);
  expect(html).toContain("الورق &lt;img src=x&gt;");
  expect(asked.at(-1)).toMatchObject({ path: "/profiles/draft", body: { url: "https://paper.example/" } });
  expect((await desk.page("/sources")).document.querySelectorAll(".entry")).toHaveLength(0);

  const fields = {
    key: "paper.example",
    name: "الورق",
    feed_url: DRAFT.feeds[0]?.url ?? "",
    tier: "2",
    language: "ar",
  };
  const at = "/sources/paper.example";
  expect(led(await desk.form("/sources/new", fields))).toEqual([303, `${at}?done=registered`]);
  const { document } = await desk.page("/sources");
  expect(document.querySelector(".entry h2")?.textContent).toBe("الورق");
  expect(led(await desk.form(at, { do: "pull" }))).toEqual([303, `${at}?done=queued`]);
  const pull = await desk.store.pulls.claim({ owner: "w", leaseS: 3_600 });
  expect(pull?.sourceKey).toBe("paper.example");
  await desk.store.pulls.finish(pull?.runId ?? "", "w", { status: "succeeded", counts: NO_PULL_COUNTS });
  expect((await desk.page(at)).document.querySelector("main")?.textContent).toContain("next pull");
  expect(led(await desk.form(at, { do: "off", back: "list" }))).toEqual([303, "/sources?done=saved"]);
  expect((await desk.store.sources.get("paper.example"))?.active).toBe(false);
  await desk.form(at, { do: "on" });
  expect(led(await desk.form(at, { do: "run", profile: "paper" }))).toEqual([303, `${at}?done=queued`]);
  expect(asked.at(-1)).toEqual({ path: "/runs", body: { profile_id: "paper" } });
  const page = await desk.page(at);
  expect(page.document.querySelector("main")?.textContent).toContain("a selector <b>matched nothing</b>");
  // Nothing is removed by a form that was not confirmed.
  await desk.form(at, { do: "remove" });
  expect(await desk.store.sources.get("paper.example")).toBeDefined();
  expect(led(await desk.form(at, { do: "remove", sure: "yes" }))).toEqual([303, "/sources?done=removed"]);
  expect(await desk.store.sources.get("paper.example")).toBeUndefined();
});

test("wrong input is told on a page, and a form of another site changes nothing", async () => {
  const wrong = await desk.form("/sources/new", { key: "x", name: "x", feed_url: "file:///etc/passwd", tier: "9" });
  expect(wrong.status).toBe(422);
  expect(await wrong.text()).toContain("feed_url");
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  expect((await desk.form("/sources/new", { key: "x" }, foreign)).status).toBe(403);
  expect((await desk.form("/sources/nobody", { do: "off" })).status).toBe(404);
  expect((await desk.form("/sources/nobody", {})).status).toBe(400);
});

test("lists of feeds go out and come in", async () => {
  const opml = `<opml version="2.0"><body><outline text="Harbour" xmlUrl="https://harbour.example/feed"/></body></opml>`;
  const brought = await desk.form("/sources/import", { opml });
  expect(await brought.text()).toContain("1 registered, 0 known, 0 passed over.");
  const { response } = await desk.page("/sources.opml");
  expect(response.headers.get("content-disposition")).toContain("isnad.opml");
  expect(await response.text()).toContain("https://harbour.example/feed");
});
