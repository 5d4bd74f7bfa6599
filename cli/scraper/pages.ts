import { closeSync, openSync, readSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { CommandError } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { errorMessage } from "@isnad/lib/std";
import { createMemoryLeaseStore, type DecodedText, decodeText, EgressError } from "@isnad/lib/web/egress";
import { createClients } from "../../scraper/crawl/create-crawler.ts";

/** The largest file that is read, also after inflating. */
const MAX_FILE = 20_000_000;

/**
 * Reads a page, feed or OPML document from a file or pipe, plain or `.gz`, and decodes it by what it says of its
 * charset. Throws CommandError, also when it has more than 20 MB.
 */
export function readDocument(path: string): DecodedText {
  const inflated = readBytes(path);
  return decodeText(inflated);
}

function readBytes(path: string): Uint8Array {
  try {
    const bytes = readAtMost(path, MAX_FILE);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_FILE }) : bytes;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot read ${path}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/** A pipe or device does not say how large it is: it is read no further than the limit. */
function readAtMost(path: string, limit: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const chunks: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const chunk = new Uint8Array(256 * 1024);
      const read = readSync(file, chunk, 0, chunk.length, null);
      if (read === 0) return Buffer.concat(chunks);
      size += read;
      if (size > limit) throw new CommandError(`${path} is larger than ${limit} bytes`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

/** A page or feed and the address that it came from; empty for a file without one. */
interface Source {
  readonly text: string;
  readonly url: string;
}

/** Says how an address is fetched. */
interface SourceOptions {
  readonly env: Record<string, string | undefined>;
  readonly signal: AbortSignal;
  /** Fetches what the site's robots.txt forbids. */
  readonly ignoreRobots: boolean;
}

/** Holds what the commands that fetch say of the flag. */
export const IGNORE_ROBOTS = { kind: "flag", help: "fetch an address that the site's robots.txt forbids" } as const;

/**
 * Reads a file, or fetches an address as the crawler does: robots.txt obeyed, tried again after passing failures.
 * Throws CommandError.
 */
export async function readSource(from: string, { env, signal, ignoreRobots }: SourceOptions): Promise<Source> {
  if (!isWebAddress(from)) return { text: readDocument(from).text, url: "" };
  const fetch = createClients({ config: loadConfig(env), leases: createMemoryLeaseStore() })();
  try {
    const answer = await fetch(from, { signal, respectRobots: !ignoreRobots, minDelayMs: 0, cookies: true });
    if (!answer.ok) throw new CommandError(`${answer.url} answered ${answer.status}`);
    return { text: answer.text().text, url: answer.url };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const hint = error.code === "robots-denied" ? "; --ignore-robots fetches it all the same" : "";
    throw new CommandError(`${error.message}${hint}`, { cause: error });
  }
}

/** Tells whether an argument is an address, and no file. */
export function isWebAddress(from: string): boolean {
  return /^https?:\/\//i.test(from);
}
