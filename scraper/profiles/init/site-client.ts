import { EgressError, type PoliteClient } from "@isnad/lib/web/egress";

/** An answer, or why there is none that serves. */
export type SiteAnswer =
  | {
      readonly ok: true;
      /** After redirects. */
      readonly url: string;
      readonly text: string;
      readonly bytes: Uint8Array;
      readonly contentType: string | undefined;
    }
  | { readonly ok: false; readonly why: string };

/** Asks the addresses of one site, each once. */
export interface SiteClient {
  get(url: string): Promise<SiteAnswer>;
  /** Addresses asked so far. */
  readonly asked: number;
}

/**
 * Makes a client that asks politely, robots.txt obeyed, `minDelayMs` apart. Its `get` rejects only when the signal
 * aborts.
 */
export function createSiteClient(
  client: PoliteClient,
  { minDelayMs, signal }: { minDelayMs: number; signal: AbortSignal },
): SiteClient {
  const answers = new Map<string, Promise<SiteAnswer>>();
  const ask = async (url: string): Promise<SiteAnswer> => {
    try {
      const answer = await client(url, { minDelayMs, concurrency: 1, retries: 1, cookies: true, signal });
      if (!answer.ok) return { ok: false, why: `answers ${answer.status}` };
      const { bytes, contentType } = answer;
      return { ok: true, url: answer.url, text: answer.text().text, bytes, contentType };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EgressError)) throw error;
      return { ok: false, why: `${error.code}: ${error.detail}` };
    }
  };
  return {
    get(url) {
      const answer = answers.get(url) ?? ask(url);
      answers.set(url, answer);
      return answer;
    },
    get asked() {
      return answers.size;
    },
  };
}
