import { randomUUID } from "node:crypto";

/** The client's request id when it is 1 to 128 visible ASCII characters, else a new UUID. */
export function requestIdOf(header: string | null | undefined): string {
  return header !== null && header !== undefined && /^[\x21-\x7e]{1,128}$/.test(header) ? header : randomUUID();
}
