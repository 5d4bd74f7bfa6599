import { readFileSync } from "node:fs";
import { KeywordIndexError } from "../keyword/types.ts";

/**
 * Why an engine of another process did not do what it was asked: it cannot be reached, is overloaded, full or read-only
 * (`away`: the same may work later), an index is not there (`missing`), it refuses this user (`denied`), or it refuses
 * this request whoever asks (`rejected`).
 */
export type EngineFault = "away" | "missing" | "denied" | "rejected";

/** An engine of another process did not do what it was asked. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly reason: EngineFault;

  constructor(reason: EngineFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A setting names an engine, or an index in it, that cannot be used; the message begins with the setting's name. */
export class EngineSettingError extends Error {
  override readonly name = "EngineSettingError";
}

/** The certificates of the file that `setting` names. Throws {@link EngineSettingError} when there are none. */
export function certificates(setting: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new EngineSettingError(`${setting}: ${file} cannot be read`, { cause });
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new EngineSettingError(`${setting}: ${file} holds no certificate in PEM`);
}

/** Codes of a server whose certificate is not the one that is trusted, is over, or is for another name. */
const CODES = /^(ERR_TLS_CERT|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY))/;

/** Tells whether an error comes of a certificate that is not trusted. */
export function isCertificateFault(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && CODES.test(String(cause.code))) return true;
    // What the client of OpenSearch wraps keeps its message alone.
    if (/self.signed certificate|unable to (get|verify)|certificate has expired|altnames/i.test(cause.message))
      return true;
  }
  return false;
}

/** Any error as one of a keyword index; what an engine refuses of a document is that document's fault. */
export function asKeywordError(error: unknown): KeywordIndexError {
  if (error instanceof KeywordIndexError) return error;
  if (!(error instanceof EngineError)) {
    return new KeywordIndexError("away", `keyword index: ${String(error)}`, { cause: error });
  }
  const reasons = { away: "away", denied: "away", missing: "missing", rejected: "unavailable" } as const;
  return new KeywordIndexError(reasons[error.reason], `keyword index: ${error.message}`, { cause: error });
}
