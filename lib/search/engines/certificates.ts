import { readFileSync } from "node:fs";
import { EngineSettingError } from "./error.ts";

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

/** Whether an error comes of a certificate that is not trusted. */
export function isCertificateFault(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && CODES.test(String(cause.code))) return true;
    // What the client of OpenSearch wraps keeps its message alone.
    if (/self.signed certificate|unable to (get|verify)|certificate has expired|altnames/i.test(cause.message))
      return true;
  }
  return false;
}
