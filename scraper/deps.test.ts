import { expect, test } from "bun:test";
import { pingApi } from "./deps.ts";

const { signal } = new AbortController();

test("the API is there when it says that it lives", async () => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => new Response("{}", { status: new URL(url).pathname === "/livez" ? 200 : 404 }),
  });
  const base = server.url.href.replace(/\/$/, "");
  expect(await pingApi(base, signal)).toBeUndefined();
  await expect(pingApi(`${base}/elsewhere`, signal)).rejects.toThrow("the API answers 404");
  await server.stop(true);
  await expect(pingApi(base, signal)).rejects.toThrow();
});
