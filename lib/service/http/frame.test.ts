import { expect, test } from "bun:test";
import { requestIdOf } from "./frame.ts";
import { testService } from "./testing.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("an id of 1 to 128 visible ASCII characters is taken as it is", () => {
  for (const id of ["a", "!~", "x".repeat(128), "9f0c-Ünicode".slice(0, 5)]) expect(requestIdOf(id)).toBe(id);
});

test("any other id is replaced by a new UUID", () => {
  for (const id of [null, undefined, "", "x".repeat(129), "two words", "tab\t", "é", "رقم", "a\u007f"]) {
    expect(requestIdOf(id)).toMatch(UUID);
  }
});

test("every response carries the id, and so does the log line", async () => {
  const service = testService();
  service.app.get("/boom", () => {
    throw new Error("secret cause");
  });
  for (const path of ["/livez", "/nothing", "/boom", "/openapi.json", "/docs"]) {
    const res = await service.app.request(path, { headers: { "x-request-id": "abc-1" } });
    expect(res.headers.get("X-Request-ID")).toBe("abc-1");
    expect(service.lines.at(-1)).toMatchObject({ request_id: "abc-1", path, status: res.status });
  }
});

test("two requests without an id get different ones", async () => {
  const { app } = testService();
  const first = (await app.request("/livez")).headers.get("x-request-id");
  const second = (await app.request("/livez")).headers.get("x-request-id");
  expect(first).toMatch(UUID);
  expect(first).not.toBe(second);
});
