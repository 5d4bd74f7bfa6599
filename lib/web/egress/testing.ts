import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSocketServer, type Server as SocketServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { EgressError, type EgressErrorCode } from "./address.ts";

/** A site on loopback for tests. */
export interface LocalSite {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Paths asked for, in order. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** Serves requests on a free port of 127.0.0.1. */
export async function serveSite(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalSite> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    handle(request, response);
  });
  return { seen, ...(await listen(server)), close: () => close(server) };
}

/** Answers each connection with bytes of its own, whether they are HTTP or not. */
export async function serveRaw(answer: (socket: Socket) => void): Promise<LocalSite> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => sockets.delete(socket));
    socket.once("data", () => answer(socket));
  });
  return {
    seen: [],
    ...(await listen(server)),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return close(server);
    },
  };
}

async function listen(server: Server | SocketServer): Promise<{ url: string; port: number }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}

function close(server: Server | SocketServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
}

/** Returns the code of the EgressError that a request ends with. Throws what else it throws. */
export async function codeOf(work: Promise<unknown>): Promise<EgressErrorCode | "no error"> {
  try {
    await work;
    return "no error";
  } catch (error) {
    if (error instanceof EgressError) return error.code;
    throw error;
  }
}
