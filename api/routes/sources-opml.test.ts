import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApi, testApi, TOKEN } from "../testing.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
}, 300_000);
afterAll(() => api.close());

const desk = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
const give = async (body: unknown, headers: Record<string, string> = desk) => {
  const response = await api.app.request("/v1/sources.opml", { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: Object(await response.json()) };
};
const opml = (outlines: string) => `<opml version="2.0"><body>${outlines}</body></opml>`;

test("feeds become sources, come out again, and what cannot be one is named with its reason", async () => {
  const first = await give({
    opml: opml(
      `<outline text="الوطن &amp; شركاه" xmlUrl="https://alwatan.example/rss" language="ar"/>
       <outline text="Harbour" xmlUrl="https://harbour.example/feed"/><outline text="Harbour" xmlUrl="https://harbour.example/feed"/>
       <outline text="old" xmlUrl="ftp://old.example/"/><outline text="in" xmlUrl="http://10.0.0.1/rss"/><outline text="${"x".repeat(300)}" xmlUrl="https://long.example/rss"/>`,
    ),
    active: false,
  });
  expect(first.status).toBe(200);
  expect(first.body.created).toEqual(["alwatan.example", "harbour.example"]);
  const refused = first.body.refused.map(({ address, reason }: Record<string, string>) => [address, reason]);
  expect(refused).toEqual([
    ["https://harbour.example/feed", "duplicate"],
    ["ftp://old.example/", "bad-address"],
    ["http://10.0.0.1/rss", expect.stringMatching(/^feed_url must lead to a public address/)],
    ["https://long.example/rss", expect.stringMatching(/^name /)],
  ]);
  expect(await api.store.sources.get("alwatan.example")).toMatchObject({ name: "الوطن & شركاه", active: false });

  const response = await api.app.request("/v1/sources.opml", { headers: desk });
  expect(response.headers.get("content-type")).toStartWith("text/x-opml");
  const again = await give({ opml: await response.text() });
  expect(again.body).toEqual({ created: [], updated: ["alwatan.example", "harbour.example"], refused: [] });
  expect(await api.store.sources.get("alwatan.example")).toMatchObject({ active: false });
});

test("what is no OPML is told so, and nobody reads feeds' addresses without the desk's right", async () => {
  expect((await give({ opml: "<html></html>" })).body.errors).toEqual({ opml: [expect.stringContaining("no OPML")] });
  expect((await give({ opml: `<opml><body>${"<outline>".repeat(20_000)}` })).status).toBeLessThan(500);
  expect((await give({})).status).toBe(422);
  expect((await give({ opml: opml("") }, { "content-type": "application/json" })).status).toBe(401);
  expect((await api.app.request("/v1/sources.opml")).status).toBe(401);
});
