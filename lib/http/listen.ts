/** A server that listens. `stop` takes no more requests, and cuts those that are not answered after `graceMs`. */
export type Listening = { url: string; port: number; stop(graceMs?: number): Promise<void> };

type Fetch = (request: Request, env: unknown) => Response | Promise<Response>;

/** Time that requests in flight have to finish, in milliseconds. */
const GRACE_MS = 10_000;

/** Serves `fetch` on `host` and `port` (0: any free one). Throws `EADDRINUSE` when the port is taken. */
export async function listen(fetch: Fetch, { host, port }: { host: string; port: number }): Promise<Listening> {
  const server = Bun.serve({
    hostname: host,
    port,
    fetch: (request, server) => fetch(request, { server }),
    // Limits are the routes' own, so that every 413 is a problem document.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: 60,
  });
  return {
    url: server.url.href.replace(/\/$/, ""),
    port: server.port ?? port,
    async stop(graceMs = GRACE_MS) {
      const timer = setTimeout(() => void server.stop(true), graceMs);
      await server.stop();
      clearTimeout(timer);
    },
  };
}
