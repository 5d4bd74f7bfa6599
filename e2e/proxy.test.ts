import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatEvent } from "@isnad/lib/std";
import { type Listening, listen } from "@isnad/lib/service/http";
import { generate } from "selfsigned";
import { freePort } from "../lib/std/ports.ts";
import { type TestApi, testApi } from "../api/testing.ts";

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
if (!hasNginx) process.stdout.write("skipped: there is no nginx, before which the sample is tried\n");

describe.skipIf(!hasNginx)("the api behind the sample of nginx", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-nginx-"));
  let api: TestApi;
  let server: Listening;
  let edge: ReturnType<typeof Bun.serve>;
  let nginx: ChildProcess;
  let url = "";
  let more = Promise.withResolvers<void>();

  beforeAll(async () => {
    edge = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        await request.text();
        const encoder = new TextEncoder();
        const meta = formatEvent("meta", { request_id: "r", model: "m", sources: [] });
        const body = new ReadableStream({
          async start(controller) {
            controller.enqueue(encoder.encode(meta + formatEvent("delta", { text: "first" })));
            await more.promise;
            controller.enqueue(
              encoder.encode(formatEvent("done", { finish_reason: "stop", citations: [], usage: null })),
            );
            controller.close();
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    });
    api = await testApi({
      ...{ PUBLIC_BASE_URL: "https://news.example.org", TRUSTED_PROXIES: "127.0.0.1", INTERNAL_TOKEN: "internal" },
      EDGE_URL: `http://127.0.0.1:${edge.port}`,
    });
    server = await listen(api.app.fetch, { host: "127.0.0.1", port: 0 });
    const port = await freePort();
    const { private: key, cert } = await generate([{ name: "commonName", value: "news.example.org" }]);
    writeFileSync(join(dir, "key.pem"), key);
    writeFileSync(join(dir, "cert.pem"), cert);
    mkdirSync(join(dir, "tmp"));
    const sample = readFileSync(join(import.meta.dirname, "../examples/deploy/nginx.conf"), "utf8")
      .replace("127.0.0.1:8080", new URL(server.url).host)
      .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
      .replace(/\/etc\/letsencrypt\S+fullchain\.pem/, join(dir, "cert.pem"))
      .replace(/\/etc\/letsencrypt\S+privkey\.pem/, join(dir, "key.pem"));
    const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${dir}/tmp;`);
    writeFileSync(
      join(dir, "nginx.conf"),
      `daemon off; pid ${dir}/pid; error_log stderr; events {} http { access_log off; ${folders.join(" ")}\n${sample}\n}`,
    );
    nginx = spawn("nginx", ["-c", join(dir, "nginx.conf"), "-p", dir], { stdio: ["ignore", "ignore", "pipe"] });
    url = `https://127.0.0.1:${port}`;
    for (let attempt = 0; attempt < 200; attempt++) {
      const isThere = await ask("/livez").then(
        (response) => response.ok,
        () => false,
      );
      if (isThere) return;
      await Bun.sleep(50);
    }
    throw new Error("nginx does not answer");
  });
  afterAll(async () => {
    nginx?.kill("SIGTERM");
    await server?.stop(0);
    await api?.close();
    await edge?.stop(true);
    rmSync(dir, { recursive: true, force: true });
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { host: "news.example.org", ...Object.fromEntries(new Headers(init.headers)) },
      tls: { rejectUnauthorized: false },
    });

  test("answers over TLS, under the name that the settings say and under no other", async () => {
    expect((await ask("/livez")).status).toBe(200);
    const other = await ask("/v1/entities", { headers: { host: "evil.example" } });
    expect(other.status).toBe(421);
  });

  test("passes a stream on as it comes", async () => {
    const response = await ask("/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ messages: [{ role: "user", content: "a" }] }),
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain("first");
    more.resolve();
    let rest = "";
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
      rest += new TextDecoder().decode(piece.value);
    expect(rest).toContain("event: done");
    more = Promise.withResolvers();
  });

  test("nobody from outside is a service of the platform", async () => {
    const headers = { "x-internal-token": "internal", "content-type": "application/json" };
    const response = await ask("/internal/keys", { method: "POST", headers, body: '{"used":[]}' });
    expect([401, 404]).toContain(response.status);
  });
});
