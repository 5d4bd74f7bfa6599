import { connect, createServer, type Socket } from "node:net";

/** Passes connections on to a server; shut, it refuses them and cuts those that there are. */
export type TestGate = { url: string; shut(): void; open(): void; close(): Promise<void> };

/** Opens a gate on loopback in front of a server. */
export async function testGate(url: string): Promise<TestGate> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((client) => {
    if (!isOpen) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    shut() {
      isOpen = false;
      cut();
    },
    open() {
      isOpen = true;
    },
    async close() {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
