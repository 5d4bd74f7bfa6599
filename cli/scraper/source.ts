import { CommandError } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { createMemoryLeaseStore, EgressError } from "@isnad/lib/web/egress";
import { createClients } from "../../scraper/crawl/index.ts";
import { readDocument } from "./pages.ts";

/** A page or feed and the address that it came from; empty for a file without one. */
export interface Source {
  readonly text: string;
  readonly url: string;
}

/** How an address is fetched. */
export interface SourceOptions {
  readonly env: Record<string, string | undefined>;
  readonly signal: AbortSignal;
  /** Fetches what the site's robots.txt forbids. */
  readonly ignoreRobots: boolean;
}

/** What the commands that fetch say of the flag. */
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

/** Whether an argument is an address, and no file. */
export function isWebAddress(from: string): boolean {
  return /^https?:\/\//i.test(from);
}
