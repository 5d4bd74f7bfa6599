import { MeilisearchApiError, Meilisearch, MeilisearchRequestError, MeilisearchRequestTimeOutError } from "meilisearch";
import type { MeiliServer } from "../../service/config/mod.ts";
import { errorMessage } from "../../std/mod.ts";
import {
  certificates,
  EngineError,
  type EngineFault,
  EngineSettingError,
  isCertificateFault,
} from "../engines/error.ts";

/** Longest time of a request, in milliseconds. */
const REQUEST_MS = 30_000;

/**
 * Opens a server: nothing is asked of it yet. Throws {@link EngineSettingError} when the file of certificates cannot be
 * read.
 */
export function meiliClient({ url, key, caFile }: MeiliServer): Meilisearch {
  // `fetch` takes certificates under a name that its standard does not have.
  const trusting: object = caFile === undefined ? {} : { tls: { ca: certificates("MEILI_CA_FILE", caFile) } };
  return new Meilisearch({
    host: url,
    timeout: REQUEST_MS,
    ...(key !== undefined && { apiKey: key }),
    // A compressed answer of more than a kilobyte takes 40 ms more on a connection that is kept.
    requestInit: { ...trusting, headers: { "accept-encoding": "identity" } },
  });
}

/**
 * Checks that the server answers, accepts the key, and is of a version that this code knows. Rejects with
 * {@link EngineSettingError}, whose message names the setting that is wrong.
 */
export async function checkMeili(client: Meilisearch, { url, key }: MeiliServer): Promise<void> {
  const version = await client.getVersion().catch((error: unknown) => {
    const cause = asEngineError(error);
    if (cause.reason === "denied") {
      const rule = key === undefined ? "a key is needed" : "is no key that may ask for everything";
      throw new EngineSettingError(`MEILI_API_KEY: ${rule} at ${url}`, { cause });
    }
    if (isCertificateFault(cause)) {
      throw new EngineSettingError(`MEILI_CA_FILE: ${url} is not trusted (${cause.message})`, { cause });
    }
    if (cause.reason === "away") {
      throw new EngineSettingError(`MEILI_URL: ${url} cannot be reached (${cause.message})`, { cause });
    }
    throw new EngineSettingError(`MEILI_URL: ${url} is no Meilisearch`, { cause });
  });
  const number = String(version.pkgVersion);
  if (!/^1\./.test(number)) {
    throw new EngineSettingError(`MEILI_URL: ${url} serves version ${number}; Meilisearch 1 is needed`);
  }
}

/** Any error of the client as an {@link EngineError}. */
export function asEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const message = `meilisearch: ${errorMessage(error)}`;
  if (error instanceof MeilisearchApiError) {
    const code = error.cause?.code ?? "";
    return new EngineError(faultOf(error.response.status, code), message, { cause: error });
  }
  const passing = error instanceof MeilisearchRequestError || error instanceof MeilisearchRequestTimeOutError;
  return new EngineError(passing ? "away" : "rejected", message, { cause: error });
}

/** Returns what a status and an error's code stand for. */
export function faultOf(status: number, code: string): EngineFault {
  if (code === "index_not_found") return "missing";
  if (status === 401 || status === 403) return "denied";
  if (status === 429 || status >= 500 || /no_space_left|too_many|io_error|database_size/.test(code)) return "away";
  return "rejected";
}
