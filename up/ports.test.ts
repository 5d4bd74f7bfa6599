import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { freePort, portFault } from "./ports.ts";

test("a port in use is told from a free one", async () => {
  const port = await freePort("127.0.0.1");
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

test("an address of another machine is a fault", async () => {
  expect(await portFault("192.0.2.1", 8080)).toBe("EADDRNOTAVAIL");
});
