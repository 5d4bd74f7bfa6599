import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { HttpEnv } from "@isnad/lib/service/http";
import { Hono } from "hono";
import { createSessions, type SessionDeps } from "./desk.tsx";
import { type TestDesk, testDesk } from "./testing/desk.ts";

let desk: TestDesk;
let key: string;
beforeAll(async () => {
  desk = await testDesk({ APP_ENV: "production", METRICS_TOKEN: "m" });
  ({ key } = await desk.store.keys.create({ name: "editor", scopes: ["read", "desk"] }));
}, 300_000);
afterAll(() => desk.close());

const cookieOf = (response: Response): string => response.headers.get("set-cookie")?.split(";")[0] ?? "";
const signIn = async (headers: Record<string, string> = {}): Promise<string> =>
  cookieOf(await desk.form("/sign-in", { key, next: "/" }, headers));

/** Returns who reads, as sessions over other parts tell. */
async function readerOf({
  config = desk.config,
  access = desk.access,
  headers = {},
  url = "http://localhost/",
}: Partial<SessionDeps> & { headers?: Record<string, string>; url?: string }): Promise<unknown> {
  const sessions = createSessions({ config, access, store: desk.store });
  const app = new Hono<HttpEnv>();
  app.get("/", async (c) => c.json((await sessions.readerOf(c))?.kind ?? "none"));
  return await (await app.request(url, { headers })).json();
}

describe("the desk", () => {
  test("leads whoever is not signed in to the page of signing in, and back", async () => {
    const { response } = await desk.page("/?x=1");
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/sign-in");
    const deep = await desk.page("/nowhere");
    expect(deep.response.status).toBe(404);
    const answer = await desk.form("/sign-in", { key, next: "/stories/7?x=1" });
    expect(answer.headers.get("location")).toBe("/stories/7?x=1");
  });

  test("opens with a key of scope desk alone", async () => {
    const reader = await desk.store.keys.create({ name: "reader", scopes: ["read"] });
    for (const wrong of [reader.key, "nonsense", "", "a b\u0000"]) {
      const answer = await desk.form("/sign-in", { key: wrong, next: "/" });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    const { response, document } = await desk.page("/", { headers: { cookie: await signIn() } });
    expect(response.status).toBe(200);
    expect(document.querySelector("h1")?.textContent).toBe("Today");
  });

  test("keeps its cookie from scripts and from other sites, and pages from frames", async () => {
    const answer = await desk.form("/sign-in", { key, next: "/" });
    const cookie = answer.headers.get("set-cookie") ?? "";
    for (const part of ["HttpOnly", "SameSite=Strict", "Path=/"]) expect(cookie).toContain(part);
    const { response } = await desk.page("/sign-in");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });

  test("gives a new session at each signing in, and takes none that somebody else has set", async () => {
    const set = `isnad_desk=${"a".repeat(43)}`;
    const first = await signIn({ cookie: set });
    expect(first).not.toBe(set);
    const second = await signIn({ cookie: first });
    expect(second).not.toBe(first);
    expect((await desk.page("/", { headers: { cookie: first } })).response.status).toBe(303);
    expect((await desk.page("/", { headers: { cookie: set } })).response.status).toBe(303);
    expect((await desk.page("/", { headers: { cookie: second } })).response.status).toBe(200);
  });

  test("ends a session at signing out, and when its key is good for the desk no more", async () => {
    const cookie = await signIn();
    await desk.form("/sign-out", {}, { cookie });
    expect((await desk.page("/", { headers: { cookie } })).response.status).toBe(303);
    const other = await signIn();
    expect(await readerOf({ headers: { cookie: other } })).toBe("session");
    const revoked = { ...desk.access, grants: async () => false };
    expect(await readerOf({ headers: { cookie: other }, access: revoked })).toBe("none");
  });

  test("is open without a key in the local environment alone, on a host and by a name of this machine", async () => {
    const local = { ...desk.config, appEnv: "local", host: "127.0.0.1" };
    expect(await readerOf({ config: local })).toBe("local");
    expect(await readerOf({ config: { ...local, host: "0.0.0.0" } })).toBe("none");
    expect(await readerOf({ config: { ...local, appEnv: "production" } })).toBe("none");
    expect(await readerOf({ config: local, url: "http://desk.example/" })).toBe("none");
  });

  test("takes no form of another origin, of another port, or of nobody", async () => {
    const cookie = await signIn();
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "http://127.0.0.1:1" },
      { origin: "null" },
      { origin: "" },
      { origin: desk.site, "sec-fetch-site": "same-site" },
      { origin: desk.site, "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await desk.form("/sign-out", {}, { cookie, ...headers });
      expect(answer.status).toBe(403);
    }
    expect((await desk.page("/", { headers: { cookie } })).response.status).toBe(200);
  });

  test("goes nowhere else after signing in", async () => {
    for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/\n/x"]) {
      const answer = await desk.form("/sign-in", { key, next });
      expect(answer.headers.get("location")).toBe("/");
    }
  });

  test("keeps no key in the database that could be read there", async () => {
    const cookie = await signIn();
    const sql = new Bun.SQL(desk.url, { max: 1 });
    const rows = await sql`select encode(sealed_key, 'escape') as sealed, token_hash from desk_sessions`;
    await sql.end();
    expect(rows.length).toBeGreaterThan(0);
    for (const { sealed } of rows) expect(sealed).not.toContain(key.slice(0, 12));
    expect(JSON.stringify(rows)).not.toContain(cookie.split("=")[1] ?? "");
  });

  test("has a visit from another site's link come again with its cookie", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    const { response } = await desk.page("/?a=1", { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("refresh")).toBe("0;url=/?a=1");
  });
});
