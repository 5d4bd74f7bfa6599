import { isIP } from "node:net";

/** Where a webhook goes. */
export type WebhookTarget = {
  /** Without user and password. */
  address: string;
  /** `Authorization`, when the URL has a user or password. */
  headers: Record<string, string>;
  /** The URL's own host, as an allow-list takes it, when it plainly names a private one; else "". */
  privateHost: string;
};

/** Endings of names that never are on the public internet (RFC 6761, 6762, 8375; .internal by ICANN). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/i;

/**
 * Reads the URL of a webhook. Who writes an address, `localhost`, a name of one word or under a private ending means a
 * private host; a name that looks public and leads to a private address may be somebody's trick.
 */
export function readTarget(url: string): WebhookTarget {
  const target = new URL(url);
  const host = target.hostname.replace(/\.$/, "");
  const isPrivate = isIP(host.replace(/^\[|\]$/g, "")) !== 0 || !host.includes(".") || PRIVATE_NAME.test(host);
  const port = target.port === "" ? (target.protocol === "https:" ? "443" : "80") : target.port;
  const { username, password } = target;
  target.username = "";
  target.password = "";
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
  return {
    address: target.href,
    headers: username === "" && password === "" ? {} : { Authorization: `Basic ${login}` },
    privateHost: isPrivate ? `${host}:${port}` : "",
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
