import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatEvent } from "@isnad/lib/std";
import { type Listening, listen } from "@isnad/lib/service/http";
import { until } from "@isnad/lib/std/testing-until";
import { generate } from "selfsigned";
import { freePort } from "../lib/std/ports.ts";
import { type TestApi, testApi } from "../api/testing.ts";

/** A proxy that there is a sample for: how it is started before an address, with a certificate, on a port. */
type Proxy = {
  name: string;
  version: string[];
  start(parts: { dir: string; host: string; port: number }): ChildProcess;
};

const sample = (name: string): string => readFileSync(join(import.meta.dirname, "../examples/deploy", name), "utf8");
const quiet = { stdio: ["ignore", "ignore", "pipe"] as ["ignore", "ignore", "pipe"] };

const PROXIES: Proxy[] = [
  {
    ...{ name: "nginx", version: ["-v"] },
    start({ dir, host, port }) {
      mkdirSync(join(dir, "tmp"));
      const site = sample("nginx.conf")
        .replace("127.0.0.1:8080", host)
        .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
        .replace(/\/etc\/letsencrypt\S+fullchain\.pem/, join(dir, "cert.pem"))
        .replace(/\/etc\/letsencrypt\S+privkey\.pem/, join(dir, "key.pem"));
      const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${dir}/tmp;`,
      );
      const frame = `daemon off; pid ${dir}/pid; error_log stderr; events {} http { access_log off; ${folders.join(" ")}`;
      writeFileSync(join(dir, "nginx.conf"), `${frame}\n${site}\n}`);
      return spawn("nginx", ["-c", join(dir, "nginx.conf"), "-p", dir], quiet);
    },
  },
  {
    ...{ name: "caddy", version: ["version"] },
    start({ dir, host, port }) {
      const site = sample("Caddyfile")
        .replace("127.0.0.1:8080", host)
        .replace(
          "news.example.org {",
          `https://news.example.org:${port} {\n\ttls ${dir}/cert.pem ${dir}/key.pem\n\tbind 127.0.0.1`,
        );
      // The test asks by address, and its certificate is its own.
      const frame = "{\n\tadmin off\n\tauto_https off\n\tdefault_sni news.example.org\n}\n";
      writeFileSync(join(dir, "Caddyfile"), frame + site);
      const env = { ...process.env, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
      return spawn("caddy", ["run", "--adapter", "caddyfile", "--config", join(dir, "Caddyfile")], { ...quiet, env });
    },
  },
];

for (const proxy of PROXIES) {
  const isThere = spawnSync(proxy.name, proxy.version).status === 0;
  if (!isThere) process.stdout.write(`skipped: there is no ${proxy.name}, before which the sample is tried\n`);
  describe.skipIf(!isThere)(`the api behind the sample of ${proxy.name}`, () => behind(proxy));
}

function behind({ name, start }: Proxy): void {
  const dir = mkdtempSync(join(tmpdir(), `isnad-${name}-`));
  let api: TestApi;
  let server: Listening;
  let edge: ReturnType<typeof Bun.serve>;
  let proxy: ChildProcess;
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
    proxy = start({ dir, host: new URL(server.url).host, port });
    url = `https://127.0.0.1:${port}`;
    await until(`${name} answers`, () =>
      ask("/livez").then(
        (response) => response.ok,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    proxy?.kill("SIGTERM");
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
    // Caddy has no site of that name, and gives an empty answer of its own.
    expect([421, "empty"]).toContain((await other.text()) === "" ? "empty" : other.status);
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
}

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
test("systemd finds nothing wrong with the sample of a unit", () => {
  if (!hasSystemd) return void process.stdout.write("skipped: there is no systemd-analyze\n");
  const dir = mkdtempSync(join(tmpdir(), "isnad-unit-"));
  const unit = join(dir, "isnad.service");
  writeFileSync(unit, sample("isnad.service").replace("/usr/local/bin/bun", process.execPath));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
  rmSync(dir, { recursive: true });
  expect([status, stderr]).toEqual([0, ""]);
});
