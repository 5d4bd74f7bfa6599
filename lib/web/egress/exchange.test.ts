import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";
import { createFetcher, type Fetcher } from "./fetcher.ts";
import { codeOf, serveSite } from "./testing.ts";

const DAY = 86_400_000;
const names: (string | undefined)[] = [];
const servers: Server[] = [];

/**
 * Serves over TLS with a certificate made now, its days from `begins` to `ends`. Gives the port and the certificate to
 * trust.
 */
async function serveTls(name: string, begins = -1, ends = 1): Promise<{ port: number; ca: string }> {
  const certificate = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() + begins * DAY),
    notAfterDate: new Date(Date.now() + ends * DAY),
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: name }] },
    ],
  });
  const server = createServer({ key: certificate.private, cert: certificate.cert }, (request, response) => {
    names.push(request.headers.host);
    if (request.url === "/away") response.writeHead(302, { location: String(request.headers["x-away"]) });
    response.end("over TLS");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return { port: (server.address() as AddressInfo).port, ca: certificate.cert };
}

const resolver = async () => [{ address: "127.0.0.1", family: 4 }];
const trusting = (ca?: string): Fetcher =>
  createFetcher({ userAgent: "t", allowPrivateHosts: "127.0.0.1", resolver, ...(ca !== undefined && { ca }) });

let good: { port: number; ca: string };
beforeAll(async () => {
  good = await serveTls("good.test");
});
beforeEach(() => {
  names.length = 0;
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

test("over TLS the name is asked for and checked although the connection goes to the address", async () => {
  const answer = await trusting(good.ca)(`https://good.test:${good.port}/`);
  expect(answer.text().text).toBe("over TLS");
  expect(names).toEqual([`good.test:${good.port}`]);
});

test("a certificate for another name is refused", async () => {
  expect(await codeOf(trusting(good.ca)(`https://evil.test:${good.port}/`))).toBe("tls-failed");
  expect(await codeOf(trusting(good.ca)(`https://127.0.0.1:${good.port}/`))).toBe("tls-failed");
});

test("a certificate of nobody known is refused", async () => {
  expect(await codeOf(trusting()(`https://good.test:${good.port}/`))).toBe("tls-failed");
  const other = await serveTls("good.test");
  expect(await codeOf(trusting(other.ca)(`https://good.test:${good.port}/`))).toBe("tls-failed");
});

test("a certificate that is over is refused", async () => {
  const old = await serveTls("old.test", -10, -5);
  expect(await codeOf(trusting(old.ca)(`https://old.test:${old.port}/`))).toBe("tls-failed");
});

test("what does not speak TLS is not spoken to without", async () => {
  const plain = await serveSite((_, response) => void response.end("plain"));
  expect(await codeOf(trusting()(`https://good.test:${plain.port}/`))).toBe("tls-failed");
  expect(plain.seen).toEqual([]);
  await plain.close();
});

test("a redirect from TLS to plain HTTP takes nothing along that was said in confidence", async () => {
  const told: unknown[] = [];
  const plain = await serveSite((request, response) => {
    told.push(request.headers.authorization ?? "nothing");
    response.end();
  });
  const headers = { Authorization: "Bearer secret", "X-Away": `http://good.test:${plain.port}/` };
  await trusting(good.ca)(`https://good.test:${good.port}/away`, { headers });
  expect(told).toEqual(["nothing"]);
  await plain.close();
});
