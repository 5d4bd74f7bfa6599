import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A server on loopback that leads to one of several others. */
export type SwitchingProxy = {
  /** The address of the first server, at the proxy's host and port. */
  url: string;
  /** Leads new connections to the server at `url`, and ends those that there are. */
  leadTo(url: string): void;
  close(): Promise<void>;
};

/** Opens a proxy that leads to the server at `url` until it is told otherwise. */
export async function switchingProxy(url: string): Promise<SwitchingProxy> {
  let upstream = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const other = connect(Number(upstream.port), upstream.hostname);
    for (const [socket, end] of [
      [client, other],
      [other, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        end.destroy();
      });
    }
    client.pipe(other).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${address.port}` }).href,
    leadTo(next) {
      upstream = new URL(next);
      cut();
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
