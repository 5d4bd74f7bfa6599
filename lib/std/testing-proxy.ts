import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A server on loopback that stands before another one. */
type TestProxy = {
  /** The address of the server behind it, at the proxy's host and port. */
  url: string;
  /** The open sockets of both sides. */
  sockets: ReadonlySet<Socket>;
  /** Ends the connections that there are. */
  cut(): void;
  /** Leads new connections to the server at `url`, and ends those that there are. */
  leadTo(url: string): void;
  close(): Promise<void>;
};

/**
 * Opens a proxy before the server at `url`. `join` is given both ends of each new connection, and says what goes from
 * one to the other: by default everything. Either end that closes closes the other.
 */
export async function testProxy(
  url: string,
  join: (client: Socket, upstream: Socket) => void = (client, upstream) => void client.pipe(upstream).pipe(client),
): Promise<TestProxy> {
  let to = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(to.port), to.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    join(client, upstream);
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
    sockets,
    cut,
    leadTo(next) {
      to = new URL(next);
      cut();
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
