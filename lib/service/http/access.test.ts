import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { KeyRecord, Scope } from "../../contract/state-v1.ts";
import { loadConfig } from "../config/mod.ts";
import { bearer, bearerToken, headerToken, networkOf, optionalHeaderToken, tokenMatcher } from "./access.ts";
import { testService } from "./testing.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const keyOf = (text: string, scopes: Scope[], over: Partial<KeyRecord> = {}): KeyRecord => ({
  ...{ key_id: text.slice(0, 8), hash: sha256(text), scopes, rate_per_min: null, expires_at: null },
  ...over,
});

/** A service with a route of each kind, whose keys are `keys`. */
function service(keys: KeyRecord[], env: Record<string, string> = {}) {
  const config = loadConfig({ INTERNAL_TOKEN: "internal", ...env });
  const made = testService({
    config,
    access: {
      keys: { load: async () => keys },
      roles: [{ tokens: ["ingest"], place: "bearer", rights: ["read", "ingest", "desk", "delete"] }],
    },
  });
  const { app, access } = made;
  app.get("/read", access.read(), (c) => c.text(c.var.client));
  app.post("/ingest", access.require("ingest"), (c) => c.text("ok"));
  app.post("/desk", access.require("desk"), (c) => c.text("ok"));
  app.delete("/article", access.require("delete"), (c) => c.text("ok"));
  app.post("/internal", access.require("internal"), (c) => c.text("ok"));
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) =>
    await app.request(path, { method, headers });
  const all = async (headers: Record<string, string>) => {
    const routes = ["GET /read", "POST /ingest", "POST /desk", "DELETE /article", "POST /internal"];
    const statuses = routes.map(async (route) => {
      const [method = "", path = ""] = route.split(" ");
      return (await ask(method, path, headers)).status;
    });
    return await Promise.all(statuses);
  };
  return { ...made, ask, all };
}

describe("who may do what", () => {
  const KEYS = [
    keyOf("reader-key", ["read"]),
    keyOf("pusher-key", ["ingest"]),
    keyOf("editor-key", ["read", "desk"]),
    keyOf("desk-key", ["desk"]),
    keyOf("boss-key", ["admin"]),
    keyOf("old-key", ["admin"], { expires_at: "2020-01-01T00:00:00.000Z" }),
  ];
  test.each([
    ["reader-key", [200, 403, 403, 403, 403]],
    ["pusher-key", [403, 200, 403, 403, 403]],
    ["editor-key", [200, 403, 200, 403, 403]],
    ["desk-key", [200, 403, 200, 403, 403]],
    ["boss-key", [200, 200, 200, 200, 403]],
    ["old-key", [401, 401, 401, 401, 401]],
    ["nothing-like-it", [401, 401, 401, 401, 401]],
  ])("%s, in either header", async (credential, statuses) => {
    const { all } = service(KEYS);
    expect(await all({ authorization: `Bearer ${credential}` })).toEqual(statuses);
    expect(await all({ "x-api-key": credential })).toEqual(statuses);
  });

  test("a token of the environment, in its own header alone", async () => {
    const { all } = service(KEYS);
    expect(await all({ authorization: "Bearer ingest" })).toEqual([200, 200, 200, 200, 403]);
    expect(await all({ "x-api-key": "ingest" })).toEqual([401, 401, 401, 401, 401]);
    expect(await all({ "x-internal-token": "internal" })).toEqual([200, 403, 403, 403, 200]);
    expect(await all({ "x-api-key": "internal" })).toEqual([401, 401, 401, 401, 401]);
  });

  test("without a credential reading is open until a key of scope read is in force, or public keys are set", async () => {
    expect(await service([]).all({})).toEqual([200, 401, 401, 401, 401]);
    expect(await service([keyOf("pusher-key", ["ingest"])]).all({})).toEqual([200, 401, 401, 401, 401]);
    expect(await service(KEYS).all({})).toEqual([401, 401, 401, 401, 401]);
    const { all } = service([], { API_PUBLIC_KEYS: "public" });
    expect(await all({})).toEqual([401, 401, 401, 401, 401]);
    expect(await all({ "x-api-key": "public" })).toEqual([200, 403, 403, 403, 403]);
  });

  test("401 says how to come back, 403 that it is known", async () => {
    const { ask } = service(KEYS);
    for (const [method, path] of [
      ["POST", "/ingest"],
      ["GET", "/read"],
    ] as const) {
      expect((await ask(method, path)).headers.get("www-authenticate")).toBe("Bearer");
    }
    const wrong = await ask("POST", "/ingest", { authorization: "Bearer x" });
    expect(wrong.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    const forbidden = await ask("POST", "/ingest", { "x-api-key": "reader-key" });
    expect(await forbidden.json()).toMatchObject({ type: "/errors/forbidden", status: 403 });
  });
});

test("a key that is revoked is refused soon, and one that is new is known", async () => {
  const keys = [keyOf("first-key", ["ingest"])];
  const { ask } = service(keys);
  const status = async (key: string) => (await ask("POST", "/ingest", { "x-api-key": key })).status;
  expect([await status("first-key"), await status("second-key")]).toEqual([200, 401]);
  keys.splice(0, 1, keyOf("second-key", ["ingest"]));
  while ((await status("first-key")) !== 401) await Bun.sleep(20);
  expect(await status("second-key")).toBe(200);
});

test("a key's own rate holds for it alone; the rate of all clients holds for each on the routes that read", async () => {
  const { ask } = service([keyOf("slow-key", ["read", "ingest"], { rate_per_min: 2 })], { CLIENT_RATE_PER_MIN: "3" });
  const statuses = async (path: string, headers: Record<string, string>) => {
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push((await ask(path === "/read" ? "GET" : "POST", path, headers)).status);
    return answers;
  };
  expect(await statuses("/read", { "x-api-key": "slow-key" })).toEqual([200, 200, 429, 429]);
  const refused = await ask("POST", "/ingest", { "x-api-key": "slow-key" });
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await statuses("/ingest", { authorization: "Bearer ingest" })).toEqual([200, 200, 200, 200]);
  expect(await statuses("/read", { authorization: "Bearer ingest" })).toEqual([200, 200, 200, 429]);
  expect(await statuses("/read", { "x-internal-token": "internal" })).toEqual([200, 200, 200, 200]);
});

describe("whose a request is", () => {
  test("its key's, and what a service of the platform says; nobody else is believed", async () => {
    const { ask } = service([keyOf("reader-key", ["read"])]);
    const client = async (headers: Record<string, string>) => (await ask("GET", "/read", headers)).text();
    expect(await client({ "x-api-key": "reader-key" })).toBe("key:reader-k");
    expect(await client({ "x-internal-token": "internal", "x-isnad-client": "10.0.0.1" })).toBe("10.0.0.1");
    expect(await client({ "x-api-key": "reader-key", "x-isnad-client": "10.0.0.1" })).toBe("key:reader-k");
  });

  test("what a service passes on is its client's, and is good for what the client's own credentials are good for", async () => {
    const { ask } = service([keyOf("reader-key", ["read"])]);
    const passed = { "x-internal-token": "internal", "x-isnad-client": "10.0.0.1", "x-isnad-passed": "1" };
    const own = await ask("GET", "/read", { ...passed, "x-api-key": "reader-key" });
    expect([own.status, await own.text()]).toEqual([200, "10.0.0.1"]);
    expect((await ask("GET", "/read", passed)).status).toBe(401);
    expect((await ask("POST", "/internal", passed)).status).toBe(401);
  });

  test("its address, of which IPv6 counts the network", () => {
    expect(networkOf("::ffff:192.0.2.7")).toBe("192.0.2.7");
    expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe(networkOf("2001:db8:1:2::9"));
    expect(networkOf("2001:db8:1:2::9")).not.toBe(networkOf("2001:db8:1:3::9"));
    expect(networkOf(undefined)).toBe("");
  });
});

test("no credential is logged; the id of a key is", async () => {
  const { ask, lines } = service([keyOf("reader-key-with-secret", ["read"])]);
  await ask("GET", "/read", { "x-api-key": "reader-key-with-secret" });
  await ask("POST", "/ingest", { authorization: "Bearer wrong-secret" });
  expect(JSON.stringify(lines)).not.toContain("secret");
  expect(lines.find(({ path }) => path === "/read")).toMatchObject({ key: "reader-k" });
});

function guarded() {
  const { app } = testService();
  app.get("/bearer", bearer(["old-token", "new-token"]), (c) => c.text("in"));
  app.get("/key", headerToken("x-api-key", ["k1"]), (c) => c.text("in"));
  app.get("/closed", bearer([]), (c) => c.text("in"));
  return (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
}

describe("bearer()", () => {
  test("lets every token of the rotation list pass", async () => {
    const get = guarded();
    expect((await get("/bearer", { authorization: "Bearer old-token" })).status).toBe(200);
    expect((await get("/bearer", { authorization: "bearer new-token" })).status).toBe(200);
  });

  test("answers 401 with a challenge to a missing token", async () => {
    const res = await guarded()("/bearer");
    expect(res.status).toBe(401);
    expect(res.headers.get("www-authenticate")).toBe("Bearer");
    expect(await res.json()).toMatchObject({ type: "/errors/unauthorized", status: 401, instance: "/bearer" });
  });

  test("answers 401 to a wrong token, a part of one, another scheme, and two tokens", async () => {
    const get = guarded();
    const wrong = [
      "Bearer nope",
      "Bearer old-toke",
      "Bearer old-token2",
      "Basic old-token",
      "Bearer old-token new-token",
    ];
    for (const authorization of [...wrong, "Bearer", "Bearer ", "old-token", "Bearer old-token,new-token"]) {
      expect((await get("/bearer", { authorization })).status).toBe(401);
    }
  });

  test("says that a given token is invalid, and never repeats it", async () => {
    const res = await guarded()("/bearer", { authorization: "Bearer s3cr3t-guess" });
    expect(res.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    expect(await res.text()).not.toContain("s3cr3t-guess");
  });

  test("lets nobody pass when no token is configured", async () => {
    const get = guarded();
    for (const authorization of ["Bearer x", "Bearer ", ""])
      expect((await get("/closed", { authorization })).status).toBe(401);
  });
});

describe("headerToken()", () => {
  test("wants the header", async () => {
    const get = guarded();
    expect((await get("/key", { "X-API-Key": "k1" })).status).toBe(200);
    expect((await get("/key", { "x-api-key": "k2" })).status).toBe(401);
    expect((await get("/key")).status).toBe(401);
    expect((await get("/key")).headers.get("www-authenticate")).toBeNull();
  });
});

test("optionalHeaderToken() wants the header where there are tokens, and lets everybody pass where there are none", async () => {
  for (const [tokens, withKey, without] of [
    [["k1"], 200, 401],
    [[], 200, 200],
  ] as const) {
    const { app } = testService();
    app.get("/", optionalHeaderToken("x-api-key", tokens), (c) => c.text("in"));
    expect((await app.request("/", { headers: { "x-api-key": "k1" } })).status).toBe(withKey);
    expect((await app.request("/")).status).toBe(without);
  }
});

test("tokenMatcher() compares whole tokens", () => {
  const matches = tokenMatcher(["alpha", "beta"]);
  expect(["alpha", "beta", "alph", "alphab", "", "ALPHA"].map(matches)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("bearerToken() reads the token of the scheme", () => {
  expect(bearerToken("Bearer abc")).toBe("abc");
  expect(bearerToken("BEARER   abc ")).toBe("abc");
  expect(bearerToken("Basic abc")).toBeUndefined();
  expect(bearerToken(undefined)).toBeUndefined();
});
