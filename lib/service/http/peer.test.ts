import { describe, expect, test } from "bun:test";
import { listen } from "./listen.ts";
import { clientAddress, inNetworks, keepOpen } from "./peer.ts";
import { testService } from "./testing.ts";

describe("inNetworks()", () => {
  test.each([
    ["10.1.2.3", true],
    ["::ffff:10.1.2.3", true],
    ["11.1.2.3", false],
    ["192.0.2.7", true],
    ["192.0.2.8", false],
    ["2001:db8::5", true],
    ["2001:db9::5", false],
    ["not an address", false],
    [undefined, false],
  ])("%s within 10.0.0.0/8, 192.0.2.7 and 2001:db8::/32: %p", (address, expected) => {
    expect(inNetworks(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"])(address)).toBe(expected);
  });
});

describe("clientAddress()", () => {
  const { app } = testService();
  const isTrusted = inNetworks(["10.0.0.0/8"]);
  app.get("/who", (c) => c.text(clientAddress(c, isTrusted) ?? "unknown"));
  const who = async (peer: string | undefined, forwarded?: string) => {
    const server = { requestIP: () => (peer === undefined ? null : { address: peer }), timeout: () => undefined };
    const headers: Record<string, string> = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    return await (await app.request("/who", { headers }, { server })).text();
  };

  test("is the connection's, whatever a client claims", async () => {
    expect(await who("192.0.2.1")).toBe("192.0.2.1");
    expect(await who("192.0.2.1", "10.9.9.9")).toBe("192.0.2.1");
  });

  test("behind trusted proxies is the nearest address that is none of theirs", async () => {
    expect(await who("10.0.0.1", "198.51.100.4")).toBe("198.51.100.4");
    expect(await who("10.0.0.1", "203.0.113.9, 198.51.100.4, 10.0.0.2")).toBe("198.51.100.4");
    expect(await who("10.0.0.1")).toBe("10.0.0.1");
  });

  test("is unknown where there is no connection, or a proxy passes on what is no address", async () => {
    expect(await who(undefined)).toBe("unknown");
    expect(await who("10.0.0.1", "localhost")).toBe("unknown");
    expect(await (await app.request("/who")).text()).toBe("unknown");
  });

  test("is known over a real connection, which can be kept open", async () => {
    const { app: real } = testService();
    real.get("/who", (c) => {
      keepOpen(c);
      return c.text(clientAddress(c, isTrusted) ?? "unknown");
    });
    const server = await listen(real.fetch, { host: "127.0.0.1", port: 0 });
    expect(await (await fetch(`${server.url}/who`)).text()).toBe("127.0.0.1");
    await server.stop();
  });
});
