import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { type Env, loadConfig } from "../../service/config/mod.ts";
import { openKeyword } from "./open.ts";
import { type TestMeili, meiliDouble } from "./testing-meili.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-tls-"));
const store = { chunks: { head: async () => ({ database: "x", seq: 0 }) }, sources: { list: async () => [] } };
const servers: Server[] = [];
/** What was asked, as `METHOD /path`. */
let asked: string[] = [];
let meili: TestMeili;

/** A server with a certificate made now, and the file of the authority that vouches for it: itself. */
async function serveTls(name: string, answer: (path: string, request: Request) => Promise<Response>) {
  const certificate = await generate([{ name: "commonName", value: name }], {
    ...{ keyType: "ec", algorithm: "sha256" },
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: name }] },
    ],
  });
  const server = createServer({ key: certificate.private, cert: certificate.cert }, async (incoming, outgoing) => {
    const { method = "GET", url: path = "/", headers } = incoming;
    asked.push(`${method} ${path}`);
    const parts = await Array.fromAsync(incoming, (part) => String(part));
    const body = method === "GET" || method === "HEAD" ? null : parts.join("");
    const given = Object.entries(headers).flatMap(([key, value]): [string, string][] =>
      typeof value === "string" && !["host", "connection", "content-length"].includes(key) ? [[key, value]] : [],
    );
    const response = await answer(path, new Request(`http://tls.test${path}`, { method, body, headers: given }));
    outgoing.writeHead(response.status, { "content-type": "application/json" }).end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  const address = server.address();
  const caFile = join(dir, `${servers.length}.pem`);
  writeFileSync(caFile, certificate.cert);
  return { url: `https://localhost:${typeof address === "object" && address !== null ? address.port : 0}`, caFile };
}

/** A managed cluster: the user and password of every request are checked. */
async function managed(address: string, request: Request): Promise<Response> {
  const path = address.replace("/tenant/", "/");
  if (request.headers.get("authorization") !== `Basic ${Buffer.from("newsroom:p/w:ö").toString("base64")}`) {
    return Response.json({ message: "Unauthorized" }, { status: 401 });
  }
  if (path === "/") return Response.json({ version: { number: "2.19.1", distribution: "opensearch" } });
  if (path.endsWith("/_mapping")) {
    return Response.json({ error: { type: "index_not_found_exception", reason: "none" } }, { status: 404 });
  }
  return Response.json({});
}

let cluster: { url: string; caFile: string };
let server: { url: string; caFile: string };
let another: { url: string; caFile: string };
beforeAll(async () => {
  meili = await meiliDouble();
  cluster = await serveTls("localhost", managed);
  server = await serveTls("localhost", (path, request) => fetch(new Request(`${meili.server.url}${path}`, request)));
  another = await serveTls("elsewhere.example", managed);
});
afterAll(async () => {
  for (const each of servers) each.close().closeAllConnections();
  await meili.stop();
  rmSync(dir, { recursive: true });
});

/** How opening the engine that settings choose ends. */
async function opening(env: Env): Promise<string> {
  asked = [];
  try {
    const { keyword } = loadConfig(env).engines;
    const index = await openKeyword({ engine: keyword, store, dir });
    await index.position();
    await index.reset();
    await index.close();
    return "asked";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const user = { OPENSEARCH_USER: "newsroom", OPENSEARCH_PASSWORD: "p/w:ö" };

describe("an engine over TLS", () => {
  test("is used with the authority that vouches for it, and OpenSearch with user and password", async () => {
    const { url, caFile } = cluster;
    expect(await opening({ OPENSEARCH_URL: url, OPENSEARCH_CA_FILE: caFile, ...user })).toBe("asked");
    expect(asked).toContain("PUT /isnad-articles-1");
    expect(await opening({ OPENSEARCH_URL: `${url}/tenant/`, OPENSEARCH_CA_FILE: caFile, ...user })).toBe("asked");
    expect(asked).toContain("PUT /tenant/isnad-articles-1");
    expect(await opening({ MEILI_URL: server.url, MEILI_CA_FILE: server.caFile })).toBe("asked");
  });

  test("that another authority vouches for is one line that names the setting, and nothing is asked of it", async () => {
    for (const trust of [{}, { OPENSEARCH_CA_FILE: another.caFile }]) {
      const said = await opening({ OPENSEARCH_URL: cluster.url, ...trust, ...user });
      expect(said).toStartWith(`OPENSEARCH_CA_FILE: ${cluster.url} is not trusted (`);
      expect(said.split("\n")).toHaveLength(1);
    }
    for (const trust of [{}, { MEILI_CA_FILE: another.caFile }]) {
      const said = await opening({ MEILI_URL: server.url, ...trust });
      expect(said).toStartWith(`MEILI_CA_FILE: ${server.url} is not trusted (`);
      expect(said.split("\n")).toHaveLength(1);
    }
    expect(asked).toEqual([]);
  });

  test("whose certificate is for another name is refused", async () => {
    const { url, caFile } = another;
    expect(await opening({ OPENSEARCH_URL: url, OPENSEARCH_CA_FILE: caFile, ...user })).toStartWith(
      "OPENSEARCH_CA_FILE",
    );
    expect(await opening({ MEILI_URL: url, MEILI_CA_FILE: caFile })).toStartWith("MEILI_CA_FILE");
  });

  test("is refused by a file that holds no certificate, and by a wrong password, before anything is changed", async () => {
    const file = join(dir, "empty.pem");
    writeFileSync(file, "nothing");
    for (const [prefix, { url }] of [
      ["OPENSEARCH", cluster],
      ["MEILI", server],
    ] as const) {
      const said = await opening({ [`${prefix}_URL`]: url, [`${prefix}_CA_FILE`]: file });
      expect(said).toBe(`${prefix}_CA_FILE: ${file} holds no certificate in PEM`);
    }
    const wrong = { OPENSEARCH_USER: "newsroom", OPENSEARCH_PASSWORD: "wrong" };
    expect(await opening({ OPENSEARCH_URL: cluster.url, OPENSEARCH_CA_FILE: cluster.caFile, ...wrong })).toBe(
      `OPENSEARCH_USER and OPENSEARCH_PASSWORD: newsroom is not let in at ${cluster.url}`,
    );
    expect(asked).toEqual(["GET /"]);
  });
});
