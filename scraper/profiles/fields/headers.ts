import { z } from "@isnad/lib/service/http";

/** Headers that the client sets itself, or whose value would change what a request is. */
const OWN = new Set([
  "host",
  "user-agent",
  "connection",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "transfer-encoding",
  "expect",
  "via",
  "forwarded",
  "range",
  "accept-encoding",
]);

const OWN_FAMILY = /^(content-|if-|sec-|proxy-|x-forwarded-)/;

/** Credentials: the file and `GET /profiles` show every header in clear. */
const CREDENTIAL = /^(?:authorization|cookie2?)$|api-?key|token|secret|password|session/;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/;

/**
 * Request headers by name. Refused are names and values that could end a header and begin another, headers that the
 * client sets itself, and credentials.
 */
export const Headers = z.record(z.string(), z.string()).check((ctx) => {
  for (const [name, value] of Object.entries(ctx.value)) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) ctx.issues.push({ code: "custom", message: problem, path: [name], input: value });
  }
});

function headerProblem(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (!TOKEN.test(name)) return "is no name of a header";
  if (lower === "user-agent") return "must be set as politeness.user_agent";
  if (OWN.has(lower) || OWN_FAMILY.test(lower)) return "is set by the client and cannot be changed";
  if (CREDENTIAL.test(lower)) return "is a credential, and profiles are shown in clear";
  if (!VALUE.test(value)) return "must have a value of 1 to 512 visible ASCII characters";
  return undefined;
}
