import { createFetcher, EgressError } from "@isnad/lib/egress";
import { CommandError } from "@isnad/lib/cli";
import { readDocument } from "./pages.ts";

const USER_AGENT = "IsnadBot/0.1";

/** A page or feed and the address that it came from; empty for a file without one. */
export interface Source {
  readonly text: string;
  readonly url: string;
}

/** Reads a file, or fetches an address through the egress client. Throws CommandError. */
export async function readSource(
  from: string,
  env: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<Source> {
  if (!/^https?:\/\//i.test(from)) return { text: readDocument(from).text, url: "" };
  const allowPrivateHosts = env.SCRAPER_ALLOW_PRIVATE_HOSTS ?? "";
  try {
    const answer = await createFetcher({ userAgent: USER_AGENT, allowPrivateHosts })(from, { signal });
    if (!answer.ok) throw new CommandError(`${answer.url} answered ${answer.status}`);
    return { text: answer.text().text, url: answer.url };
  } catch (error) {
    if (error instanceof EgressError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}
