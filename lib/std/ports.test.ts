import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { freePort, portFault } from "./ports.ts";

test("a port in use is told from a free one", async () => {
  const port = await freePort();
  expect(await portFault("127.0.0.1", port)).toBeNull();
  const server = createServer().listen(port, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  expect(await portFault("127.0.0.1", port)).toBe("EADDRINUSE");
  await new Promise((resolve) => server.close(resolve));
});

test("a port in use by Bun.serve is seen too", async () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  expect(await portFault("127.0.0.1", server.port ?? 0)).toBe("EADDRINUSE");
  await server.stop(true);
});

const ASSIGNED = "/proc/sys/net/ipv4/ip_local_port_range";

test.skipIf(!existsSync(ASSIGNED))(
  "a free port is none that the system assigns to somebody else meanwhile",
  async () => {
    const [min = 0, max = 0] = readFileSync(ASSIGNED, "utf8").trim().split(/\s+/).map(Number);
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(ports.filter((port) => port >= min && port <= max)).toEqual([]);
    await expect(freePort("192.0.2.1")).rejects.toThrow("nothing can listen on 192.0.2.1: EADDRNOTAVAIL");
  },
);

test("a port that was given is not given again", async () => {
  const ports = await Promise.all(Array.from({ length: 500 }, () => freePort()));
  expect(new Set(ports).size).toBe(500);
});

test("an address of another machine is a fault", async () => {
  expect(await portFault("192.0.2.1", 8080)).toBe("EADDRNOTAVAIL");
});
