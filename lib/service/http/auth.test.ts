import { describe, expect, test } from "bun:test";
import { bearer, bearerToken, headerToken, optionalHeaderToken, tokenMatcher } from "./auth.ts";
import { testService } from "./testing.ts";

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
