import { createServer } from "node:net";

/** Below the ports that systems give out by themselves, and above those that services are known by. */
const PORTS = { from: 15_000, to: 32_000 };

/**
 * A port of loopback that nobody listens on; it stays so until its user has started, which may take a while: no server
 * on "any port" and no connection is given it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    if (await promise) return port;
  }
}
