import { expect, test } from "bun:test";
import { loadConfig } from "@isnad/lib/service/config";
import { testService } from "./testing.ts";

const ask = async (env: Record<string, string>, host: string) =>
  (await testService({ config: loadConfig(env) }).app.request("/livez", { headers: { host } })).status;

test.each(["localhost", "LOCALHOST:8080", "127.0.0.1:80", "127.9.9.9", "[::1]:1", "[0:0:0:0:0:0:0:1]", "localhost."])(
  "on loopback a request for %s is served",
  async (host) => expect(await ask({}, host)).toBe(200),
);

test.each([
  "evil.example",
  "evil.example:8080",
  "localhost.evil.example",
  "10.0.0.1",
  "0.0.0.0",
  "[::2]",
  "127.1.evil",
])("on loopback a request for %s is 421", async (host) => {
  for (const HOST of ["127.0.0.1", "localhost", "::1"]) expect(await ask({ HOST }, host)).toBe(421);
});

test("on loopback the host of PUBLIC_BASE_URL is served too, on any port, and no other", async () => {
  const env = { PUBLIC_BASE_URL: "https://News.example/api" };
  expect(await ask(env, "news.example:444")).toBe(200);
  expect(await ask(env, "www.news.example")).toBe(421);
});

test("a service that listens to a network is asked by any name", async () => {
  for (const HOST of ["0.0.0.0", "::", "10.1.2.3"]) expect(await ask({ HOST }, "evil.example")).toBe(200);
});

test("the refusal is a problem document", async () => {
  const response = await testService().app.request("/nothing", { headers: { host: "evil.example" } });
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.json()).toMatchObject({ type: "/errors/misdirected-request", status: 421 });
});
