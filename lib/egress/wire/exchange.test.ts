import { afterAll, expect, test } from "bun:test";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { EgressError } from "../error.ts";
import { createFetcher } from "../fetcher.ts";

// A certificate of its own for good.test, valid until 2036; made for this test alone.
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBlDCCATmgAwIBAgIUXBQxGK0W9qSicH/0CTxLrLTWl48wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJZ29vZC50ZXN0MB4XDTI2MTEyMDIxMzUyMFoXDTM2MTExNzIx
MzUyMFowFDESMBAGA1UEAwwJZ29vZC50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAExj0u8TtAbblpvxyn2Jar7tRD/Ht0RF0u7G2nQxhRbnpsY9ta1+BpgVcx
skVKEX9fotPQlfUhxC1DfLwdpDB36qNpMGcwHQYDVR0OBBYEFLI/XLfPSdGDq+ZP
mHu1CTh6qpOgMB8GA1UdIwQYMBaAFLI/XLfPSdGDq+ZPmHu1CTh6qpOgMA8GA1Ud
EwEB/wQFMAMBAf8wFAYDVR0RBA0wC4IJZ29vZC50ZXN0MAoGCCqGSM49BAMCA0kA
MEYCIQD2DjUMjTk2j8h9ssbOVKCpQnwCsggR8xXEEqewciWYFgIhAPKTvvCzmcE3
nJ85HlOH5Ht0lpxbd7bSpwnORjDZ+suy
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbWsEIZh4Mp0CkncH
uUzEAELTnPl7/trcb/8x4p1VCpWhRANCAATGPS7xO0BtuWm/HKfYlqvu1EP8e3RE
XS7sbadDGFFuemxj21rX4GmBVzGyRUoRf1+i09CV9SHELUN8vB2kMHfq
-----END PRIVATE KEY-----`;

const names: (string | undefined)[] = [];
const server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
  names.push(request.headers.host);
  response.end("over TLS");
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => void server.close());

const resolver = async () => [{ address: "127.0.0.1", family: 4 }];
const fetcher = createFetcher({ userAgent: "t", allowPrivateHosts: "127.0.0.1", resolver, ca: CERTIFICATE });

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "no error",
    (error: unknown) => (error instanceof EgressError ? error.code : String(error)),
  );
}

test("over TLS the name is asked for and checked although the connection goes to the address", async () => {
  const answer = await fetcher(`https://good.test:${port}/`);
  expect(answer.text().text).toBe("over TLS");
  expect(names).toEqual([`good.test:${port}`]);
});

test("a certificate for another name is refused", async () => {
  expect(await codeOf(fetcher(`https://evil.test:${port}/`))).toBe("tls-failed");
});

test("a certificate of nobody known is refused", async () => {
  const strict = createFetcher({ userAgent: "t", allowPrivateHosts: "127.0.0.1", resolver });
  expect(await codeOf(strict(`https://good.test:${port}/`))).toBe("tls-failed");
});
