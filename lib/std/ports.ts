import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Why a port cannot be listened on: the system's code (`EADDRINUSE`, `EACCES`), or null when it can. */
export function portFault(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
}

/** Below what Linux (from 32,768) and macOS (from 49,152) assign to those who ask for any port, or connect. */
const UNASSIGNED = { min: 20_000, max: 32_767 };

/** The port that is tried next: no two services are given the same one. */
let next = randomInt(UNASSIGNED.min, UNASSIGNED.max + 1);

/**
 * Returns a port that nothing listens on at this moment; nor is it assigned to another process until it is listened on,
 * or given by this function again. Rejects when `host` cannot be listened on.
 */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (;;) {
    const port = next;
    next = port === UNASSIGNED.max ? UNASSIGNED.min : port + 1;
    const fault = await portFault(host, port);
    if (fault === null) return port;
    if (fault !== "EADDRINUSE") throw new Error(`nothing can listen on ${host}: ${fault}`);
  }
}
