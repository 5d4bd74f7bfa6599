import { TrieRouter } from "hono/router/trie-router";

/** The methods that routes of `routes` take on `path`; empty for an unknown path. */
export function allowedMethods(routes: readonly { method: string; path: string }[]): (path: string) => string[] {
  const router = new TrieRouter<string>();
  for (const { method, path } of routes) {
    if (method !== "ALL") router.add("ALL", path, method);
  }
  return (path) => {
    const methods = new Set(router.match("ALL", path)[0].map(([method]) => method));
    if (methods.has("GET")) methods.add("HEAD");
    return [...methods].sort();
  };
}
