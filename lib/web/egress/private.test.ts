import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createFetcher } from "./fetcher.ts";
import { createMemoryLeaseStore } from "./turns.ts";
import { createPoliteClient } from "./polite-client.ts";
import { codeOf, type LocalSite, serveSite } from "./testing.ts";

let inside: LocalSite;
let asked = 0;

beforeAll(async () => {
  inside = await serveSite((_, response) => {
    asked++;
    response.end("secret");
  });
});

afterAll(() => inside.close());

const closed = createFetcher({ userAgent: "test/1" });

/** What each form of an address of this machine leads to, without leave and with it. */
const LOOPBACK = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0x7F.1",
  "0177.0.0.1",
  "017700000001",
  "0x7f.0.0x0.01",
  "127.0.0.1.",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:7f00:0001]",
  "localhost",
  "LOCALHOST.",
];

/** As a header can carry it. */
const ascii = (host: string) => host.replace(/\P{ASCII}/gu, encodeURIComponent);

describe("a server of this machine, really there,", () => {
  test.each(LOOPBACK)("is not connected to as %s without leave, and is with it", async (host) => {
    const address = `http://${host}:${inside.port}/`;
    const before = asked;
    expect(await codeOf(closed(address))).toBe("private-address");
    expect(asked).toBe(before);
    const open = createFetcher({ userAgent: "test/1", allowPrivateHosts: "127.0.0.0/8, localhost" });
    expect((await open(address)).text().text).toBe("secret");
  });

  test.each(["0.0.0.0", "0", "[::]", "[::ffff:0.0.0.0]"])("is not connected to as %s", async (host) => {
    const before = asked;
    expect(await codeOf(closed(`http://${host}:${inside.port}/`))).toBe("private-address");
    expect(asked).toBe(before);
  });

  test.each(LOOPBACK)("is not connected to when a site redirects to %s", async (host) => {
    const site = await serveSite((_, response) => {
      response.writeHead(302, { location: `http://${ascii(host)}:${inside.port}/` }).end();
    });
    const fetch = createFetcher({ userAgent: "t", allowPrivateHosts: `127.0.0.1:${site.port}` });
    const before = asked;
    expect(await codeOf(fetch(site.url))).toBe("private-address");
    expect([asked, site.seen.length]).toEqual([before, 1]);
    await site.close();
  });

  test("is not connected to as a feed, nor as the robots.txt of a site that is elsewhere", async () => {
    const site = await serveSite((request, response) => {
      if (request.url === "/robots.txt") response.writeHead(301, { location: `${inside.url}/robots.txt` });
      response.end();
    });
    const polite = createPoliteClient({
      fetcher: createFetcher({ userAgent: "t", allowPrivateHosts: `127.0.0.1:${site.port}` }),
      leases: createMemoryLeaseStore(),
      product: "t",
    });
    const before = asked;
    expect(await codeOf(polite(`${inside.url}/feed.xml`, { minDelayMs: 0 }))).toBe("private-address");
    expect(await codeOf(polite(`${inside.url}/feed.xml`, { respectRobots: false, minDelayMs: 0 }))).toBe(
      "private-address",
    );
    expect(await codeOf(polite(`${site.url}/feed.xml`, { minDelayMs: 0 }))).toBe("private-address");
    expect([asked, site.seen]).toEqual([before, ["/robots.txt"]]);
    await site.close();
  });
});

test.each([
  "http://[::127.0.0.1]/",
  "http://[::1]/",
  "http://[::ffff:0:127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[64:ff9b:1::a00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001:0:53aa:64c:0:0:80ff:fffe]/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fc00::1]/",
  "http://[ff02::1]/",
  "http://[100::1]/",
  "http://[2001:db8::1]/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://[::ffff:169.254.169.254]/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://100.64.0.1/",
  "http://100.100.100.200/",
  "http://198.18.0.1/",
  "http://192.0.2.1/",
  "http://224.0.0.1/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
])("%s is refused as private", async (address) => {
  expect(await codeOf(closed(address))).toBe("private-address");
});

describe("a host name", () => {
  const resolvingTo = (...addresses: string[]) =>
    createFetcher({ userAgent: "t", resolver: async () => addresses.map((address) => ({ address, family: 4 })) });

  test("that resolves to a private address is refused, even beside a public one", async () => {
    for (const addresses of [
      ["10.0.0.1"],
      ["93.184.215.14", "127.0.0.1"],
      ["::ffff:10.0.0.1"],
      ["fe80::1%eth0"],
      ["no address"],
      [""],
    ]) {
      expect(await codeOf(resolvingTo(...addresses)("http://news.example/"))).toBe("private-address");
    }
  });

  test("without an address, or that cannot be resolved, is named", async () => {
    expect(await codeOf(resolvingTo()("http://nowhere.example/"))).toBe("dns-failed");
    const failing = createFetcher({ userAgent: "t", resolver: () => Promise.reject(new Error("NXDOMAIN")) });
    expect(await codeOf(failing("http://nowhere.example/"))).toBe("dns-failed");
  });

  test("that takes for ever to resolve is given up in time", async () => {
    const fetcher = createFetcher({ userAgent: "t", resolver: () => new Promise(() => undefined) });
    expect(await codeOf(fetcher("http://slow.example/", { timeoutMs: 100 }))).toBe("timed-out");
  });

  test("that changes its answer is asked once, and what was checked is what is connected to", async () => {
    const answers = ["127.0.0.1", "10.9.9.9"];
    let lookups = 0;
    const fetcher = createFetcher({
      userAgent: "t",
      allowPrivateHosts: "127.0.0.1",
      resolver: async () => [{ address: answers[lookups++] ?? "10.9.9.9", family: 4 }],
    });
    const before = asked;
    expect((await fetcher(`http://rebind.example:${inside.port}/a`)).text().text).toBe("secret");
    expect([lookups, asked]).toEqual([1, before + 1]);
    expect(await codeOf(fetcher(`http://rebind.example:${inside.port}/b`))).toBe("private-address");
    expect(asked).toBe(before + 1);
  });

  test("is looked up and checked again at every redirect, to itself too", async () => {
    const site = await serveSite((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    const answers = ["127.0.0.1", "127.0.0.1", "169.254.169.254"];
    const fetcher = createFetcher({
      userAgent: "t",
      allowPrivateHosts: "127.0.0.1",
      resolver: async () => [{ address: answers.shift() ?? "127.0.0.1", family: 4 }],
    });
    expect(await codeOf(fetcher(`http://rebind.example:${site.port}/`))).toBe("private-address");
    expect(site.seen).toEqual(["/", "/x"]);
    await site.close();
  });

  test("that may be private may be so on the port named only", async () => {
    const fetcher = createFetcher({
      userAgent: "t",
      allowPrivateHosts: `intranet.example:${inside.port}`,
      resolver: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    expect((await fetcher(`http://intranet.example:${inside.port}/`)).status).toBe(200);
    expect(await codeOf(fetcher("http://intranet.example/"))).toBe("private-address");
    expect(await codeOf(fetcher(`http://other.example:${inside.port}/`))).toBe("private-address");
  });
});
