/** User and password of an address. */
const LOGIN = /(\/\/)[^/@\s]{1,512}@/g;

const QUERY_FIELD = /([?&][\w.-]{1,64}=)[^&#\s"'<>]{1,2048}/g;

/** Names of query fields whose values are as good as a password. */
const SECRET = /key|token|secret|passw|signature|credential|[?&](?:auth|sig)=/i;

/**
 * Returns the text without the credentials of the addresses in it: user and password, and what a query calls a key, a
 * token or the like.
 */
export function scrub(text: string): string {
  if (!text.includes("://")) return text;
  return text
    .replace(LOGIN, "$1")
    .replace(QUERY_FIELD, (field: string, name: string) => (SECRET.test(name) ? `${name}-` : field));
}
